#!/bin/sh
# bundles.sh: launches that share a file, through every command that reads or writes recordings, with
# damage, and in a program that is killed.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

# Each of 64 work-items reads its value and writes it.
record rec "$apps/many" --input flood --size 1500
expect "the status" "$status" 0
expect "the files" "$(find rec -type f | sort | tr '\n' ' ')" \
	'rec/launches.wlb rec/manifest.jsonl rec/sources/program-0000.cl '
[ "$(wc -l <rec/manifest.jsonl)" -lt 30 ] || fail "the manifest grows with the launches"
info_of rec
expect "the status of info" "$info_status" 0
expect "launches and accesses" "$(json rec.json launches_traced) $(json rec.json accesses)" '1500 192000'
accesses_of rec >rec.rows
awk -F, '{ n = int((NR - 1) / 128); i = int((NR - 1) % 128 / 2); kind = NR % 2 ? "read" : "write" }
	$1 != n || $2 != 0 || $3 != i || $9 != kind || $13 != 4 * i { print; bad = 1 } END { exit bad }' \
	rec.rows >bad.rows || fail "other accesses than the kernel makes: $(head -2 bad.rows)"
expect "rows" "$(wc -l <rec.rows)" 192000
offline verify rec >verify.out || fail "verify finds: $(cat verify.out)"
grep -qx whole verify.out || fail "verify says $(cat verify.out)"

# rm, and merge of both; rows of other commands' results are those of these launches.
offline rm --keep --launches 7,1400.. -o part rec >rm.out || fail "rm fails: $(cat rm.out)"
accesses_of part | cut -d, -f1-10,13- >part.rows
awk -F, '$1 == 7 || $1 >= 1400' rec.rows | cut -d, -f1-10,13- | cmp - part.rows || fail "rm keeps other accesses"
offline merge -o both rec part >merge.out || fail "merge fails: $(cat merge.out)"
accesses_of both | cut -d, -f1-10,13- >both.rows
{ cut -d, -f1-10,13- rec.rows; awk -F, 'BEGIN { OFS = FS } { $1 += 1500; print }' part.rows; } |
	cmp - both.rows || fail "merge makes other accesses"
for dir in part both; do
	[ ! -e $dir/launch-000000.wll ] || fail "$dir has files of single launches"
	offline verify $dir >verify.out || fail "verify of $dir finds: $(cat verify.out)"
done

# A launch in the middle is replayed as the first one is, and exported.
for n in 0 1300; do
	offline reorder --launch $n -o order.$n rec || fail "reorder of launch $n fails"
	offline export --launch $n -o list.$n rec || fail "export of launch $n fails"
done
cmp order.0 order.1300 || fail "another order of launch 1300"
cmp list.0 list.1300 || fail "another list of launch 1300"
offline export -o list rec || fail "export fails"
expect "exported" "$(wc -l <list)" 192000
offline import --format din -o list.data list >import.out || fail "import fails: $(cat import.out)"
info_of list.data
expect "imported" "$(json list.data.json accesses)" 192000

# A bit of the last bundle: its launches are lost, and named; the others are there.
offset=$(sed -n 's/.*"type":"bundle".*"offset":\([0-9]*\).*/\1/p' rec/manifest.jsonl | tail -1)
[ "$offset" -gt 0 ] || fail "there is one bundle alone"
cp -r rec bad
printf 'X' | dd of=bad/launches.wlb bs=1 seek=$((offset + 60)) conv=notrunc 2>/dev/null
status=0
offline verify bad >verify.out || status=$?
expect "the status of verify" "$status" 1
grep -q "launches.wlb: offset $offset: bundle: its checksum is wrong" verify.out ||
	fail "verify does not say what is damaged: $(cat verify.out)"
info_of bad
[ "$info_status" != 0 ] || fail "info calls a damaged recording complete"
left=$(json bad.json launches_traced)
{ [ "$left" -gt 0 ] && [ "$left" -lt 1500 ]; } || fail "$left launches are left"
offline dump bad --format csv 2>/dev/null | sed 1d >bad.rows || true
head -$((128 * left)) rec.rows | cmp - bad.rows || fail "other accesses beside a damaged bundle"

# Killed while it waits for each launch: all that it has waited for are there.
# shellcheck disable=SC2016 # the inner shell expands it
"$warpline" record -q -o killed -- sh -c 'echo $$ >pid; exec "$0" "$@"' \
	"$apps/many" --input finish --size 10000000 >out 2>err &
record=$!
rounds=0
until [ "$(cat killed/launches.wlb killed/open.wlb 2>/dev/null | wc -c)" -ge 60000 ]; do
	rounds=$((rounds + 1))
	[ "$rounds" -lt 600 ] || { kill -9 "$(cat pid)"; fail "nothing was written: $(ls -l killed)"; }
	sleep 0.1
done
kill -9 "$(cat pid)"
wait "$record" || true
info_of killed
expect "the status of info" "$info_status" 3
seen=$(json killed.json launches_seen)
traced=$(json killed.json launches_traced)
{ [ "$traced" -ge 10 ] && [ $((seen - traced)) -le 1 ]; } || fail "$traced of $seen launches"
status=0
offline verify killed >verify.out || status=$?
expect "the status of verify" "$status" 3
offline dump killed --format csv 2>/dev/null | sed 1d | cut -d, -f1 | uniq -c >killed.counts || true
expect "launches that are whole" "$(awk '$1 == 128 && $2 == NR - 1' killed.counts | wc -l)" "$traced"
passed
