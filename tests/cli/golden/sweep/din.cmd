warpline import --format din list.din -o out && warpline sweep out --l1-sets 1 --l1-ways 1,2 --line 128,4096 --index modulo,fermi --out x.csv; s=$?; cat x.csv; exit $s
