#!/bin/sh
# same_on_both.sh APP ARG...: POCL and Oclgrind give the same recording, addresses aside.
. "$SOURCE_DIR/tests/e2e/lib.sh"

app=$1
shift
for device in oclgrind pocl; do
	use_device $device
	record $device "$apps/$app" "$@"
	expect "the exit status on $device" "$status" 0
	# Work-items are sorted, each one's accesses stay in order; the buffer and the offset stay.
	accesses_of $device | sort -s -t, -k1,1n -k2,2n -k5,5n -k4,4n -k3,3n |
		cut -d, -f1-10,12- >$device.accesses
done
[ "$(wc -l <pocl.accesses)" -gt 1 ] || fail "the dump is empty"
diff oclgrind.accesses pocl.accesses >diff.out || fail "the recordings differ: $(head -4 diff.out)"
passed
