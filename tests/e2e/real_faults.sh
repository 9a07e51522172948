#!/bin/sh
# real_faults.sh PROGRAM: the recorder in a real program on POCL, of whose calls one fails: the first
# of each function, and of all of them every so many (REAL_FAULTS=all: each). The program's output
# and status stay what they are without us, unless the call that failed was its own; the recording
# is readable, and says that it is complete only when it is.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
program=$BUILD_DIR/behaviours/$1
most=${REAL_FAULTS:-40}
# So little that slices are undone and run again.
export WARPLINE_BUFFER=4k

# run: under both libraries; TMPDIR is its own, so that what is left there shows.
run() {
	rm -rf recording cache tmp failed
	mkdir cache tmp
	status=0
	env LD_PRELOAD="$BUILD_DIR/libwarpline.so $BUILD_DIR/tests/libreal_faults.so" \
		WARPLINE_DIR="$work/recording" WARPLINE_CACHE="$work/cache" TMPDIR="$work/tmp" \
		WARPLINE_INSTRUMENT="$BUILD_DIR/warpline-instrument" "$@" \
		timeout 240 "$program" >out 2>err || status=$?
}

want=0
timeout 240 "$program" >native.out 2>native.err || want=$?
[ "$want" = 0 ] || { cat native.err; rm -rf "$work"; exit 77; }
run REAL_FAULTS_LOG="$work/calls"
expect "the status" "$status" 0
diff native.out out >/dev/null || fail "another output: $(head -4 out)"
info_of recording
traced=$(json recording.json launches_traced)
[ "$traced" -gt 0 ] || fail "nothing is recorded"

awk -v most="$most" '{ names[NR - 1] = $1 }
	END {
		step = most == "all" ? 1 : int(NR / most) + 1
		for (i = 0; i < NR; i++)
			if (!seen[names[i]]++ || i % step == 0)
				print i
	}' calls >points

for point in $(cat points); do
	run REAL_FAULTS_AT="$point" REAL_FAULTS_LOG="$work/failed"
	failed=$(cat failed 2>/dev/null || true)
	if [ "$status" = 1 ] && [ "$failed" != clEnqueueNDRangeKernel ] &&
		grep -q "^$failed: error" err; then
		continue # its own call failed, and it said so
	fi
	[ "$status" = 0 ] || fail "call $point, $failed: the status is $status: $(cat err)"
	diff native.out out >/dev/null || fail "call $point, $failed: another output"
	[ -z "$(ls tmp)" ] || fail "call $point, $failed: this is left: $(ls tmp)"
	[ -s recording/manifest.jsonl ] || continue
	info_of recording
	[ "$(json recording.json complete)" = false ] ||
		expect "call $point, $failed: launches recorded" \
			"$(json recording.json launches_traced)" "$traced"
done
echo "$(wc -l <points) of $(wc -l <calls) calls of $(sort -u calls | wc -l) functions failed"
passed
