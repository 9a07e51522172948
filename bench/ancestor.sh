#!/bin/sh
# The experiments of Crawford 2014, chapter 8, on a GTX 480 with 16 KB of L1: every configuration
# of Table 8.1, then the stencil, beside what was published. ancestor.sh [--csv] [KERNEL]...
#
# published: the miss rate that the hardware's counters gave. For the matrix product the text
# gives "6%" up to 60 groups and "almost 12%", at most 11.7%, beyond; the ancestor's model stayed
# at 6%, 5.3 points off, and gave 46.9% for the stencil. Its matrix products end at 25600 elements.
set -eu
cd "$(dirname "$0")/.."

build=${BUILD_DIR:-build}
csv=false
[ "${1:-}" = --csv ] && { csv=true; shift; }
[ $# -gt 0 ] || set -- transpose matmul stencil

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

print_row() {
	if $csv; then
		echo "$1,$2,$3,$4,$5,$6,$7,$8,$9,${10}"
	else
		printf '%-10s %-8s %6s %8s %8s %11s %10s %11s %7s %9s\n' "$@"
	fi
}

value() {
	"$build/tests/json_get" "$work/replay.json" "$1"
}

# The SM with most read requests: groups, read requests, misses.
fullest_sm() {
	for key in groups reads read_misses; do
		value "launches.0.sms.*.$key" >"$work/$key"
	done
	paste -d " " "$work/groups" "$work/reads" "$work/read_misses" | sort -s -k 2,2nr | head -n 1
}

# row KERNEL CONFIGURATION PUBLISHED OPTION...
row() {
	kernel=$1 configuration=$2 published=$3
	shift 3
	"$build/warpline" record -o "$work/rec" -- "$build/apps/$kernel" "$@" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2; exit 1; }
	"$build/warpline" replay "$work/rec" --gpu gtx480 --l1 16k --json "$work/replay.json" \
		>/dev/null
	rm -rf "$work/rec"
	groups=$(value "launches.0.sms.*.groups" | awk '{ s += $1 } END { print s }')
	rate=$(value launches.0.l1.miss_rate | awk '{ printf "%.1f%%", 100 * $1 }')
	# shellcheck disable=SC2046 # three words
	print_row "$kernel" "$configuration" "$groups" "$(value launches.0.l1.reads)" \
		"$(value launches.0.l1.read_misses)" $(fullest_sm) "$rate" "$published"
}

print_row kernel sizes groups reads misses "groups (SM)" "reads (SM)" "misses (SM)" rate published

for kernel in "$@"; do
	case $kernel in
	transpose)
		for c in 16x2 16x3 16x4 32x2 16x5 16x6 32x3 16x7 16x8 32x4 16x9 16x10 32x5 16x16 \
			32x10; do
			group=${c%x*} count=${c#*x}
			row transpose "$c" "100%" --size $((group * count)) --group "${group}x$group"
		done
		;;
	matmul)
		for c in 16x2 16x3 16x4 32x2 16x5 16x6 32x3 16x7 16x8 32x4 16x9 16x10 32x5; do
			group=${c%x*} count=${c#*x} published="6%"
			[ $((count * count)) -le 60 ] || published="12%"
			row matmul "$c" "$published" --size $((group * count)) \
				--group "${group}x$group"
		done
		;;
	stencil) row stencil 64x1x1 "48.8%" --size 128 --group 64x1x1 ;;
	*) echo "ancestor.sh: '$kernel' is none of transpose, matmul, stencil" >&2; exit 2 ;;
	esac
done
