#!/bin/sh
# cost.sh: what recording took its time for: its parts are no more than the whole, each is where it
# belongs, and --explain-cost says so.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
export WARPLINE_CACHE="$work/cache"

# parts_of DIR: the numbers of its line of time.
parts_of() {
	tr ',{}' '\n' <"$1/manifest.jsonl" | sed -n 's/^"\([a-z]*\)_ns":\([0-9]*\)$/\1 \2/p' |
		grep -E '^(recorder|instrument|driver|kernel|drain|write) '
}

# cost_of DIR APP ARG...
cost_of() {
	dir=$1
	shift
	"$warpline" record --explain-cost -o "$dir" -- "$@" >"$dir.out" 2>"$dir.err" || fail "$1 fails: $(cat "$dir.err")"
	parts_of "$dir" >"$dir.parts"
	expect "parts of $dir" "$(wc -l <"$dir.parts")" 6
	awk '$1 == "recorder" { all = $2 } $1 != "recorder" { sum += $2 } END { exit !(sum > 0 && sum <= all) }' \
		"$dir.parts" || fail "the parts are more than the whole: $(cat "$dir.parts")"
	grep -q '^cost      [0-9.]* s of recording, of these:$' "$dir.err" || fail "nothing is said of the cost: $(cat "$dir.err")"
	grep -q 'what helps: ' "$dir.err" || fail "nothing is said of what helps: $(cat "$dir.err")"
}

# above DIR PART: that it took any time.
above() {
	[ "$(awk -v p="$2" '$1 == p { print $2 }' "$1.parts")" -gt 0 ] || fail "$1: no time for $2: $(cat "$1.parts")"
}

cost_of slices "$apps/transpose" --size 512
for part in instrument driver kernel drain write; do above slices $part; done
cost_of direct "$apps/many" --input finish --size 50
for part in instrument driver kernel drain write; do above direct $part; done
cost_of again "$apps/transpose" --size 512
awk -v p=instrument '$1 == p { print $2 }' slices.parts again.parts | tr '\n' ' ' >instrument
awk '{ exit !($1 > $2) }' instrument || fail "instrumenting is no cheaper from the cache: $(cat instrument)"
# Without the option nothing of it is said, and a copy adds both up.
record quiet "$apps/many" --input finish --size 5
! grep -q '^cost ' quiet.err || fail "the cost is told unasked"
offline merge -o both slices direct >merge.out 2>&1 || fail "merge fails: $(cat merge.out)"
parts_of both >both.parts
sort slices.parts direct.parts | awk '{ n[$1] += $2 } END { for (p in n) printf "%s %.0f\n", p, n[p] }' | sort >want
sort both.parts | diff want - || fail "merge adds up otherwise"
passed
