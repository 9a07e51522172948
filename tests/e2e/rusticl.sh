#!/bin/sh
# rusticl.sh: applications recorded on Rusticl give the recordings that they give on POCL: the second device where
# there is no Oclgrind (Debian 13, package mesa-opencl-icd).
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device rusticl

# same APP ARG...
same() {
	app=$1
	shift
	for device in pocl rusticl; do
		use_device $device
		record $device "$apps/$app" "$@"
		expect "the exit status of $app on $device ($(cat $device.err))" "$status" 0
		[ $device != rusticl ] || grep -q llvmpipe rusticl/manifest.jsonl || fail "it ran on another device"
		info_of $device
		expect "launches of $app that $device left out" "$info_status" 0
	done
	offline diff pocl rusticl >difference || fail "no diff of $app"
	grep -q '^A and B are the same: no number differs' difference || fail "$app: $(head -n 3 difference)"
	rm -r pocl rusticl
}
same matmul --size 32
same transpose_tiled --size 64 # local memory and barriers
same reduce --size 4096
same histogram --size 4096 # atomics
same bfs --size 256
passed
