#!/bin/sh
# one_item.sh: one work-group of millions of accesses is recorded whole, by default, and the recorder
# takes at most 64 MB for it.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
program=$BUILD_DIR/tests/one_item

# one ITEMS STEPS ACCESSES [OPTION...]
one() {
	items=$1 steps=$2 accesses=$3
	shift 3
	dir=items-$items$*
	"$program" "$items" "$steps" >"$dir.native" 2>/dev/null || fail "the program fails"
	"$warpline" record -q "$@" -o "$dir" -- "$program" "$items" "$steps" >"$dir.out" 2>"$dir.err" ||
		fail "it fails when it is recorded: $(cat "$dir.err")"
	expect "the result" "$(cat "$dir.out")" "$(cat "$dir.native")"
	info_of "$dir"
	expect "the status of info" "$info_status" 0
	expect "the accesses" "$(json "$dir.json" launches.1.accesses)" "$accesses"
	offline verify "$dir" >"$dir.verify" || fail "verify: $(cat "$dir.verify")"
}

# A read in each step, and the sum is read and written.
one 1 6000000 6000002
# 64 work-items, of which every second makes four times as many: 32 * 5 reads a step, so that some are
# done rounds before the others.
one 64 40000 $((32 * 5 * 40000 + 2 * 64))
# A buffer that holds a few chunks of each.
one 64 500 $((32 * 5 * 500 + 2 * 64)) --device-buffer=128k

for dir in items-1 items-64; do
	grown=$(sed -n '1s/^\(-*[0-9]*\)$/\1/p' $dir.err)
	[ "$grown" ] || fail "no peak of memory: $(cat $dir.err)"
	[ "$grown" -le 65536 ] || fail "$dir: the recorder takes $grown KB"
done
passed
