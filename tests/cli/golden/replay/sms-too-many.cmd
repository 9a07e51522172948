warpline replay --sms 16 vadd
