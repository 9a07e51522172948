warpline sweep --l1-sets 1..2 --l1-ways 1..3 --index modulo vadd
