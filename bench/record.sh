#!/bin/sh
# What recording costs: record.sh prints a table in Markdown, medians of five runs each.
# Times are kernel_ms of the program: the host's clock around launch and finish, best of three
# launches. For the recorded run they contain the probes and the draining to the file.
set -eu
cd "$(dirname "$0")/.."

build=${BUILD_DIR:-build}
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kernel_ms() {
	sed -n 's/.* kernel_ms=\([0-9.]*\).*/\1/p' "$1"
}

median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

case_row() {
	app=$1
	shift
	: >"$work/native"
	: >"$work/recorded"
	for _ in $(seq "$runs"); do
		"$build/apps/$app" --repeat 3 "$@" >"$work/out"
		kernel_ms "$work/out" >>"$work/native"
		rm -rf "$work/rec"
		"$build/warpline" record -o "$work/rec" -- "$build/apps/$app" --repeat 3 "$@" >"$work/out"
		kernel_ms "$work/out" >>"$work/recorded"
	done
	"$build/warpline" info "$work/rec" --json >"$work/info"
	# shellcheck disable=SC2046 # words
	set -- "$app $*" "$(median "$work/native")" "$(median "$work/recorded")" \
		$("$build/tests/json_get" "$work/info" accesses file_bytes)
	awk -v app="$1" -v native="$2" -v recorded="$3" -v accesses="$4" -v bytes="$5" 'BEGIN {
		printf "| %s | %d | %.1f | %.1f | %.1f | %.3f |\n", app, accesses / 3, native,
			recorded, recorded / native, bytes / accesses
	}'
}

echo "| program | accesses a launch | native ms | recorded ms | ratio | bytes an access |"
echo "| --- | ---: | ---: | ---: | ---: | ---: |"
case_row matmul --size 512
case_row gather --size 262144
