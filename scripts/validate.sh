#!/bin/sh
# How near the model comes to measured GPUs: validate.sh [-o DIR] [gtx480|spread|latency|l2|grid]...
#
# Records what is needed on this machine's OpenCL device, replays it, compares with the published
# numbers in bench/published, and prints the tables of docs/validation.md. DIR (build/validation)
# keeps them as CSV, and as pictures where gnuplot is installed. Some minutes; grid, which is only
# done when it is named, some more. ONLY=REGEX plays only sets and caches of such names, and fits none. Needs a build: scripts/build.sh.
set -eu
out=
[ "${1:-}" = -o ] && { mkdir -p "$2"; out=$(cd "$2" && pwd); shift 2; }
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
out=${out:-$build/validation}
[ $# -gt 0 ] || set -- gtx480 spread latency l2
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
	"$warpline" replay "$work/$name" --jobs 1 "$@" --json "$work/replay.json" >/dev/null
}

# values PATH...: on one line
values() {
	for path in "$@"; do
		"$build/tests/json_get" "$work/replay.json" "$path"
	done | tr '\n' ' '
}

# --- The ancestor's GTX 480 ---

# NAME|OPTIONS: each is what one GPU is taken to be, the same for all kernels and sizes. Those that say
# "but" differ from the set "nearest" in one thing, the others from gpus/gtx480.conf.
nearest="--schedule gto --set l1_request_cycles=3 --set l1_hit_cycles=60 --set l2_cycles=120"
mshrs="--mshr 64 --set l1_mshr_merge=8"
slower="--set l1_request_cycles=4 --set l1_hit_cycles=24 --set l2_cycles=107"
sourced="$mshrs --schedule gto --registers 24"
gtx480_sets() {
	cat <<-END
	gtx480.conf|
	fermi|--index fermi
	modulo|--index modulo
	gto|--schedule gto
	mshrs|$mshrs
	mshrs, gto|$mshrs --schedule gto
	sourced|$sourced
	nearest|$nearest
	but lrr|$nearest --schedule lrr
	but a request a cycle|$nearest --set l1_request_cycles=1
	but 5 groups resident|$nearest --registers 24
	but 4 groups resident|$nearest --registers 32
	but mshrs|$nearest $mshrs
	but fermi|$nearest --index fermi
	but modulo|$nearest --index modulo
	but fermi, slower port|$nearest $mshrs --index fermi $slower
	but plru|$nearest --l1-policy plru
	but random|$nearest --l1-policy random:1
	but ways|$nearest --l1-policy ways:1,3,1,1
	END
}

# The same, but for times: what of "nearest" does not hang on them.
gtx480_times() {
	for request in 2 3 4; do
		for times in "18 160" "35 120" "35 220" "60 120" "60 220" "80 160"; do
			echo "times|$nearest --set l1_request_cycles=$request" \
				"--set l1_hit_cycles=${times% *} --set l2_cycles=${times#* }"
		done
	done
}

# What "nearest" was chosen from.
gtx480_grid() {
	for resident in "" "--registers 24" "--registers 32"; do
		for order in lrr gto twolevel:8; do
			for schedulers in 1 2; do
				for request in 1 2 3; do
					for times in "35 120" "35 220" "60 120" "60 220"; do
						echo "$order, $schedulers scheduler(s), a request every $request, $times $resident|" \
							"$resident --schedule $order --set schedulers=$schedulers" \
							"--set l1_request_cycles=$request --set l1_hit_cycles=${times% *}" \
							"--set l2_cycles=${times#* }"
					done
				done
			done
		done
	done
}

# The SMs with as many groups as any, as the profiled one had: its number of reads says so.
full_sms() {
	for key in groups reads read_misses; do
		"$build/tests/json_get" "$work/replay.json" "launches.0.sms.*.$key" >"$work/$key"
	done
	paste -d ' ' "$work/groups" "$work/reads" "$work/read_misses" | sort -k 1,1nr |
		awk 'NR == 1 { most = $1 } $1 == most { r += $2; m += $3 } END { printf "%.2f", 100 * m / r }'
}

