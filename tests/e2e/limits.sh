#!/bin/sh
# limits.sh DEVICE: --skip, --per-kernel, --max-launches, --max-bytes and --duration, alone and together.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"

# record_with DIR OPTION...: the launches of bfs in DIR; its result must stay the same.
record_with() {
	dir=$1
	shift
	"$warpline" record -o "$dir" "$@" -- "$apps/bfs" --size 64 >"$dir.out" 2>"$dir.err" ||
		fail "bfs fails with $*: $(cat "$dir.err")"
	[ ! -e all.out ] || [ "$(untimed "$dir.out")" = "$(untimed all.out)" ] ||
		fail "another result with $*"
	info_of "$dir"
}

record_with all
launches_of all >all.launches
[ "$(json all.json launches_seen)" -ge 8 ] || fail "bfs has too few launches for this test"

# expect_as DIR AWK-CONDITION [FATE]: launch n, the m-th (from 0) of kernel k, is recorded as without
# options where the condition holds; the others have the fate, or were left out.
expect_as() {
	expect "$1" "$(launches_of "$1")" "$(chosen_of "$2" "${3:-}" <all.launches)"
}

# bfs launches bfs_expand and bfs_advance in turn.
record_with skip --skip 3
expect_as skip 'n >= 3'
expect "the status of info" "$info_status" 0
record_with each --per-kernel 2
expect_as each 'm < 2'
record_with first --max-launches 5
expect_as first 'n < 5'
# Of launches 1.., one of each kernel is 1 (advance) and 2 (expand); the first of these is 1.
record_with three --skip 1 --per-kernel 1 --max-launches 1
expect_as three 'n == 1'
# --kernel goes before --skip, --skip before --max-launches.
record_with expand --kernel expand --skip 1 --max-launches 2
expect_as expand 'n == 2 || n == 4'
# --launches counts all launches, --skip those that are left.
record_with late --launches 4.. --skip 2 --per-kernel 1
expect_as late 'n == 6 || n == 7'
expect "the status of info" "$info_status" 0

# A recording that ends by its size holds whole launches, no more than SIZE, and says so. Before small
# launches are put together each takes some hundred bytes.
bytes=2000
record_with size --max-bytes "$bytes"
kept=$(json size.json launches_traced)
{ [ "$kept" -gt 0 ] && [ "$kept" -lt "$(json all.json launches_seen)" ]; } ||
	fail "$kept launches in $bytes bytes"
expect "launches behind the limit" "$(json size.json launches_limited)" \
	"$(($(json all.json launches_seen) - kept))"
expect_as size "n < $kept" limited
[ "$(json size.json file_bytes)" -le "$bytes" ] || fail "more than $bytes bytes"
[ "$(cat size/*.wl? | wc -c)" -le "$bytes" ] || fail "files of other launches: $(ls -l size)"
expect "the status of info" "$info_status" 5
expect "complete" "$(json size.json complete)" true
grep -q -- "left out when the recording had reached its $bytes bytes (--max-bytes)" size.err ||
	fail "nobody was told: $(cat size.err)"
status=0
offline replay size >replay.out 2>replay.err || status=$?
expect "the status of replay" "$status" 5
# What is selected does not depend on the limit, which counts for what is selected.
record_with both --max-bytes "$bytes" --max-launches $((kept + 1))
expect "recorded, behind the limit, not selected" \
	"$(json both.json launches_traced) $(json both.json launches_limited) $(json both.json launches_unselected)" \
	"$kept 1 $(($(json all.json launches_seen) - kept - 1))"
# One launch that is too large is given up while it runs, and its file removed.
size=262144
[ "$1" = pocl ] || size=2048
"$warpline" record -o large --max-bytes 1000 -- "$apps/gather" --size $size >large.out 2>large.err ||
	fail "gather fails: $(cat large.err)"
"$apps/gather" --size $size >native.out || fail "gather fails natively"
expect "the result" "$(untimed large.out)" "$(untimed native.out)"
[ -z "$(find large -name '*.wl?')" ] || fail "a file is left: $(ls large)"
grep -q 'the limit was reached before the first launch was whole' large.err ||
	fail "nobody was told: $(cat large.err)"

# The time is over before the first launch.
record_with time --duration 0.000001
expect_as time 0 limited
expect "the status of info" "$info_status" 5
grep -q -- "0.000001 s were over (--duration)" time.err || fail "nobody was told: $(cat time.err)"
record_with long --duration 1000
expect_as long 1
passed
