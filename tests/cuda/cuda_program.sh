#!/bin/sh
# cuda_program.sh NAME: the program made of NAME.cu (and NAME_more.cu), recorded by both doors.
#
# It ends with 0 each time, so its results are right; it prints what NAME.cu says it prints ("// prints:"
# on the standard output, "// says:" on the other); the launches are recorded by the door that was asked
# for, and their accesses are those that cuda_expect_*.c computes. "// record:" has options of `warpline
# record` for it. Then it is replayed.
. "$SOURCE_DIR/tests/e2e/lib.sh"

# What is instrumented here is of no use to the user's cache.
export WARPLINE_CACHE=off

name=$1
program=$BUILD_DIR/tests/cuda/programs/$name
source=$SOURCE_DIR/tests/cuda/$name.cu
more=$SOURCE_DIR/tests/cuda/${name}_more.cu
[ -e "$more" ] || more=
[ -x "$program" ] || { echo "there was no clang-14 to compile it"; exit 77; }

# said WORD FILE: each line of NAME.cu that begins with "// WORD: " is somewhere in FILE.
said() {
	sed -n "s|^// $1: ||p" "$source" >"$1"
	while IFS= read -r text; do
		grep -qF -- "$text" "$2" || fail "$2 does not say '$text'"
	done <"$1"
}

use_device pocl
options=$(sed -n 's|^// record: ||p' "$source")
for door in spir text; do
	status=0
	# shellcheck disable=SC2086 # a list of words
	timeout -k 5 100 "$warpline" record --door $door $options -o $door -- "$program" >$door.out \
		2>$door.err || status=$?
	[ $status -eq 0 ] || fail "$door: it ends with $status: $(tail -n 5 $door.err)"
	said prints $door.out
	said says $door.err
	"$BUILD_DIR/tests/recording_compare" $door | cut -d' ' -f2 | sort -u >doors
	expect "doors of the kernels" "$(cat doors)" $door
	status=0
	# shellcheck disable=SC2086 # none or one
	"$BUILD_DIR/tests/cuda_expect" $door $door.out "$source" $more >$door.differences || status=$?
	[ $status -eq 0 ] || fail "$door: $(head -n 20 $door.differences)"
done
offline replay spir >replay.out 2>replay.err || fail "replay: $(tail -n 3 replay.err)"
passed