# gtx480_rows SETS: the sets that this function names, replayed with every kernel and size.
gtx480_rows() {
	grep '^[a-z]*,[0-9]' $published/gtx480.csv >"$work/points"
	while IFS=, read -r kernel size _ _; do
		group=16x16
		[ "$kernel" = stencil ] && group=64x1x1
		record "$kernel-$size" "$kernel" --size "$size" --group $group
	done <"$work/points"
	echo "set;kernel;groups;published;all_sms;full_sms"
	"$1" | grep "^\(${ONLY:-.*}\)|" | while IFS='|' read -r set options; do
		while IFS=, read -r kernel size groups rate; do
			# shellcheck disable=SC2086 # words
			replay "$kernel-$size" --gpu gtx480 --l1 16k $options
			all=$(values launches.0.l1.miss_rate | awk '{ printf "%.2f", 100 * $1 }')
			echo "$set;$kernel;$groups;$rate;$all;$(full_sms)"
		done <"$work/points"
	done
}

# gtx480_table COLUMN <ROWS: a line for each set; several rows of one set and size are their mean. The
# errors at the end leave out transpositions, which no assumption changes.
gtx480_table() {
	awk -F ';' -v column="$1" 'NR == 1 { next }
		{ point = $2 " " $3
		  if (!(point in hardware)) { points[++p] = point; hardware[point] = $4 }
		  if (!($1 in known)) { known[$1]; sets[++n] = $1 }
		  sum[$1, point] += $column; count[$1, point]++ }
		function row(title, values, tail) { printf "%-26s%s%s\n", title, values, tail }
		END {
			for (j = 1; j <= p; j++) { split(points[j], f, " "); head = head sprintf(" %6s", f[2])
				measured = measured sprintf(" %6.1f", hardware[points[j]]) }
			row("groups", head, "   mean    max")
			row("hardware", measured, "")
			for (i = 1; i <= n; i++) {
				text = ""; error = most = m = 0
				for (j = 1; j <= p; j++) {
					v = sum[sets[i], points[j]] / count[sets[i], points[j]]
					text = text sprintf(" %6.1f", v)
					if (points[j] ~ /^transpose/) continue
					d = v - hardware[points[j]]; d = d < 0 ? -d : d
					error += d; most = d > most ? d : most; m++ }
				row(sets[i], text, sprintf(" %6.2f %6.2f", error / m, most)) } }'
}

gtx480() {
	gtx480_rows gtx480_sets >"$out/gtx480.csv"
	printf '\nGTX 480, 16 KB of L1: miss rate of reads in percent; matrix products, stencil, transpositions\n'
	printf '\nAll SMs:\n' && gtx480_table 5 <"$out/gtx480.csv"
	printf '\nThe SMs with most groups:\n' && gtx480_table 6 <"$out/gtx480.csv"
	plot_gtx480
}

spread() {
	gtx480_rows gtx480_times >"$out/spread.csv"
	printf '\nGTX 480, mean of "nearest" with 18 choices of times; all SMs, then those with most groups\n'
	gtx480_table 5 <"$out/spread.csv"
	gtx480_table 6 <"$out/spread.csv" | tail -n 1
}

# Each point by the set that is nearest to the others.
grid() {
	gtx480_rows gtx480_grid >"$out/grid.csv"
	printf '\nGTX 480, all SMs: a point, what is chosen without it, and the error there\n\n'
	awk -F ';' 'NR == 1 || $2 == "transpose" { next }
		{ d = $5 - $4; d = d < 0 ? -d : d; point = $2 " " $3
		  if (!(point in known)) { known[point]; points[++p] = point }
		  error[$1, point] = d; all[$1] += d }
		END {
			for (j = 1; j <= p; j++) {
				best = ""
				for (s in all) {
					rest = all[s] - error[s, points[j]]
					if (best == "" || rest < least || (rest == least && s < best)) { best = s; least = rest } }
				printf "%-14s %5.1f  %s\n", points[j], error[best, points[j]], best
				sum += error[best, points[j]] }
			printf "%-14s %5.2f\n", "mean", sum / p }' "$out/grid.csv"
}

