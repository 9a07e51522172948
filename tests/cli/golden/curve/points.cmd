# 300 lines in turn, three times: 900 reads miss below 300 lines, 300 from there on. Points: 64, 32 up to 128, 32 up to 256, 264 to 296 by 8, 300.
awk 'BEGIN { for (i = 0; i < 900; i++) printf "0 %x\n", i % 300 * 128 }' >a.din; warpline import --format din a.din -o out >/dev/null && warpline curve -o x.csv out && awk -F, '$1 == "full" { n++; last = $3; if ($6 != ($3 < 300 ? 900 : 300)) print } END { print n, last }' x.csv; grep L1 x.csv
# The mark is what replay says.
warpline replay out --latency off --json - | grep -m1 '"read_misses"'; warpline replay out --l1 48k --latency off --json - | grep -m1 '"read_misses"'; warpline replay out --l1-sets 1 --index modulo --l1-ways 299 --latency off --json - | grep -m1 '"read_misses"'
