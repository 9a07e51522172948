#!/bin/sh
# kinds.sh DEVICE: reads, writes and atomics of global memory and barriers are counted as what they are.
. "$SOURCE_DIR/tests/e2e/lib.sh"
export WARPLINE_SPACES=global
use_device "$1"

# kinds_of APP ARG...: the number of events of each kind, in $kinds.
kinds_of() {
	app=$1
	shift
	record "$app" "$apps/$app" "$@"
	expect "the exit status of $app" "$status" 0
	kinds=$(accesses_of "$app" | awk -F, '{ n[$9]++ }
		END { for (k in n) print k "=" n[k] }' | sort | tr '\n' ' ')
}

kinds_of histogram --size 512
expect "histogram" "$kinds" "atomic=512 read=512 "

# 16 groups and then one. A work-item passes one barrier and one in each of log2(64) rounds:
# 17 * 64 * 7. Reads and writes as in CMakeLists.txt.
kinds_of reduce --size 1000
expect "reduce" "$kinds" "barrier=7616 read=1016 write=17 "

kinds_of inplace --size 256 --repeat 3
expect "inplace" "$kinds" "read=768 write=768 "
passed
