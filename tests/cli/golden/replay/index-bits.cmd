# Two lines in turn, 4 apart, in two sets of one way: bit 9 keeps them apart, bit 7 does not.
printf '0 %x\n' 0 512 0 512 0 512 >list.din; warpline import --format din list.din -o list >/dev/null 2>&1
for i in modulo bits:7 bits:9 bits:7+9; do warpline replay --l1-sets 2 --l1-ways 1 --line 128 --index $i --latency off list | grep "misses  .*rate"; done
warpline replay --index fermi loops >1; warpline replay --index bits:7+13,8+14,9+15,10+17,11+19 loops >2; cmp 1 2
