#!/bin/sh
# How near the model comes to measured GPUs:
#   validate.sh [-o DIR] [gtx480|spread|latency|l2|plateaus|gv100|gv100-without|gv100-programs|grid]...
#
# Records what is needed on this machine's OpenCL device, replays it, compares with the published
# numbers in bench/published, and prints the tables of docs/validation.md. DIR (build/validation)
# keeps them as CSV, and as pictures where gnuplot is installed. Some minutes; grid, which is only
# done when it is named, some more. ONLY=REGEX plays only sets and caches of such names, and fits none. Needs a build: scripts/build.sh.
#
# gv100 needs programs that are not ours, and fetches none: gv100-programs prints which they are and
# where they are expected. PROGRAMS=DIR (build/programs): where they are. RECORDINGS=DIR: recordings of
# them, DIR/KERNEL.data, to be used in place of the programs. What is in neither is left out, with a
# sentence. RECORD_OPTIONS: options of `record` for them. gv100-without, only when it is named: the same
# without the rules that were found in these counters.
set -eu
out=
[ "${1:-}" = -o ] && { mkdir -p "$2"; out=$(cd "$2" && pwd); shift 2; }
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
out=${out:-$build/validation}
[ $# -gt 0 ] || set -- gtx480 spread latency l2 plateaus gv100
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

# replay NAME OPTION..., replay_recording DIR OPTION...: $work/replay.json
replay_recording() {
	dir=$1
	shift
	"$warpline" replay "$dir" --jobs 1 "$@" --json "$work/replay.json" >/dev/null
}

replay() {
	name=$1
	shift
	replay_recording "$work/$name" "$@"
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
	latency h100 150 400 32.0 280.5
	latency mi210 9 33 128.4 249.4
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
	h100|4 sets of 512, LRU|--l1 256k
	h100|852 sets of 2, LRU|--l1 213k
	mi210|64 sets of 4, LRU|--line 128 --l1-sets 64 --l1-ways 4
	mi210|4 sets of 64, LRU|--line 128
	END
}

l2_caches() {
	cat <<-END
	v100|64 slices, 32 sets of 24, LRU|--l1 120k --l2 on
	v100|64 slices, 48 sets of 16, LRU|--l1 120k --l2 on --set l2_sets=48 --set l2_ways=16
	END
}

# Lines of a GPU in so many KiB. The chase has one element in 128 bytes: for a GPU with shorter lines
# each stands for one of these, as with --line 128.
lines_of() { # FOOTPRINT GPU
	awk -v k="$1" -v each="$([ "$2" = mi210 ] && echo 16 || echo 8)" 'BEGIN { printf "%d", k * each + 0.5 }'
}

# footprints GPU FROM TO: $work/points, each recorded.
footprints() {
	awk -F, -v gpu="$1" -v from="$2" -v to="$3" '$1 == gpu && $2 >= from && $2 <= to' \
		$published/latency.csv >"$work/points"
	while IFS=, read -r _ footprint cycles; do
		lines=$(lines_of "$footprint" "$1")
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
		lines=$(lines_of "$footprint" "$gpu")
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
		[ "$1" = l2 ] || [ "$gpu" = mi210 ] || [ -n "${ONLY:-}" ] || latency_fit "$gpu" "$near" "$far"
	done
	print_curves "$1"
	plot_curves "$1"
}

latency() {
	printf '\nPointer chase about the size of L1: hit rate of L1 in points, cycles of an access\n\n'
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
		lines=$(lines_of "$footprint" "$1")
		"$warpline" sweep "$work/chase-$lines" --gpu "$1" --line 128 --index modulo \
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

# --- What L1, L2 and DRAM take, once each ---

plateaus() {
	printf '\nCycles of one access that L1, L2 and DRAM serve: measured, and what the description says\n\n'
	echo "gpu;level;least;most;model;off" >"$out/plateaus.csv"
	grep '^[a-z0-9]*,[a-z0-9]*,[0-9]' $published/plateaus.csv | while IFS=, read -r gpu level least most; do
		model=$("$warpline" gpus "$gpu" | awk -v level="$level" '
			{ v[$1] = $3 }
			END { sum = v["l1_hit_cycles"]
				if (level != "l1") sum += v["l2_hit_cycles"]
				if (level == "dram") sum += v["dram_cycles"]
				print sum }')
		awk -v row="$gpu;$level;$least;$most" -v a="$least" -v b="$most" -v m="$model" 'BEGIN {
			printf "%s;%s;%.1f\n", row, m, (m < a ? 100 * (m / a - 1) : (m > b ? 100 * (m / b - 1) : 0)) }'
	done >>"$out/plateaus.csv"
	awk -F ';' 'NR == 1 { printf "%-10s %-6s %16s %8s %8s\n", "", "", "measured", "here", "off"; next }
		{ printf "%-10s %-6s %16s %8s %7.1f%%\n", $1, $2, $3 == $4 ? $3 : $3 " to " $4, $5, $6
		  d = $6 < 0 ? -$6 : $6; sum += d; if (d > most) most = d }
		END { printf "%-10s %-6s %16s %8s %7.1f%%, at most %.1f%%\n", "mean", "", "", "", sum / (NR - 1), most }' \
		"$out/plateaus.csv"
}

# --- Counters of a GV100 ---

# KERNEL|PROGRAM|WHAT IT IS|COMMAND|LAUNCHES|REPLAY OPTIONS, of bench/published/gv100.csv in its order. The
# rules that these counters showed were found in those of the kernels up to mergeSortSharedKernel.
gv100_kernels() {
	cat <<-END
	findRangeK|b+tree.out|Rodinia 3.1, cuda/b+tree|b+tree.out file mil.txt command command.txt|1|--l1 128k
	bpnn_adjust_weights_cuda|backprop|Rodinia 3.1, cuda/backprop|backprop 65536|1|
	srad|srad|Rodinia 3.1, cuda/srad/srad_v1|srad 100 0.5 502 458|3|
	calculate_temp|hotspot|Rodinia 3.1, cuda/hotspot|hotspot 1024 2 2 temp_1024 power_1024 output.out|1|
	mysgemmNT|sgemm|Parboil 2.5, sgemm/src/cuda|sgemm -i matrix1.txt,matrix2t.txt,matrix2t.txt -o matrix3.txt|1|
	ComputeQ_GPU|mri-q|Parboil 2.5, mri-q/src/cuda|mri-q -i 64_64_64_dataset.bin -o 64_64_64_dataset.out|2|
	CUDAkernel2DCT|dct8x8|CUDA samples, dct8x8|dct8x8|2|
	fwtBatch1Kernel|fastWalshTransform|CUDA samples, fastWalshTransform|fastWalshTransform|3|
	mergeSortSharedKernel|mergeSort|CUDA samples, mergeSort|mergeSort|1|
	findK|b+tree.out|as above|b+tree.out file mil.txt command command.txt|1|--l1 128k
	bpnn_layerforward_CUDA|backprop|as above|backprop 65536|1|
	fwtBatch2Kernel|fastWalshTransform|as above|fastWalshTransform|9|
	mergeElementaryIntervalsKernel|mergeSort|as above|mergeSort|12|
	histogram64Kernel|histogram|CUDA samples, histogram|histogram|1|
	quasirandomGeneratorKernel|quasirandomGenerator|CUDA samples, quasirandomGenerator|quasirandomGenerator|1|
	inverseCNDKernel|quasirandomGenerator|as above|quasirandomGenerator|1|
	sobolGPU_kernel|SobolQRNG|CUDA samples, SobolQRNG|SobolQRNG|1|
	END
}

programs=${PROGRAMS:-$build/programs}

gv100_programs() {
	printf '\nPrograms for gv100: %s/NAME, linked by "warpline nvcc -O3", or by nvcc -cudart shared\n\n' "$programs"
	gv100_kernels | awk -F '|' '{ printf "%-32s %-22s %-36s %s\n", $1, $2, $3, $4 }'
	printf '\n%s\n' "Inputs are made here: random numbers, of the sizes of those that the counters are of." \
		"Rodinia: with -DcudaThreadSynchronize=cudaDeviceSynchronize for today's nvcc. Parboil: with common/src/parboil.c and args.c." \
		"b+tree: built with main.c and util as they are. srad_v1 is Rodinia's srad of that folder." \
		"dct8x8: its samples' folder data beside it; without the call of WrapperCUDA1, whose kernel reads a texture."
}

# Inputs that are not with the programs' sources, by the names in their commands.
gv100_inputs() {
	[ ! -e "$work/inputs" ] || return 0
	mkdir -p "$work/inputs/data/srad" "$work/inputs/a/b/c"
	(
		cd "$work/inputs/a/b/c"
		numbers() { # COUNT SEED LEAST MOST
			awk -v n="$1" -v seed="$2" -v least="$3" -v most="$4" 'BEGIN {
				srand(seed); for (i = 0; i < n; i++) printf "%.4f\n", least + (most - least) * rand() }'
		}
		{ echo 1000000; seq 0 999999; } >mil.txt
		printf 'j 6000 3000\nk 10000\n\n' >command.txt
		numbers 1048576 1 300 340 >temp_1024
		numbers 1048576 2 0 1 >power_1024
		{ echo 1024 992; numbers 1015808 3 0 1; } >matrix1.txt
		{ echo 1056 992; numbers 1047552 4 0 1; } >matrix2t.txt
		{ printf '\000\010\000\000\000\000\004\000'; head -c 3186688 /dev/zero; } >64_64_64_dataset.bin
		{ printf 'P2\n458 502\n255\n'; numbers 229916 5 0 255 | sed 's/\..*//'; } >../../../data/srad/image.pgm
	)
	[ ! -d "$programs/data" ] || ln -s "$(realpath "$programs/data")" "$work/inputs/a/b/c/data"
}

# The recording of a kernel, its path in $recording; false, and a sentence, when there is none to be had.
gv100_record() { # KERNEL PROGRAM WHAT COMMAND LAUNCHES
	recording=$work/$1.data
	if [ -n "${RECORDINGS:-}" ] && [ -d "$RECORDINGS/$1.data" ]; then
		recording=$(realpath "$RECORDINGS/$1.data")
		return 0
	fi
	if [ ! -x "$programs/$2" ]; then
		echo "$1: left out: there is no $programs/$2 (validate.sh gv100-programs says what it is)" >&2
		return 1
	fi
	gv100_inputs
	program=$(realpath "$programs/$2")
	# The kernel alone, by its name in C or C++: srad, not srad2.
	# shellcheck disable=SC2086 # words
	(cd "$work/inputs/a/b/c" && warp=$OLDPWD/$warpline && case $warpline in /*) warp=$warpline ;; esac &&
		"$warp" record -q ${RECORD_OPTIONS:-} --kernel "^(_ZL?${#1}$1|$1\$)" --per-kernel "$5" -o "$recording" \
			-- "$program" ${4#* } >"$work/log" 2>&1) || [ -d "$recording" ] || {
		echo "$1: left out: $programs/$2 was not recorded: $(tail -n 1 "$work/log")" >&2
		return 1
	}
}

# Columns of gv100.csv, in the model's words; a minus before one takes its bytes away, as sectors.
gv100_columns() {
	cat <<-END
	l1_read_hit l1.sectors_hit
	l1_read_miss l1.sectors_missed
	l1_write_hit l1.write_sectors_hit
	l1_write_miss l1.write_sectors_missed
	l2_read_hit l2.sectors_hit
	l2_read_miss l2.sectors_missed
	l2_write_hit l2.write_sectors_hit
	l2_write_miss l2.write_sectors_missed
	dram_read dram.sectors_read
	dram_write dram.sectors_written -l2.bytes_left
	END
}

# The counters of the last replay as means over its launches, in the order of the columns.
gv100_model() {
	count=$(values launches.#)
	gv100_columns | while read -r _ more less; do
		# shellcheck disable=SC2086 # none, or one
		values "total.$more" ${less:+total.${less#-}} | awk -v n="$count" '{ printf ";%.1f", ($1 - $2 / 32) / n }'
	done
}

# gv100 [OPTION...]: the counters beside those of a replay with these further options.
gv100() {
	echo "kernel;$(gv100_columns | awk '{ printf "%s;", $1 }')$(gv100_columns |
		awk '{ printf "%smodel_%s", (NR > 1 ? ";" : ""), $1 }')" >"$counters"
	gv100_kernels | grep "^\(${ONLY:-.*}\)|" | while IFS='|' read -r kernel program what command launches options; do
		gv100_record "$kernel" "$program" "$what" "$command" "$launches" || continue
		# shellcheck disable=SC2086 # words
		replay_recording "$recording" --gpu v100 --l2 on --classes off $options "$@" || continue
		printf '%s%s\n' "$(grep ",$kernel," $published/gv100.csv | cut -d , -f 2- | tr , ';')" "$(gv100_model)"
	done >>"$counters"
	gv100_table_l1
	gv100_table_below
}

# Two tables of the rows in $counters: each figure of the GPU, of the model, and how far it is off. Means are
# of the kernels in which rules were found, then of the others.
gv100_table() { # TITLE AWK
	printf '\n%s\n\n' "$1"
	gv100_kernels | sed '/^mergeSortSharedKernel/q' | cut -d '|' -f 1 >"$work/found"
	awk -F ';' '
		function abs(x) { return x < 0 ? -x : x }
		function off(a, b) { return a == b ? 0 : 100 * (b - a) / (a ? a : b) }
		function rate(hit, miss) { return hit + miss ? 100 * hit / (hit + miss) : 0 }
		function note(i, x) { g = ($1 in found) ? "" : "others, "; x = abs(x); sum[g, i] += x; n[g, i]++; if (x > most[g, i]) most[g, i] = x }
		function row(title, format, count, of, i) {
			printf "%-31s", title; for (i = 1; i <= count; i++) printf format, of[i]; print "" }
		function means(format, count, i, k) {
			for (k = 0; k < 2; k++) {
				g = k ? "others, " : ""
				for (i = 1; i <= count; i++) { mean[i] = n[g, i] ? sum[g, i] / n[g, i] : 0; worst[i] = most[g, i] }
				row(g "mean error", format, count, mean); row(g "at most", format, count, worst) } }
		FILENAME != ARGV[2] { found[$1]; next }
		'"$2" "$work/found" "$counters"
}

gv100_table_l1() {
	# shellcheck disable=SC2016 # fields of awk
	gv100_table "GV100, loads of global memory in L1, in sectors: asked for, missed, hit rate" '
		FNR == 1 { printf "%-31s %10s %10s %6s %10s %10s %6s %6s %6s %6s\n", "", "asked", "here", "off%",
			"missed", "here", "off%", "hit%", "here", "points"; next }
		!($2 + $3 + $12 + $13) { next }
		{ a = $2 + $3; b = $12 + $13; h = rate($2, $3); m = rate($12, $13)
		  note(1, off(a, b)); note(2, off($3, $13)); note(3, m - h)
		  printf "%-31s %10d %10d %6.1f %10d %10d %6.1f %6.2f %6.2f %6.2f\n", $1, a, b, off(a, b), $3, $13, off($3, $13), h, m, m - h }
		END { means(" %27.2f", 3) }'
}

# Of DRAM a GPU also reads instructions and constants, some 500 sectors at most: under 1000 nothing is said.
gv100_table_below() {
	# shellcheck disable=SC2016 # fields of awk
	gv100_table "GV100, L2 and DRAM, in sectors: reads of L2, their misses, reads and writes of DRAM" '
		FNR == 1 { printf "%-31s %8s %8s %6s %8s %8s %6s %8s %8s %6s %8s %8s %6s\n", "", "L2 reads", "here", "off%",
			"misses", "here", "off%", "DRAM rd", "here", "off%", "DRAM wr", "here", "off%"; next }
		{ a = $6 + $7; b = $16 + $17; is_read = $10 >= 1000
		  note(1, off(a, b)); note(2, off($7, $17)); note(4, off($11, $21))
		  if (is_read) note(3, off($10, $20))
		  printf "%-31s %8d %8d %6.1f %8d %8d %6.1f %8d %8d %6s %8d %8d %6.1f\n", $1, a, b, off(a, b), $7, $17, off($7, $17),
			$10, $20, is_read ? sprintf("%.1f", off($10, $20)) : "-", $11, $21, off($11, $21) }
		END { means(" %23.2f", 4) }'
}

for part in "$@"; do
	case $part in
	gtx480 | spread | latency | l2 | plateaus | grid) $part ;;
	gv100) counters=$out/gv100.csv && gv100 ;;
	gv100-without)
		counters=$out/gv100-without.csv
		gv100 --set l1_promotion_bytes=0 --set l2_partial_write=fetch --set l2_dirty_percent=100
		;;
	gv100-programs) gv100_programs ;;
	*) echo "validate.sh: '$part' is none of gtx480, spread, latency, l2, plateaus, gv100, gv100-without, gv100-programs, grid" >&2; exit 2 ;;
	esac
done
