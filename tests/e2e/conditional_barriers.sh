#!/bin/sh
# conditional_barriers.sh: kernels with barriers under conditions give their own results when they
# are recorded, and POCL, which loops over work-items between barriers, records what Oclgrind does.
. "$SOURCE_DIR/tests/e2e/lib.sh"
kernels=$SOURCE_DIR/tests/e2e/conditional_barriers.cl
count=$(grep -c '^// run:' "$kernels")

for device in oclgrind pocl; do
	use_device $device
	timeout 240 "$BUILD_DIR/tests/run_kernels" "$kernels" >$device.native ||
		fail "the kernels do not run on $device"
	status=0
	timeout 480 "$warpline" record -o $device -- \
		"$BUILD_DIR/tests/run_kernels" "$kernels" >$device.out 2>$device.err || status=$?
	expect "the exit status on $device" "$status" 0
	diff $device.native $device.out >diff.out ||
		fail "another result on $device: $(head -4 diff.out)"
	info_of $device
	expect "kernels with probes on $device" \
		"$(json $device.json 'kernels.*.door' | grep -cx text)" "$count"
	expect "launches recorded on $device" "$(json $device.json launches_traced)" "$count"
	expect "completeness on $device" "$info_status" 0
	# Work-items are sorted, each one's accesses stay in order; the buffer and the offset stay.
	accesses_of $device | sort -s -t, -k1,1n -k2,2n -k5,5n -k4,4n -k3,3n |
		cut -d, -f1-10,12- >$device.accesses
done
cmp oclgrind.native pocl.native || fail "the devices do not agree without us"
diff oclgrind.accesses pocl.accesses >diff.out || fail "the recordings differ: $(head -4 diff.out)"
passed
