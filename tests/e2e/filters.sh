#!/bin/sh
# filters.sh DEVICE: --kernel, --launches and --groups leave out what they should, and nothing else.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"

# record_with DIR OPTION...: the five launches of bfs in DIR; its result must stay the same.
record_with() {
	dir=$1
	shift
	"$warpline" record -o "$dir" "$@" -- "$apps/bfs" --size 64 >"$dir.out" 2>"$dir.err" ||
		fail "bfs fails with $*: $(cat "$dir.err")"
	[ ! -e all.out ] || [ "$(untimed "$dir.out")" = "$(untimed all.out)" ] ||
		fail "another result with $*"
	info_of "$dir"
	expect "completeness with $*" "$info_status" 0
}

record_with all
launches_of all >all.launches
[ "$(json all.json launches_seen)" -ge 4 ] || fail "bfs has too few launches for this test"

# What is left out is what the filter says; the rest is as without it.
# expect_as DIR AWK-CONDITION: launch n of kernel k is traced where the condition holds.
expect_as() {
	expect "$1" "$(launches_of "$1")" "$(chosen_of "$2" <all.launches)"
}

record_with kernel --kernel '^ex'
expect_as kernel 'k ~ /^ex/'
record_with anywhere --kernel 'anc'
expect_as anywhere 'k ~ /anc/'
record_with none --kernel 'nosuch'
expect_as none 0
grep -q 'no launch matches the options' none.err || fail "nobody was told: $(cat none.err)"
record_with second --launches 1
expect_as second 'n == 1'
record_with tail --launches 2..
expect_as tail 'n >= 2'
record_with both --launches ..2 --kernel ex
expect_as both 'n <= 2 && k ~ /ex/'

# Groups: the accesses of those chosen are as without the option, the others have none. Launch 0 of
# reduce has 16 groups, launch 1 has one.
# groups_as SPEC AWK-CONDITION: group g is recorded where the condition holds.
groups_as() {
	record groups --groups "$1" -- "$apps/reduce" --size 1000
	expect "the status with groups $1" "$status" 0
	expect "the result with groups $1" "$(untimed groups.out)" "$(untimed every.out)"
	accesses_of groups | cut -d, -f1-10,12- >got
	awk -F, "{ g = \$2 } $2" every.accesses >want
	[ -s want ] || fail "nothing to compare for $1"
	diff want got >diff.out || fail "other accesses with groups $1: $(head -4 diff.out)"
	rm -rf groups groups.*
}

# record DIR OPTION... -- APP ARG...
record() {
	dir=$1
	shift
	status=0
	"$warpline" record -o "$dir" "$@" >"$dir.out" 2>"$dir.err" || status=$?
}
record every -- "$apps/reduce" --size 1000
accesses_of every | cut -d, -f1-10,12- >every.accesses
groups_as 0 'g == 0'
groups_as 3..5,9 '(g >= 3 && g <= 5) || g == 9'
groups_as /3 'g % 3 == 0'
groups_as 2..12/5 'g == 2 || g == 7 || g == 12'
groups_as sm:1@gtx480 'g % 15 == 1'

# Counts only: as many as there are accesses, and no file.
record count --count -- "$apps/reduce" --size 1000
expect "the status with --count" "$status" 0
info_of count
expect "the fates" "$(json count.json 'launches.*.fate' | sort -u)" counted
expect "reads counted" "$(json count.json 'launches.*.reads' | awk '{ n += $1 } END { print n }')" 1016
expect "barriers counted" \
	"$(json count.json 'launches.*.barriers' | awk '{ n += $1 } END { print n }')" 7616
grep -q 'reduce: 2 launches, 1,016 reads, 17 writes, 0 atomics, 7,616 barriers' count.err ||
	fail "the counts are not told: $(cat count.err)"
passed
