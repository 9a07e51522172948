#!/bin/sh
# sweep_cells.sh DEVICE: cells of sweeps over policies, with and without latency, chosen at random,
# against a replay of each by itself.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"

cells=100 seed=20261121
policies=${SWEEP_POLICIES:-lru,fifo,plru,random:7,lfu,mru,srrip,ways:1,3,1,2}
gpu="--set sm_count=4"

"$warpline" record -o gather -- "$apps/gather" --size 2048 >record.log 2>&1 ||
	fail "gather is not recorded: $(cat record.log)"

for latency in on off; do
	# shellcheck disable=SC2086 # words
	"$warpline" sweep $gpu --l1-sets 4,16,6 --l1-ways 1,2,4 --line 32,128 --index modulo,xor \
		--l1-policy "$policies" --latency $latency -j 3 gather >$latency.csv 2>$latency.err ||
		fail "sweep with latency $latency: $(cat $latency.err)"
done
cat on.csv off.csv | grep -v '^line_bytes' | tr -d '"' |
	sed 's/ways:1,3,1,2/ways:1;3;1;2/' >all.csv
echo "seed $seed"
awk -v n=$cells -v seed=$seed 'BEGIN { srand(seed) }
	{ line[NR] = $0 }
	END { for (i = 0; i < n; i++) print line[1 + int(rand() * NR)] }' all.csv >chosen.csv

while IFS=, read -r line index sets ways bytes policy latency pending reads hits misses cold \
	writes write_hits atomics evictions from_l2 to_l2 rate; do
	policy=$(echo "$policy" | tr ';' ',')
	# shellcheck disable=SC2086 # words
	"$warpline" replay $gpu --l1-sets "$sets" --l1-ways "$ways" --line "$line" --index "$index" \
		--l1-policy "$policy" --latency "$latency" --json one.json gather >one.out ||
		fail "replay of $policy, $sets sets, $ways ways"
	got=$("$BUILD_DIR/tests/json_get" one.json total.l1.pending_hits total.l1.reads \
		total.l1.read_hits total.l1.read_misses total.l1.cold total.l1.writes \
		total.l1.write_hits total.l1.atomics total.l1.evictions total.l1.bytes_from_l2 \
		total.l1.bytes_to_l2 | tr '\n' ',')
	expect "replay of $line bytes, $index, $sets sets, $ways ways, $policy, latency $latency" "$got" \
		"$pending,$reads,$hits,$misses,$cold,$writes,$write_hits,$atomics,$evictions,$from_l2,$to_l2,"
	[ $((bytes)) = $((line * sets * ways)) ] || fail "$bytes bytes for $sets sets of $ways"
	[ "$rate" ] || fail "a line has fewer columns"
done <chosen.csv

# Fewer pending hits without time, more than none with it.
awk -F, '$7 == "off" && $8 { exit 1 }' all.csv || fail "pending hits without latency"
awk -F, '$7 == "on" && $8 { n++ } END { exit !n }' all.csv || fail "no pending hits with latency"
passed
