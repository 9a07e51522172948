#!/bin/sh
# How near the model comes to measured GPUs: validate.sh [-o DIR] [gtx480|latency|l2]...
#
# Records what is needed on this machine's OpenCL device, replays it, compares with the published
# numbers in bench/published, and prints the tables of docs/validation.md. DIR (build/validation)
# keeps them as CSV, and as pictures where gnuplot is installed. A few minutes. Needs a build: scripts/build.sh.
set -eu
cd "$(dirname "$0")/.."

build=${BUILD_DIR:-build}
out=$build/validation
[ "${1:-}" = -o ] && { out=$2; shift 2; }
[ $# -gt 0 ] || set -- gtx480 latency
warpline=$build/warpline
published=bench/published

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# record NAME APP ARGUMENT...: once
record() {
	name=$1 app=$2
	shift 2
	[ ! -d "$work/$name" ] || return 0
	"$warpline" record -q -o "$work/$name" -- "$build/apps/$app" "$@" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2; exit 1; }
}

# replay NAME OPTION...: $work/replay.json
replay() {
	name=$1
	shift
	"$warpline" replay "$work/$name" "$@" --json "$work/replay.json" >/dev/null
}

# values PATH...: on one line
values() {
	for path in "$@"; do
		"$build/tests/json_get" "$work/replay.json" "$path"
	done | tr '\n' ' '
}

rows() { # FILE PREFIX: of a published table
	grep "^$2" "$published/$1"
}

# --- The ancestor's GTX 480 ---

# assumptions: NAME|OPTIONS
gtx480_sets() {
	cat <<-END
	gtx480.conf|
	fermi index|--index fermi
	modulo index|--index modulo
	END
}

# The SMs with as many groups as any, as the profiled one had: its number of reads says so.
full_sms() {
	for key in groups reads read_misses; do
		"$build/tests/json_get" "$work/replay.json" "launches.0.sms.*.$key" >"$work/$key"
	done
	paste -d ' ' "$work/groups" "$work/reads" "$work/read_misses" | sort -k 1,1nr |
		awk 'NR == 1 { most = $1 } $1 == most { r += $2; m += $3 } END { printf "%.2f", 100 * m / r }'
}

gtx480() {
	rows gtx480.csv '[mst]' | grep -v ^kernel >"$work/points"
	while IFS=, read -r kernel size groups rate; do
		group=16x16
		[ "$kernel" = stencil ] && group=64x1x1
		record "$kernel-$size" "$kernel" --size "$size" --group $group
	done <"$work/points"
	echo "set,kernel,groups,published,all_sms,full_sms" >"$out/gtx480.csv"
	gtx480_sets | while IFS='|' read -r set options; do
		while IFS=, read -r kernel size groups rate; do
			# shellcheck disable=SC2086 # words
			replay "$kernel-$size" --gpu gtx480 --l1 16k $options
			all=$(values launches.0.l1.miss_rate | awk '{ printf "%.2f", 100 * $1 }')
			echo "$set,$kernel,$groups,$rate,$all,$(full_sms)"
		done <"$work/points"
	done >>"$out/gtx480.csv"
	print_gtx480
}

print_gtx480() {
	printf '\nGTX 480, 16 KB of L1: miss rate of reads in percent\n\n'
	for column in 5 6; do
		[ $column = 5 ] && echo "All SMs:" || echo "The SMs with most groups:"
		awk -F, -v column=$column '
			NR == 1 { next }
			!($1 in sum) { order[++sets] = $1 }
			{ d = $column - $4; if (d < 0) d = -d
			  sum[$1] += d; n[$1]++; if (d > max[$1]) max[$1] = d
			  text[$1] = text[$1] sprintf(" %6.1f", $column)
			  if (sets == 1) { head = head sprintf(" %6s", $3); hardware = hardware sprintf(" %6.1f", $4) } }
			END {
				printf "%-24s%s   mean    max\n", "groups", head
				printf "%-24s%s\n", "hardware", hardware
				for (i = 1; i <= sets; i++) { s = order[i]; printf "%-24s%s %6.2f %6.2f\n", s, text[s], sum[s] / n[s], max[s] } }
		' "$out/gtx480.csv"
		echo
	done
}

# --- Latency over footprint ---

# GPU, and the measured plateaus of L1 and L2 in cycles.
latency_gpus() {
	cat <<-END
	v100 27.9 212.1
	a100 33.0 205.6
	END
}

# GPU|CACHE|OPTIONS
latency_caches() {
	cat <<-END
	v100|4 sets of 256, LRU|--l1-sets 4 --l1-ways 256
	v100|320 sets of 3, LRU|--l1-sets 320 --l1-ways 3
	a100|4 sets of 384, LRU|--l1-sets 4 --l1-ways 384
	a100|588 sets of 2, LRU|--l1-sets 588 --l1-ways 2
	END
}

lines_of() { # FOOTPRINT in KiB
	awk -v k="$1" 'BEGIN { printf "%d", k * 8 + 0.5 }'
}

