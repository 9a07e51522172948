#!/bin/sh
# same_on_both.sh: what run_app.sh recorded on POCL and on Oclgrind is the same, addresses aside.
. "$SOURCE_DIR/tests/e2e/lib.sh"

kept=$BUILD_DIR/e2e-kept/${TEST_NAME%-same-on-both}
[ -d "$kept/oclgrind" ] || { echo "there is no other device"; exit 77; }
for device in oclgrind pocl; do
	mv "$kept/$device" $device
	# Work-items are sorted, each one's accesses stay in order; the buffer and the offset stay.
	accesses_of $device | sort -s -t, -k1,1n -k2,2n -k5,5n -k4,4n -k3,3n |
		cut -d, -f1-10,12- >$device.accesses
done
[ "$(wc -l <pocl.accesses)" -gt 1 ] || fail "the dump is empty"
diff oclgrind.accesses pocl.accesses >diff.out || fail "the recordings differ: $(head -4 diff.out)"
passed
