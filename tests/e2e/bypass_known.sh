#!/bin/sh
# bypass_known.sh: `warpline bypass` finds the lists that are known by hand, and what they move.
. "$SOURCE_DIR/tests/e2e/lib.sh"
. "$SOURCE_DIR/tests/e2e/bypass_lib.sh"
use_device pocl

# search APP OPTION...: APP.csv, APP.list and APP.text.
search() {
	app=$1
	shift
	[ -d "$app" ] || record "$app" "$apps/$app"
	offline bypass "$app" --jobs 1 --csv "$app.csv" -o "$app.list" "$@" >"$app.text" ||
		fail "bypass $* fails"
}

# expect_bytes APP LIST BYTES
expect_bytes() {
	expect "bytes from L2 of $1 with $2" "$(list_sum "$1.csv" "$2" bytes_from_l2)" "$3"
}

fermi="--gpu gtx480 --l1 16k"

# table: 8192 work-items are 256 warps of 256 steps, each with a line of the stream and one of the
# table: 65536 requests to each. Past L1 a line moves as its four sectors, so all move 128 bytes:
# 2 * 65536 * 128. With the stream past L1 it moves 65536 * 128, and each of 15 SMs loads the 96
# lines of the table once: they fill 3 ways of each of 32 sets, whatever their hash.
# shellcheck disable=SC2086 # words
search table $fermi --by site,buffer
expect_bytes table bypass-all 16777216
expect_bytes table site 8572928
expect_bytes table buffer 8572928
[ "$(list_sum table.csv cache-all bytes_from_l2)" -gt 12000000 ] || fail "the stream does not harm the table"
expect "the best list for table" "$(rules_of table.list)" "kernel table
site 0"
# shellcheck disable=SC2086 # words
search table $fermi --by buffer
expect "the best list of arguments for table" "$(rules_of table.list)" "kernel table
argument stream"

# On a GPU whose L1 holds the table beside the stream there is nothing to gain.
search table --gpu v100 --by site,buffer
expect "the best list for table on a larger L1" "$(rules_of table.list)" ""
grep -q 'no gain: do not bypass' table.text || fail "table on a V100: no sentence"

# stride: 16384 * 8 reads of a line each: 128 bytes cached, 32 past L1.
# shellcheck disable=SC2086 # words
search stride $fermi
expect_bytes stride cache-all 16777216
for list in bypass-all address address-merged site buffer warp; do expect_bytes stride $list 4194304; done
expect "the best list for stride" "$(rules_of stride.list)" "kernel stride
all"
offline replay stride --gpu gtx480 --l1 16k --bypass stride.list --json stride.json >/dev/null ||
	fail "replay with the list that bypass wrote"
expect "bytes from L2 by replay" "$(json stride.json total.l1.bytes_from_l2)" 4194304

# window: a group of 8 warps reads 257 to 271 words: 9 lines, 256 groups. Past L1 the 16 reads of a
# warp touch 4 sectors where they begin at one, which is twice, and 5 elsewhere: 2048 * (2*4 + 14*5).
# shellcheck disable=SC2086 # words
search window $fermi
for list in cache-all site buffer warp hybrid; do expect_bytes window $list $((256 * 9 * 128)); done
expect_bytes window bypass-all $((2048 * 78 * 32))
expect "the best list for window" "$(rules_of window.list)" ""
grep -q 'no gain: do not bypass' window.text || fail "window: no sentence"
passed