plot_gtx480() {
	command -v gnuplot >/dev/null && [ -z "${ONLY:-}" ] || return 0
	for set in gtx480.conf nearest sourced; do
		awk -F ';' -v set="$set" '$1 == set && $2 == "matmul" { print $3, $4, $5, $6 }' "$out/gtx480.csv" >"$work/$set.dat"
	done
	gnuplot <<-END
	set terminal pngcairo size 640,400 font "sans,10"
	set output "$out/gtx480.png"
	set xlabel "work-groups (dashed: 60)"
	set ylabel "miss rate of L1 reads, percent"
	set yrange [0:20]
	set key top left
	set arrow from 60, 0 to 60, 20 nohead dashtype 2
	plot "$work/nearest.dat" using 1:2 title "GTX 480, one SM" with linespoints lc rgb "black" pt 7 lw 2, \
		"$work/sourced.dat" using 1:4 title "sourced, SMs with most groups" with linespoints lc rgb "#009e73" pt 13, \
		"$work/nearest.dat" using 1:3 title "nearest, all SMs" with linespoints lc rgb "#0072b2" pt 5, \
		"$work/gtx480.conf.dat" using 1:3 title "gtx480.conf, all SMs" with linespoints lc rgb "#d55e00" pt 9
	END
}

# --- Latency over footprint ---

# PART GPU FROM TO NEAR FAR: footprints in KiB, and the measured latencies of the level whose size they
# are about and of the one behind it, in cycles.
latency_parts() {
	cat <<-END
	latency v100 64 256 27.9 212.1
	latency a100 64 256 33.0 205.6
	l2 v100 4096 9216 212.1 425.4
	END
}

# GPU|CACHE|OPTIONS
latency_caches() {
	cat <<-END
	v100|4 sets of 256, LRU|--l1 128k
	v100|4 sets of 256, tree PLRU|--l1 128k --l1-policy plru
	v100|4 sets of 256, random|--l1 128k --l1-policy random:1
	v100|256 sets of 4, LRU|--l1-sets 256 --l1-ways 4
	v100|320 sets of 3, LRU|--l1 120k
	a100|4 sets of 384, LRU|--l1 192k
	a100|4 sets of 384, tree PLRU|--l1 192k --l1-policy plru
	a100|4 sets of 384, random|--l1 192k --l1-policy random:1
	a100|588 sets of 2, LRU|--l1 147k
	END
}

l2_caches() {
	cat <<-END
	v100|64 slices, 32 sets of 24, LRU|--l1 120k --l2 on
	v100|64 slices, 48 sets of 16, LRU|--l1 120k --l2 on --set l2_sets=48 --set l2_ways=16
	END
}

lines_of() { # FOOTPRINT in KiB
	awk -v k="$1" 'BEGIN { printf "%d", k * 8 + 0.5 }'
}

# footprints GPU FROM TO: $work/points, each recorded.
footprints() {
	awk -F, -v gpu="$1" -v from="$2" -v to="$3" '$1 == gpu && $2 >= from && $2 <= to' \
		$published/latency.csv >"$work/points"
	while IFS=, read -r _ footprint cycles; do
		lines=$(lines_of "$footprint")
		record "chase-$lines" chase --size "$lines"
	done <"$work/points"
}

# first_cycles PART GPU: of an access in the first round, that misses in all caches.
first_cycles() {
	"$warpline" gpus "$2" | awk -v part="$1" '$1 == "l1_hit_cycles" { sum += $3 }
		part == "latency" && $1 == "l2_cycles" { sum += $3 }
		part == "l2" && ($1 == "l2_hit_cycles" || $1 == "dram_cycles") { sum += $3 }
		END { print sum }'
}

# curve PART GPU CACHE NEAR FAR OPTION...: rows of PART.csv. What the measurement shows are the rounds
# after the first.
curve() {
	part=$1 gpu=$2 cache=$3 near=$4 far=$5
	shift 5
	level=l1
	[ "$part" = l2 ] && level=l2
	while IFS=, read -r _ footprint cycles; do
		lines=$(lines_of "$footprint")
		replay "chase-$lines" --gpu "$gpu" "$@"
		values launches.0.cycles launches.0.l1.reads launches.0.$level.read_hits launches.0.l1.cold |
			awk -v row="$gpu;$cache;$footprint;$lines;$cycles" -v near="$near" -v far="$far" \
				-v first="$(first_cycles "$part" "$gpu")" '{
				split(row, f, ";")
				measured = (far - f[5]) / (far - near)
				measured = measured < 0 ? 0 : measured > 1 ? 1 : measured
				printf "%s;%.1f;%.2f;%.2f\n", row, ($1 - 1 - $4 * first) / ($2 - $4), 100 * measured, 100 * $3 / ($2 - $4) }'
	done <"$work/points"
}

