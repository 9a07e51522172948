warpline import --format din list.din -o out && warpline info out | tail -n +2 && warpline dump out && warpline replay --latency off --l1-sets 1 --l1-ways 1 out
