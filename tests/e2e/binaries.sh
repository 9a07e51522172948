#!/bin/sh
# binaries.sh: a program that keeps its binaries is traced in its second run too, as long as the
# headers are the same; SPIR bitcode of the application is traced, too.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
export WARPLINE_CACHE="$work/cache"
mkdir cache
host=$BUILD_DIR/tests/binary_host

# run DIR WANT REASON ARG...: so many launches of one are recorded; a reason where none is.
run() {
	dir=$1 want=$2 reason=$3
	shift 3
	record "$dir" "$host" "$@"
	expect "$dir: the exit status ($(cat "$dir.err"))" "$status" 0
	info_of "$dir"
	expect "$dir: launches traced" "$(json "$dir.json" launches_traced)" "$want"
	[ -z "$reason" ] || grep -q "$reason" "$dir.json" || fail "$dir: no reason is '$reason'"
}

# told DIR COLUMNS: the accesses without their addresses.
told() {
	accesses_of "$1" | cut -d, -f "$2" >"$1.told"
}

echo 'kernel void k(global int *v) { v[get_global_id(0)] += 3; }' >plain.cl
mkdir inc
cat >with.cl <<EOF
#include "inc/header.h"
kernel void k(global int *v) { v[get_global_id(0)] += N; }
EOF
echo '#define N 4' >inc/header.h

for text in plain with; do
	run "$text-first" 1 '' $text.cl $text.bin
	run "$text-second" 1 '' $text.cl $text.bin
	expect "$text: what it printed" "$(cat "$text-second.out")" "$(sed s/built/kept/ "$text-first.out")"
	told "$text-first" 1-10,12-
	told "$text-second" 1-10,12-
	diff "$text-first.told" "$text-second.told" >difference ||
		fail "$text: the second run has other accesses"
done
# From another directory: the header is where it was.
mkdir elsewhere
cd elsewhere
run away 1 '' ../with.cl ../with.bin
cd ..
# Another header: the driver runs the old binary, and so do we.
echo '#define N 5' >inc/header.h
run changed 0 'header.h has changed since the program was compiled' with.cl with.bin
expect "what it printed" "$(cat changed.out)" "$(cat with-second.out)"
# The binary is there, what was known of it is not.
for entry in cache/*-source.wlcache; do
	printf 'damage' | dd of="$entry" bs=1 seek=40 conv=notrunc 2>dd.err
done
run damaged 0 'source is not known' plain.cl plain.bin
rm -r cache
mkdir cache
run unknown 0 'source is not known' plain.cl plain.bin
export WARPLINE_CACHE=off
run off-first 1 '' plain.cl off.bin
run off-second 0 'source is not known' plain.cl off.bin

# POCL 6 takes no bitcode.
"$host" -x "$SOURCE_DIR/tests/e2e/plain_spir.bc" >spir.native 2>&1 || passed
# plain.cl, by clang-14 -x cl -cl-std=CL1.2 -target spir64 -O1 -Xclang -finclude-default-header -emit-llvm -c
run spir 1 '' -x "$SOURCE_DIR/tests/e2e/plain_spir.bc"
expect "what the SPIR program printed" "$(cat spir.out)" "$(cat plain-second.out)"
# Bitcode without debug information has no places.
told spir 1-6,9-10,12-
told plain-first 1-6,9-10,12-
diff plain-first.told spir.told >difference || fail "SPIR has other accesses"
passed
