# Misses of lines 0 0 1 2 3 0 4 0 in three ways, by hand: lru 6, fifo 6, plru 6, lfu 5, mru 6, srrip 5, third way only 5.
printf '0 %x\n' 0 0 128 256 384 0 512 0 >list.din; warpline import --format din list.din -o list >/dev/null 2>&1
for p in lru fifo plru lfu mru srrip ways:0,0,1; do warpline replay --l1-sets 1 --l1-ways 3 --line 128 --index modulo --latency off --l1-policy $p list | grep -E "L1 has|misses  .*rate"; done
warpline replay --l1-sectors 32 --l1-write back_allocate --mshr 8 --set l1_mshr_merge=4 --set l1_allocation=at_fill loops | grep "L1 has"
