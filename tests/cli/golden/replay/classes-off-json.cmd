# Where there is a miss, its class is not told; counters without misses are as always.
warpline replay loops --gpu gtx480 --classes off --json - | grep -E '"(classes|sm|read_misses|cold|coherence|capacity|conflict|sector)"' | head -20