gpu_key() { # GPU KEY
	"$warpline" gpus "$1" | awk -v key="$2" '$1 == key { print $3; exit }'
}

# footprints GPU FROM TO: $work/points, each recorded.
footprints() {
	rows latency.csv "$1," | awk -F, -v from="$2" -v to="$3" '$2 >= from && $2 <= to' >"$work/points"
	while IFS=, read -r _ footprint cycles; do
		lines=$(lines_of "$footprint")
		record "chase-$lines" chase --size "$lines"
	done <"$work/points"
}

# curve GPU CACHE L1 L2 COLD OPTION...: rows of latency.csv. In the first of its rounds the chase misses
# in all caches, COLD cycles each; what the measurement shows are the rounds after it.
curve() {
	gpu=$1 cache=$2 hit=$3 miss=$4 cold=$5
	shift 5
	while IFS=, read -r _ footprint cycles; do
		lines=$(lines_of "$footprint")
		replay "chase-$lines" --gpu "$gpu" "$@"
		values launches.0.cycles launches.0.l1.reads launches.0.l1.read_hits launches.0.l1.cold |
			awk -v row="$gpu;$cache;$footprint;$lines;$cycles" -v hit="$hit" -v miss="$miss" -v cold="$cold" '{
				split(row, f, ";")
				measured = (miss - f[5]) / (miss - hit)
				measured = measured < 0 ? 0 : measured > 1 ? 1 : measured
				printf "%s;%.1f;%.2f;%.2f\n", row, ($1 - 1 - $4 * cold) / ($2 - $4), 100 * measured, 100 * $3 / ($2 - $4) }'
	done <"$work/points"
}

latency() {
	echo "gpu;cache;footprint_kib;lines;measured_cycles;model_cycles;measured_hits;model_hits" >"$out/latency.csv"
	latency_gpus | while read -r gpu hit miss; do
		footprints "$gpu" 64 256
		cold=$(($(gpu_key "$gpu" l1_hit_cycles) + $(gpu_key "$gpu" l2_cycles)))
		latency_caches | grep "^$gpu" | while IFS='|' read -r gpu cache options; do
			# shellcheck disable=SC2086 # words
			curve "$gpu" "$cache" "$hit" "$miss" "$cold" $options
		done >>"$out/latency.csv"
		latency_fit "$gpu" "$hit" "$miss"
	done
	print_latency
}

# All LRU caches of up to 8 ways, by their error on every second footprint; the best ones with the
# error on the other half, that they were not chosen by.
latency_fit() {
	while IFS=, read -r _ footprint cycles; do
		lines=$(lines_of "$footprint")
		"$warpline" sweep "$work/chase-$lines" --gpu "$gpu" --line 128 --index modulo \
			--l1-sets "$(seq -s, 64 4 1280)" --l1-ways 1..8 --out "$work/sweep.csv" >/dev/null
		awk -F, -v c="$cycles" 'NR > 1 { print c, $3, $4, 100 * $7 / ($6 - $9) }' "$work/sweep.csv"
		echo next
	done <"$work/points" | awk -v gpu="$1" -v hit="$2" -v miss="$3" '
		$1 == "next" { points[half]++; half = !half; next }
		{ d = 100 * (miss - $1) / (miss - hit); d = (d < 0 ? 0 : d > 100 ? 100 : d) - $4
		  sum[$2 " sets of " $3, half] += d < 0 ? -d : d; seen[$2 " sets of " $3] }
		END { for (k in seen)
			printf "%s;%s;%.2f;%.2f\n", gpu, k, sum[k, 0] / points[0], sum[k, 1] / points[1] }' |
		sort -t ';' -k 3,3n -k 2,2 | head -n 3 >"$out/latency-fit-$1.csv"
}

print_latency() {
	printf '\nPointer chase over 64 to 256 KiB: hit rate in points, cycles of an access\n\n'
	awk -F ';' 'NR == 1 { next }
		{ k = $1 ": " $2; if (!(k in n)) order[++rows] = k; n[k]++
		  d = $8 - $7; if (d < 0) d = -d; sum[k] += d; if (d > max[k]) max[k] = d
		  d = $6 - $5; cycles[k] += d < 0 ? -d : d }
		END {
			printf "%-34s %10s %8s %12s\n", "", "mean error", "max", "mean cycles"
			for (i = 1; i <= rows; i++) { k = order[i]; printf "%-34s %10.2f %8.1f %12.1f\n", k, sum[k] / n[k], max[k], cycles[k] / n[k] } }
	' "$out/latency.csv"
	printf '\nLRU caches chosen by every second footprint: mean error there, and on the others\n\n'
	cat "$out"/latency-fit-*.csv | awk -F ';' '{ printf "%-34s %10.2f %8.2f\n", $1 ": " $2, $3, $4 }'
}

for part in "$@"; do
	case $part in
	gtx480 | latency | l2) $part ;;
	*) echo "validate.sh: '$part' is none of gtx480, latency, l2" >&2; exit 2 ;;
	esac
done
