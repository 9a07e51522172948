#!/bin/sh
# killed_left_out.sh: a program that is killed while it makes launches that are only counted leaves a
# small recording that says how many there were when it was last written, and that more is missing.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

# shellcheck disable=SC2016 # the inner shell expands it
"$warpline" record -o rec --kernel '^nosuch$' -- sh -c 'echo $$ >pid; exec "$0" "$@"' \
	"$apps/inplace" --size 262144 --repeat 100000 >out 2>err &
record=$!
# Two writings: the second takes the place of the first.
seconds=0
until [ "$(grep -c '"tally"' rec/manifest.jsonl 2>/dev/null)" -ge 2 ] 2>/dev/null; do
	seconds=$((seconds + 1))
	[ "$seconds" -lt 60 ] || { kill -9 "$(cat pid)"; fail "nothing was written: $(cat rec/manifest.jsonl)"; }
	sleep 1
done
kill -9 "$(cat pid)"
status=0
wait "$record" || status=$?
expect "the status of record" "$status" 137
info_of rec
expect "the status of info" "$info_status" 3
seen=$(json rec.json launches_seen)
[ "$seen" -ge 2 ] || fail "only $seen launches were seen"
expect "what was left out" "$(json rec.json launches_unselected)" "$seen"
expect "the kernel, the option and the first" \
	"$(json rec.json left_out.0.kernel left_out.0.reason left_out.0.first | tr '\n' ' ')" \
	'inplace --kernel 0 '
json rec.json missing | grep -q 'end of the recording' || fail "nothing is missing"
[ "$(wc -c <rec/manifest.jsonl)" -lt 20000 ] || fail "the manifest grows with the launches"
passed