# curves PART: its rows, table and pictures.
curves() {
	echo "gpu;cache;footprint_kib;lines;measured_cycles;model_cycles;measured_hits;model_hits" >"$out/$1.csv"
	latency_parts | grep "^$1 " | while read -r _ gpu from to near far; do
		footprints "$gpu" "$from" "$to"
		"$1_caches" | grep "^$gpu|\(${ONLY:-.*}\)|" | while IFS='|' read -r _ cache options; do
			# shellcheck disable=SC2086 # words
			curve "$1" "$gpu" "$cache" "$near" "$far" $options
		done >>"$out/$1.csv"
		[ "$1" = l2 ] || [ -n "${ONLY:-}" ] || latency_fit "$gpu" "$near" "$far"
	done
	print_curves "$1"
	plot_curves "$1"
}

latency() {
	printf '\nPointer chase over 64 to 256 KiB: hit rate of L1 in points, cycles of an access\n\n'
	rm -f "$out"/latency-fit-*.csv
	curves latency
	[ -z "${ONLY:-}" ] || return 0
	printf '\nLRU caches chosen by every second footprint: mean error there, and on the others\n\n'
	cat "$out"/latency-fit-*.csv | awk -F ';' '{ printf "%-38s %10.2f %8.2f\n", $1 ": " $2, $3, $4 }'
}

l2() {
	printf '\nPointer chase over 4 to 9 MiB: hit rate of L2 in points, cycles of an access\n\n'
	curves l2
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

# plot_curves PART: a picture for each GPU.
plot_curves() {
	command -v gnuplot >/dev/null || return 0
	latency_parts | grep "^$1 " | while read -r _ gpu from to _ _; do
		grep "^$gpu;" "$out/$1.csv" >"$work/plot.dat" || continue
		cut -d ';' -f 2 "$work/plot.dat" | awk '!seen[$0]++' >"$work/names"
		{
			cat <<-END
			set terminal pngcairo size 640,400 font "sans,10"
			set output "$out/$1-$gpu.png"
			set datafile separator ";"
			set xlabel "footprint, KiB"
			set ylabel "cycles of an access"
			set logscale x 2
			set xrange [$from:$to]
			set key top left
			END
			printf 'plot "%s" using 3:5 title "%s, measured" with points lc rgb "black" pt 7 ps 0.7' "$work/plot.dat" "$gpu"
			while read -r name; do
				# shellcheck disable=SC2016 # $3 is gnuplot's
				printf ', "%s" using (stringcolumn(2) eq "%s" ? $3 : NaN):6 title "%s" with lines lw 2' \
					"$work/plot.dat" "$name" "$name"
			done <"$work/names"
			echo
		} | gnuplot
	done
}

print_curves() {
	awk -F ';' 'NR == 1 { next }
		{ k = $1 ": " $2; if (!(k in n)) order[++rows] = k; n[k]++
		  d = $8 - $7; if (d < 0) d = -d; sum[k] += d; if (d > max[k]) max[k] = d
		  d = $6 - $5; cycles[k] += d < 0 ? -d : d }
		END {
			printf "%-38s %10s %8s %12s\n", "", "mean error", "max", "mean cycles"
			for (i = 1; i <= rows; i++) { k = order[i]; printf "%-38s %10.2f %8.1f %12.1f\n", k, sum[k] / n[k], max[k], cycles[k] / n[k] } }
	' "$out/$1.csv"
}

for part in "$@"; do
	case $part in
	gtx480 | spread | latency | l2 | grid) $part ;;
	*) echo "validate.sh: '$part' is none of gtx480, spread, latency, l2, grid" >&2; exit 2 ;;
	esac
done
