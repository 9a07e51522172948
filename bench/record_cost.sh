#!/bin/sh
# What recording costs the device, and the file: record_cost.sh prints a table in Markdown.
#
# A row for each way of recording: kernel time by the device's clock (of the whole program's
# launches, slices added up; the best of REPEAT repetitions), the ratio to the native time beside it,
# end to end the same by the host's clock, which contains draining, packing and writing the file;
# bytes for each access that the device wrote, and on disk. Medians of RUNS runs (5), native and
# recorded in turn. WAYS: which of these rows (all):
#
#   count     counts only             affine    runs, and other accesses one by one (the default)
#   raw       every access alone      atomics   the same, an atomic for each, as published tools do
#   oclgrind  another tool's interpreter, where it ends within OCLGRIND_S seconds (60)
set -eu
cd "$(dirname "$0")/.."

build=${BUILD_DIR:-build}
runs=${RUNS:-5}
repeat=${REPEAT:-3}
ways=${WAYS:-count affine raw atomics oclgrind}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WARPLINE_CACHE="$work/cache"
mkdir -p "$WARPLINE_CACHE"

# field NAME FILE: the number behind NAME= in a program's line.
field() {
	sed -n "s/.* $1=\([0-9.]*\).*/\1/p" "$2"
}

median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# sum NAME: over the launches of the recording whose facts are in $work/info.
sum() {
	grep -o "\"$1\": *[0-9]*" "$work/info" | sed 's/.*: *//' | awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# The same of the best repetition, in milliseconds from nanoseconds.
best_ms() {
	grep -o "\"$1\": *[0-9]*" "$work/info" | sed 's/.*: *//' | awk -v r="$repeat" '
		{ ns[NR] = $1 }
		END {
			per = NR / r
			for (i = 1; i <= NR; i++) {
				sum += ns[i]
				if (i % per == 0) {
					if (!best || sum < best) best = sum
					sum = 0
				}
			}
			print best / 1e6
		}'
}

native() {
	"$build/apps/$app" --repeat "$repeat" "$@" >"$work/out"
	field device_ms "$work/out" >>"$work/native.device"
	field kernel_ms "$work/out" >>"$work/native.host"
}

# recorded WAY ARGUMENT...
recorded() {
	way=$1
	shift
	rm -rf "$work/rec"
	records=$way
	atomics=0
	[ "$way" != atomics ] || { records=raw; atomics=1; }
	WARPLINE_ATOMICS=$atomics "$build/warpline" record --records "$records" -o "$work/rec" -- \
		"$build/apps/$app" --repeat "$repeat" "$@" >"$work/out" 2>"$work/err"
	"$build/warpline" info "$work/rec" --json - >"$work/info"
	field kernel_ms "$work/out" >>"$work/$way.host"
	best_ms device_ns >>"$work/$way.device"
	sum device_bytes >"$work/$way.bytes"
	"$build/tests/json_get" "$work/info" accesses >"$work/$way.accesses"
	"$build/tests/json_get" "$work/info" file_bytes >"$work/$way.disk"
}

row() {
	awk -v app="$title" -v way="$1" -v native="$(median "$work/native.device")" \
		-v host="$(median "$work/native.host")" -v device="$(median "$work/$1.device")" \
		-v all="$(median "$work/$1.host")" -v bytes="$(cat "$work/$1.bytes")" \
		-v disk="$(cat "$work/$1.disk")" -v n="$(cat "$work/$1.accesses")" 'BEGIN {
		if (way == "count") disk = 0
		printf "| %s | %s | %.1f | %.2f | %.1f | %.1f | %.4f | %.4f |\n", app, way, device,
			device / native, all, all / host, bytes / n, disk / n
	}'
}

# Oclgrind interprets; its time by the host's clock against the native time by the same.
oclgrind_row() {
	[ -e /usr/lib/oclgrind/liboclgrind-rt-icd.so ] || return 0
	mkdir -p "$work/vendors"
	echo /usr/lib/oclgrind/liboclgrind-rt-icd.so >"$work/vendors/oclgrind.icd"
	if OCL_ICD_VENDORS="$work/vendors" timeout "${OCLGRIND_S:-60}" \
		"$build/apps/$app" "$@" >"$work/out" 2>/dev/null; then
		awk -v app="$title" -v host="$(median "$work/native.host")" \
			-v all="$(field kernel_ms "$work/out")" 'BEGIN {
			printf "| %s | oclgrind | | | %.1f | %.1f | | |\n", app, all, all / host
		}'
	else
		echo "| $title | oclgrind | | | not done in ${OCLGRIND_S:-60} s | | | |"
	fi
}

case_rows() {
	app=$1
	title="$*"
	shift
	rm -f "$work"/*.device "$work"/*.host "$work"/*.accesses
	for _ in $(seq "$runs"); do
		native "$@"
		for each in $ways; do
			case $each in
			atomics | oclgrind) ;; # once is enough
			*) recorded "$each" "$@" ;;
			esac
		done
	done
	case $ways in *atomics*) recorded atomics "$@" ;; esac
	awk -v app="$title" -v n="$(cat "$work"/*.accesses | head -n 1)" -v r="$repeat" \
		-v device="$(median "$work/native.device")" -v host="$(median "$work/native.host")" \
		'BEGIN { printf "| %s, %.0f accesses | native | %.1f | 1 | %.1f | 1 | | |\n", app,
			n / r, device, host }'
	for each in $ways; do
		case $each in
		oclgrind) oclgrind_row "$@" ;;
		*) row "$each" ;;
		esac
	done
}

echo "| program | recorded | device ms | ratio | end to end ms | ratio | device bytes an access | disk |"
echo "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
if [ $# -gt 0 ]; then
	case_rows "$@"
	exit
fi
case_rows matmul --size 256
case_rows matmul --size 512
case_rows gather --size 1048576
case_rows stencil --size 512
case_rows reduce --size 16777216
case_rows bfs --size 1048576
case_rows histogram --size 4194304
