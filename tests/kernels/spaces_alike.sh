#!/bin/sh
# spaces_alike.sh DEVICE NAME...: constant and local memory too, recorded with companions and runs as
# access by access.
. "$SOURCE_DIR/tests/e2e/lib.sh"

export WARPLINE_CACHE=off

use_device "$1"
shift
for name in "$@"; do
	for records in raw affine; do
		"$warpline" record --spaces constant,local --records $records \
			-o "$name-$records" -- "$BUILD_DIR/tests/run_kernels" \
			"$SOURCE_DIR/tests/kernels/$name.cl" >out 2>err ||
			fail "$name, $records: $(tail -n 3 err)"
	done
	"$BUILD_DIR/tests/recording_compare" "$name-raw" "$name-affine" >differences ||
		fail "$name: $(head -n 3 differences)"
	"$warpline" info "$name-affine" --json - >info.json
	accesses=$(json info.json accesses)
	[ "$accesses" -gt 1000 ] || fail "$name: hardly any accesses"
done
passed
