#!/bin/sh
# run_app.sh DEVICE ACCESSES LAUNCHES APP ARG...
# A recorded run of APP is its native run, bit for bit, and the recording holds every access.
# ACCESSES, to global memory, and LAUNCHES are what must be recorded; "-" where they are not known by
# hand. The recording is kept for same_on_both.sh.
. "$SOURCE_DIR/tests/e2e/lib.sh"
export WARPLINE_SPACES=global

device=$1 accesses=$2 launches=$3 app=$4
shift 4
kept=$BUILD_DIR/e2e-kept/${TEST_NAME%-"$device"}
rm -rf "${kept:?}/$device"
use_device "$device"

native_status=0
"$apps/$app" "$@" >native.out 2>native.err || native_status=$?
expect "the native exit status" $native_status 0
record rec "$apps/$app" "$@"
cat rec.err
expect "the recorded exit status" "$status" $native_status
expect "the recorded run's output" "$(untimed rec.out)" "$(untimed native.out)"

info_of rec
cat rec.json
expect "complete" "$(json rec.json complete)" true
expect "the status of info" "$info_status" 0
[ "$accesses" = - ] || expect "accesses" "$(json rec.json accesses)" "$accesses"
[ "$launches" = - ] || expect "launches_seen" "$(json rec.json launches_seen)" "$launches"
expect "launches_traced" "$(json rec.json launches_traced)" "$(json rec.json launches_seen)"
# No row of any table has more bytes used than were moved, on any GPU.
for gpu in "$SOURCE_DIR"/gpus/*.conf; do
	[ "$device" = pocl ] || break
	offline query -q --gpu "$gpu" --of sites --columns site,used_share rec 'used_share>1' >used
	expect "what uses more than moved on $gpu" "$(tail -n +2 used)" ""
done
mkdir -p "$kept"
mv rec "$kept/$device"
passed
