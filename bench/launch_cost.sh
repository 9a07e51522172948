#!/bin/sh
# What a small launch costs that is recorded: launch_cost.sh prints a table in Markdown, and what
# becomes of MANY (1000000) launches; it fails when one of them is missing, or `info` takes a second of
# processor time.
#
# Microseconds for a launch of LAUNCHES (20000) by the host's clock, native and recorded in turn,
# medians of RUNS runs (5). The program waits after each launch (finish, read), or after a thousand
# (flood); in the rows of walk its kernel has a loop over data.
set -eu
cd "$(dirname "$0")/.."

build=${BUILD_DIR:-build}
runs=${RUNS:-5}
launches=${LAUNCHES:-20000}
many=${MANY:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# us FILE: microseconds for a launch, from the program's line.
us() {
	sed -n 's/.* kernel_ms=\([0-9.]*\).*/\1/p' "$1" | awk -v n="$launches" '{ print $1 * 1000 / n }'
}

median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

record() {
	rm -rf "$work/r"
	"$build/warpline" record -q -o "$work/r" "$build/apps/many" "$@"
}

echo "| program | native | recorded | more |"
echo "| --- | ---: | ---: | ---: |"
for input in flood finish read walk-flood walk-finish; do
	: >"$work/native"
	: >"$work/recorded"
	i=0
	while [ $i -lt "$runs" ]; do
		"$build/apps/many" --input $input --size "$launches" >"$work/out"
		us "$work/out" >>"$work/native"
		record --input $input --size "$launches" >"$work/out" 2>/dev/null
		us "$work/out" >>"$work/recorded"
		i=$((i + 1))
	done
	echo "$input $(median "$work/native") $(median "$work/recorded")" |
		awk '{ printf "| %s | %.1f | %.1f | %.1f |\n", $1, $2, $3, $3 - $2 }'
done

record --size "$many" >/dev/null 2>&1
# Processor time: others on the machine do not count.
seconds=$( ("$build/warpline" info "$work/r" >"$work/info"; times) | tail -n 1 | tr 'ms' '  ' |
	awk '{ print 60 * ($1 + $3) + $2 + $4 }')
traced=$(sed -n 's/^launches .* seen, \([0-9,]*\) recorded.*/\1/p' "$work/info" | tr -d ,)
echo
echo "$traced of $many launches recorded, $(find "$work/r" -type f | wc -l) files," \
	"$(du -sb "$work/r" | cut -f 1) bytes, info $seconds s"
[ "$traced" = "$many" ] && awk -v s="$seconds" 'BEGIN { exit !(s < 1) }'
