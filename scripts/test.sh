#!/bin/sh
# Install, build twice (release, and with AddressSanitizer and UBSan), and run every test once. Tests of our own
# processes run with sanitizers, tests that compile or run other programs run in the release build, and
# tests/behaviours runs in both. Tests of threads (the recorder on a mock driver, the scheduler) also run with
# ThreadSanitizer. ALL_TESTS=1 runs every test in both builds.
# All builds' tests are one run of ctest, so that its summary, the last lines, speaks for all.
#
# It ends: every test has a limit of its own, and TEST_MINUTES (84) after the start all are stopped.
set -eu
cd "$(dirname "$0")/.."
stop=$(($(date +%s) + ${TEST_MINUTES:-84} * 60))

scripts/install-deps.sh build test
# Large programs, without which some tests of tests/real are skipped: they come while we compile.
mkdir -p build
scripts/install-deps.sh real >build/install-real.log 2>&1 &
installing=$!
builds="release:build asan:build-asan"
# Tests that are left out: those that run only with sanitizers, then those that run only without.
elsewhere='^(unit|golden|passes|ptx|ptx-door|affine|fuzz-corpus|manual|schema)/|^asan/(e2e|kernels|device|cuda-calls)/'
units=
if [ -n "${ALL_TESTS:-}" ]; then
	elsewhere='^$' units=unit_tests
fi
all=build/all-tests
mkdir -p $all
: >$all/CTestTestfile.cmake
for pair in $builds; do
	# shellcheck disable=SC2086 # none or one
	scripts/build.sh "${pair%%:*}" all tests/all $units
	echo "subdirs(\"$PWD/${pair##*:}\")" >>$all/CTestTestfile.cmake
done

threaded="threads_on_mock gpu_threads released_on_mock launch_on_mock sm_crew later_answers"
# shellcheck disable=SC2046 # words
scripts/build.sh tsan $(printf 'test_%s ' $threaded)
for test in $threaded; do
	echo "add_test(tsan/$test \"$PWD/build-tsan/tests/test_$test\")" >>$all/CTestTestfile.cmake
	echo "set_tests_properties(tsan/$test PROPERTIES COST 25 TIMEOUT 300)" >>$all/CTestTestfile.cmake
done

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
	-E "$elsewhere" --stop-time "$(date -d "@$stop" +%H:%M:%S)" "$@" || status=$?
# Tests that had no time left are not in the summary.
if [ "$(date +%s)" -ge "$stop" ]; then
	echo "test.sh: stopped after ${TEST_MINUTES:-84} minutes; not all tests have run" >&2
	status=1
fi
exit $status
