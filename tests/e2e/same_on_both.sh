#!/bin/sh
# same_on_both.sh APP ARG...: POCL and Oclgrind give the same recording, addresses aside.
. "$SOURCE_DIR/tests/e2e/lib.sh"

app=$1
shift
use_device oclgrind
record oclgrind "$apps/$app" "$@"
expect "the exit status on Oclgrind" "$status" 0
use_device pocl
record pocl "$apps/$app" "$@"
expect "the exit status on POCL" "$status" 0
for device in pocl oclgrind; do
	offline dump $device --format json >$device.dump
done
passed
