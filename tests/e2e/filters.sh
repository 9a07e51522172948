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

# launches_of DIR: "KERNEL:FATE:ACCESSES " for each launch.
launches_of() {
	for field in kernel fate accesses; do
		json "$1.json" "launches.*.$field" >"$1.$field"
	done
	paste -d: "$1.kernel" "$1.fate" "$1.accesses" | tr '\n' ' '
}

record_with all
launches_of all >all.launches
[ "$(json all.json launches_seen)" -ge 4 ] || fail "bfs has too few launches for this test"

# What is left out is what the filter says; the rest is as without it.
# expect_as DIR AWK-CONDITION: launch n of kernel k is traced where the condition holds.
expect_as() {
	tr ' ' '\n' <all.launches | awk -F: "NF == 3 { n = NR - 1; k = \$1
		if ($2) printf \"%s \", \$0; else printf \"%s:unselected:0 \", k }" >want
	expect "$1" "$(launches_of "$1")" "$(cat want)"
}

record_with kernel --kernel '^ex'
expect_as kernel 'k ~ /^ex/'
record_with anywhere --kernel 'anc'
expect_as anywhere 'k ~ /anc/'
record_with none --kernel 'nosuch'
expect_as none 0
grep -q 'no launch was selected' none.err || fail "nobody was told: $(cat none.err)"
record_with second --launches 1
expect_as second 'n == 1'
record_with tail --launches 2..
expect_as tail 'n >= 2'
record_with both --launches ..2 --kernel ex
expect_as both 'n <= 2 && k ~ /ex/'
passed
