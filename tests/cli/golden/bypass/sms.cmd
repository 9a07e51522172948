warpline bypass --by site --sms 1 --schedule gto --dispatch breadth streaming | head -8
