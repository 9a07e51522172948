#!/bin/sh
# How near the model comes to the GPU of this machine: validate-gpu.sh [-o DIR] [--gpu NAME] [KERNEL]...
#
# Builds the kernels of bench/gpu with nvcc, records each through the CUDA driver, replays it on the
# description of the GPU (--gpu NAME, else by what nvidia-smi calls it), counts the same launch with
# Nsight Compute (ncu) and prints the table of docs/validation.md, "On a GPU". DIR (build/validation)
# keeps it as gpu.txt and gpu.csv. Needs a build (scripts/build.sh), nvcc, ncu, nvidia-smi and the
# right to read the GPU's counters; without a GPU or one of these it ends with status 77.
set -eu
out=
gpu=
while [ $# -gt 0 ]; do
	case $1 in
	-o) mkdir -p "$2"; out=$(cd "$2" && pwd); shift 2 ;;
	--gpu) gpu=$2; shift 2 ;;
	-*) echo "validate-gpu.sh: $1 is no option" >&2; exit 2 ;;
	*) break ;;
	esac
done
cd "$(dirname "$0")/.."
build=$(cd "${BUILD_DIR:-build}" && pwd)
out=${out:-$build/validation}
warpline=$build/warpline

skip() {
	echo "validate-gpu.sh: $1" >&2
	exit 77
}

for tool in nvcc ncu nvidia-smi; do
	command -v "$tool" >/dev/null || skip "$tool is not there"
done
name=$(nvidia-smi --query-gpu=name --format=csv,noheader -i 0 2>/dev/null) || skip "there is no GPU"
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 | tr -d .)

# PATTERN|DESCRIPTION: of gpus/
descriptions() {
	cat <<-END
	*V100*|v100
	*A100*|a100
	*H100*|h100
	*H200*|h100
	*RTX?2060*|rtx2060
	*RTX?3070*|rtx3070
	END
}
while [ -z "$gpu" ] && IFS='|' read -r pattern description; do
	# shellcheck disable=SC2254 # a pattern
	case $name in $pattern) gpu=$description ;; esac
done <<END
$(descriptions)
END
[ -n "$gpu" ] || skip "$name: no description of it is known here; give one with --gpu"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
nvcc -O3 -lineinfo -gencode "arch=compute_$capability,code=[sm_$capability,compute_$capability]" \
	-o "$work/gpu_kernels" bench/gpu/gpu_kernels.cu
[ $# -gt 0 ] || eval set -- "$("$work/gpu_kernels")"

# What the GPU counts: of loads and stores of global memory at L1, of its reads at L2. Caches are
# emptied before (ncu's own default), as they are when a replay begins.
loads=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
stores=l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
hits=l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
l2_sectors=lts__t_sectors_srcunit_tex_op_read.sum
l2_hits=lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum

# metric NAME: of the kernel in $work/ncu.csv, whose rows end in "name","unit","value" (with commas)
metric() {
	awk -v metric="\"$1\"" '
		index($0, metric) {
			n = split($0, cell, "\",\"")
			gsub(/[",]/, "", cell[n])
			sum += cell[n]
			found = 1
		}
		END { if (!found) exit 1; printf "%.0f\n", sum }' "$work/ncu.csv" || {
		echo "validate-gpu.sh: ncu says nothing of $1:" >&2
		cat "$work/ncu.csv" >&2
		exit 1
	}
}

# value FILE PATH
value() {
	"$build/tests/json_get" "$work/$1" "$2"
}

count() {
	ncu --csv --page details --print-units base --metrics \
		"$loads,$stores,$sectors,$hits,$l2_sectors,$l2_hits" \
		"$work/gpu_kernels" "$1" >"$work/ncu.csv" 2>"$work/log" ||
		{ cat "$work/log" "$work/ncu.csv" >&2; exit 1; }
}

# Two replays: one as the GPU is, one with lines of a sector, whose reads are sectors.
record() {
	WARPLINE_DIR="$work/$1" WARPLINE_INSTRUMENT="$build/warpline-instrument" \
		LD_PRELOAD="$build/libwarpline-cuda.so" "$work/gpu_kernels" "$1" >"$work/log" ||
		{ cat "$work/log" >&2; exit 1; }
	"$warpline" replay "$work/$1" --gpu "$gpu" --l2 on --json "$work/replay.json" >/dev/null
	"$warpline" replay "$work/$1" --gpu "$gpu" --line 32 --l1-sectors 32 --json "$work/sectors.json" \
		>/dev/null
}

echo "kernel,requests,requests of the model,load sectors,load sectors of the model,L1 hits %,L1 hits of the model %,L2 hits %,L2 hits of the model %" \
	>"$out/gpu.csv"
for kernel in "$@"; do
	count "$kernel"
	record "$kernel"
	# The counters on one line: what fails in a pipe would not end the script.
	for counter in "$loads" "$stores" "$sectors" "$hits" "$l2_sectors" "$l2_hits"; do
		metric "$counter"
	done >"$work/counters"
	{
		value replay.json launches.0.instructions
		value sectors.json launches.0.l1.reads
		value replay.json launches.0.l1.reads
		value replay.json launches.0.l1.read_misses
		value replay.json launches.0.l2.reads
		value replay.json launches.0.l2.read_misses
	} >"$work/model"
	paste -s -d ' ' "$work/counters" "$work/model" | paste -s -d ' ' | awk -v kernel="$kernel" '
		function part(n, of) { return of ? 100 * n / of : 0 }
		{
			printf "%s,%.0f,%.0f,%.0f,%.0f,%.2f,%.2f,%.2f,%.2f\n", kernel, $1 + $2, $7, $3, $8,
				part($4, $3), part($9 - $10, $9), part($6, $5), part($11 - $12, $11)
		}' >>"$out/gpu.csv"
done
{
	echo "$name, as gpus/$gpu.conf"
	echo
	awk -F, '
		NR == 1 {
			printf "%-12s %12s %12s %12s %12s %8s %8s %8s %8s\n", "kernel", "requests",
				"model", "ld sectors", "model", "L1 hit%", "model", "L2 hit%", "model"
			next
		}
		{
			printf "%-12s %12s %12s %12s %12s %8s %8s %8s %8s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9
			n++
			off = $6 - $7; l1 += off < 0 ? -off : off
			off = $8 - $9; l2 += off < 0 ? -off : off
		}
		END { if (n) printf "\nmean difference: L1 %.2f points, L2 %.2f points\n", l1 / n, l2 / n }
	' "$out/gpu.csv"
} | tee "$out/gpu.txt"
