#!/bin/bash
# replay_jobs.sh BUILD DIR [JOBS...] - how much faster replay is with several threads, and its memory.
#
# Plays the recording DIR five times with one thread and with each number of JOBS (default: 2 and
# the processors), in turns, so that all have the same neighbours; prints the medians of wall time,
# their ratio, the processor time, and the peak of resident memory. Fails when outputs differ.
set -eu
build=$(realpath "$1") dir=$2
shift 2
[ $# -gt 0 ] || set -- 2 "$(nproc)"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

for _ in 1 2 3 4 5; do
	for jobs in 1 $(printf '%s\n' "$@" | sort -nu); do
		/usr/bin/time -a -o "$tmp/$jobs" -f '%e %U %S %M' \
			"$build/warpline" replay --jobs "$jobs" --json - "$dir" >"$tmp/out-$jobs"
		cmp "$tmp/out-1" "$tmp/out-$jobs"
	done
done
median() { sort -n | sed -n 3p; }
one=$(cut -d' ' -f1 "$tmp/1" | median)
printf '%5s %9s %9s %9s %9s\n' jobs seconds speed-up cpu-s peak-KB
for jobs in 1 $(printf '%s\n' "$@" | sort -nu); do
	wall=$(cut -d' ' -f1 "$tmp/$jobs" | median)
	cpu=$(awk '{ print $2 + $3 }' "$tmp/$jobs" | median)
	peak=$(cut -d' ' -f4 "$tmp/$jobs" | sort -n | tail -1)
	awk -v j="$jobs" -v w="$wall" -v o="$one" -v c="$cpu" -v p="$peak" \
		'BEGIN { printf "%5d %9.2f %9.2f %9.2f %9d\n", j, w, o / w, c, p }'
done
