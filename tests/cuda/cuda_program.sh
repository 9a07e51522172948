#!/bin/sh
# cuda_program.sh NAME: the program made of NAME.cu (and NAME_more.cu or .hpp), recorded at both levels.
#
# It ends with 0 each time, so its results are right; it prints what NAME.cu says it prints ("// prints:"
# on the standard output, "// says:" on the other); its accesses are those that cuda_expect_*.c computes: at
# the source's level, and at the default level, where they are the same in most programs. "// level:" says of
# the others why they are not; then that recording must be as complete.
# "// refused:" says why a launch is refused, which its recording then lacks.
# "// record:" has options of `warpline record`. One with shared memory is recorded as users record it, too. Then it is replayed; "// reports:" is what `report` shows.
. "$SOURCE_DIR/tests/e2e/lib.sh"

# What is instrumented here is of no use to the user's cache.
export WARPLINE_CACHE=off
# What is computed is global memory, but for options.
export WARPLINE_SPACES=global

name=$1
program=$BUILD_DIR/tests/cuda/programs/$name
source=$SOURCE_DIR/tests/cuda/$name.cu
more=$SOURCE_DIR/tests/cuda/${name}_more.cu
[ -e "$more" ] || more=$SOURCE_DIR/tests/cuda/${name}_more.hpp
[ -e "$more" ] || more=

# said WORD FILE: each line of NAME.cu that begins with "// WORD: " is somewhere in FILE.
said() {
	sed -n "s|^// $1: ||p" "$source" >"$1"
	while IFS= read -r text; do
		grep -qF -- "$text" "$2" || fail "$2 does not say '$text'"
	done <"$1"
}

use_device pocl
options=$(sed -n 's|^// record: ||p' "$source")
differs=$(sed -n 's|^// level: ||p' "$source")
for level in source gpu; do
	[ $level = source ] || unset WARPLINE_OPT
	status=0
	# shellcheck disable=SC2086 # a list of words
	timeout -k 5 400 "$warpline" record $options -o $level -- "$program" >$level.out 2>$level.err || status=$?
	[ $status -eq 0 ] || fail "$level: it ends with $status: $(tail -n 5 $level.err)"
	said prints $level.out
	said says $level.err
	[ $level = source ] || [ -z "$differs" ] || continue
	status=0
	# shellcheck disable=SC2086 # none or one
	"$BUILD_DIR/tests/cuda_expect" $level $level.out "$source" $more >$level.differences || status=$?
	[ $status -eq 0 ] || fail "$level: $(head -n 20 $level.differences)"
done
info_of source
complete=$info_status
if [ "$differs" ]; then
	info_of gpu
	expect "status of info at the default level" $info_status "$complete"
	offline verify gpu >verify.out 2>&1 || fail "verify: $(tail -n 3 verify.out)"
fi
if [ -z "$options" ] && grep -q __shared__ "$source"; then
	(unset WARPLINE_SPACES WARPLINE_OPT && "$warpline" record -o sample -- "$program") >sample.out 2>sample.err ||
		fail "with shared memory it ends with $?: $(tail -n 5 sample.err)"
	info_of sample
	expect "status of info with shared memory" $info_status "$complete"
	offline verify sample >verify.out 2>&1 || fail "verify: $(tail -n 3 verify.out)"
fi
lacks=0
if grep -q '^// refused:' "$source"; then lacks=3; fi
for command in replay "report --annotate"; do
	status=0
	# shellcheck disable=SC2086 # words
	offline $command source >${command%% *}.out 2>${command%% *}.err || status=$?
	expect "the status of $command" $status $lacks
done
said reports report.out
passed
