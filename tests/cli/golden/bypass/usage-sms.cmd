warpline bypass --sms 99 streaming
