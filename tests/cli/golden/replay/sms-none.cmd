warpline replay --sms 0 vadd
