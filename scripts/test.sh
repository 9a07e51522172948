#!/bin/sh
# Install, build twice (release, and with AddressSanitizer and UBSan), and run every test in both;
# and with ThreadSanitizer what has threads: the recorder on a driver of our own, and the scheduler.
# Fuzzers run for a minute in all (`ctest -L fuzz`).
# All builds' tests are one run of ctest, so that its summary, the last lines, speaks for all.
#
# It ends: every test has a limit of its own, and TEST_MINUTES (60) after the start all are stopped.
set -eu
cd "$(dirname "$0")/.."
stop=$(($(date +%s) + ${TEST_MINUTES:-60} * 60))

scripts/install-deps.sh build test
# Large programs, without which some tests of tests/real are skipped: they come while we compile.
mkdir -p build
scripts/install-deps.sh real >build/install-real.log 2>&1 &
installing=$!
builds="release:build asan:build-asan"
all=build/all-tests
mkdir -p $all
: >$all/CTestTestfile.cmake
for pair in $builds; do
	scripts/build.sh "${pair%%:*}" all tests/all
	echo "subdirs(\"$PWD/${pair##*:}\")" >>$all/CTestTestfile.cmake
done

threaded="threads_on_mock gpu_threads released_on_mock launch_on_mock sm_crew later_answers"
# shellcheck disable=SC2046 # words
scripts/build.sh tsan $(printf 'test_%s ' $threaded)
for test in $threaded; do
	echo "add_test(tsan/$test \"$PWD/build-tsan/tests/test_$test\")" >>$all/CTestTestfile.cmake
	echo "set_tests_properties(tsan/$test PROPERTIES COST 25 TIMEOUT 300)" >>$all/CTestTestfile.cmake
done

# The fuzzers, for six seconds each: where clang has libFuzzer.
llvm=$(scripts/llvm_version.sh)
fuzzers="launch replay manifest gpu reorder import ptx query ptx_reader fatbin"
fuzz=build-fuzz/tests
if echo 'int LLVMFuzzerTestOneInput(void *d, long n) { return !d && n; }' |
	"clang-$llvm" -fsanitize=fuzzer,address -x c -o $all/fuzzer - 2>/dev/null; then
	scripts/build.sh fuzz fuzzers
else
	fuzz=
fi
for name in $fuzzers; do
	run="echo skipped: clang-$llvm has no libFuzzer, package libclang-rt-$llvm-dev; exit 77"
	[ -z "$fuzz" ] || run="exec sh tests/fuzz/fuzz.sh $fuzz/fuzz_$name tests/fuzz/corpus/$name"
	echo "add_test(fuzz/$name sh -c \"cd '$PWD' && $run\")"
	echo "set_tests_properties(fuzz/$name PROPERTIES LABELS fuzz TIMEOUT 120 SKIP_RETURN_CODE 77)"
done >>$all/CTestTestfile.cmake

wait $installing || { cat build/install-real.log; echo "test.sh: going on without them"; }

# Kernels that POCL has compiled are kept beside the build, not in the user's home.
POCL_CACHE_DIR=$PWD/build/pocl-cache
export POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR"

# ctest knows properties by name alone: of two tests of one name both would get the last one's.
twice=$(ctest --test-dir $all -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort | uniq -d)
[ -z "$twice" ] || { echo "test.sh: names of more than one test:" $twice >&2; exit 1; }

status=0
# One more at once than there are processors: some wait for a terminal or a clock.
# Who ignores SIGPIPE would pass that on to all, whose pipes end early.
env --default-signal=PIPE ctest --test-dir $all --output-on-failure --no-tests=error -j $(($(nproc) + 1)) --timeout 480 \
	--stop-time "$(date -d "@$stop" +%H:%M:%S)" "$@" || status=$?
# Tests that had no time left are not in the summary.
if [ "$(date +%s)" -ge "$stop" ]; then
	echo "test.sh: stopped after ${TEST_MINUTES:-60} minutes; not all tests have run" >&2
	status=1
fi
exit $status
