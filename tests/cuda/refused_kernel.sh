#!/bin/sh
# refused_kernel.sh: a launch that our CUDA libraries refuse, and a GPU would run, is counted as missing
# from the recording, by the kernel's name; the program's other launches are recorded.
. "$SOURCE_DIR/tests/e2e/lib.sh"

cp "$SOURCE_DIR/tests/cuda/refused_kernel.cu_refused" refused.cu
"$warpline" nvcc -o refused refused.cu >out 2>err || fail "it was not compiled: see err"
record refused.data ./refused
expect "the status of the program" "$status" 0
grep -qx 'recursive: invalid device function' refused.data.out || fail "the launch was not refused: see refused.data.out"
grep -qx 'increment: no error, 1' refused.data.out || fail "the other kernel did not run: see refused.data.out"
status=0
offline info refused.data >info.out 2>info.err || status=$?
expect "the status of info" "$status" 3
grep -q 'launches  2 seen, 1 recorded' info.out || fail "the launches are not counted: see info.out"
grep -q 'kernel _Z9recursivePi cannot run: refused.cu:[0-9]*: a call of _Z9fibonacciiPi, which calls itself' info.out ||
	fail "the kernel is not named: see info.out"
passed
