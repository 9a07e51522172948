#!/bin/sh
# How fast recordings are played: replay_speed.sh [GPU] records our programs, makes the ancestor's
# stencil of 3.8 million accesses from what `dump --format ancestor` prints, and measures all with
# bench/replay_speed (scripts/build.sh release all measures), a table in Markdown. With perf: where the time goes, the five first functions.
set -eu
cd "$(dirname "$0")/.."

build=${BUILD_DIR:-build}
runs=${RUNS:-5}
gpu=gpus/${1:-gtx480}.conf
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

record() {
	name=$1
	shift
	"$build/warpline" record -o "$work/$name" -- "$@" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2; exit 1; }
}

record matmul-512 "$build/apps/matmul" --size 512 --group 16x16
record stencil-128 "$build/apps/stencil" --size 128 --group 64x1x1
record bfs "$build/apps/bfs" --size 1048576
record gather "$build/apps/gather" --size 262144
record reduce "$build/apps/reduce"
"$build/warpline" dump "$work/stencil-128" --launch 0 --format ancestor >"$work/stencil.txt"
"$build/warpline" import --format ancestor "$work/stencil.txt" -o "$work/stencil-ancestor" >/dev/null
set -- matmul-512 stencil-128 stencil-ancestor bfs gather reduce

dirs=
for name in "$@"; do
	dirs="$dirs $work/$name"
done
# shellcheck disable=SC2086 # many words
"$build/bench/replay_speed" "$gpu" "$runs" $dirs

command -v perf >/dev/null || exit 0
for name in "$@"; do
	perf record -q -o "$work/perf" "$build/bench/replay_speed" "$gpu" 3 "$work/$name" \
		>/dev/null 2>&1 || exit 0
	printf '\n%s: ' "$name"
	perf report -i "$work/perf" --stdio 2>/dev/null |
		awk '$1 ~ /%$/ && $NF != "count_misses" && n < 6 { printf "%s%s %s", n++ ? ", " : "", $NF, $1 }'
	echo
done
