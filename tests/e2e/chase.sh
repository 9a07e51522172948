#!/bin/sh
# chase.sh DEVICE: a pointer chase over few lines, against what a cyclic order does to LRU: a set
# with at most as many lines as ways misses in the first of the 8 rounds alone, a fuller one always.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"

# Hits and misses take these, one after another.
hit=28 below=184

# chase GROUP LINES SETS WAYS: replays rec-GROUP-LINES and compares.
chase() {
	group=$1 lines=$2 sets=$3 ways=$4
	what="$lines lines in $sets sets of $ways ways, $group work-items:"
	offline replay "rec-$group-$lines" --gpu v100 --l1-sets "$sets" --l1-ways "$ways" --line 128 \
		--index modulo --set l1_policy=lru --set l1_hit_cycles=$hit --set l2_cycles=$below \
		--json replay.json >replay.out || fail "$what no replay"
	# Consecutive lines: every set has lines/sets of them, the first lines%sets one more.
	awk -v n="$lines" -v s="$sets" -v w="$ways" -v hit=$hit -v below=$below 'BEGIN {
		for (i = 0; i < s; i++) {
			k = int(n / s) + (i < n % s)
			again += k > w ? k : 0
		}
		misses = n + 7 * again
		print 8 * n, misses, 8 * n - misses, n, 8 * n * hit + misses * below }' >want
	for key in reads read_misses read_hits cold; do
		json replay.json "launches.0.l1.$key"
	done | tr '\n' ' ' >got
	# The write that ends the chain is the last cycle.
	echo $(($(json replay.json launches.0.cycles) - 1)) >>got
	expect "$what reads misses hits cold cycles" "$(cat got)" "$(cat want)"
}

for lines in 1 7 8 9 10 12 24; do
	record "rec-1-$lines" "$apps/chase" --size "$lines" --group 1
	expect "the exit status of $lines lines" "$status" 0
	for geometry in "4 2" "1 8" "8 1" "3 3"; do
		# shellcheck disable=SC2086 # sets and ways
		chase 1 "$lines" $geometry
	done
done
# All lanes of a warp read the same element: one request.
for lines in 8 12; do
	record "rec-32-$lines" "$apps/chase" --size "$lines" --group 32
	expect "the exit status of $lines lines and a warp" "$status" 0
	chase 32 "$lines" 4 2
done
passed
