#!/bin/bash
# ptxas.sh WARPLINE FOLDER: what `bypass --ptx` makes is taken by NVIDIA's assembler, for each of
# several lists and GPUs; and by nvcc's, of kernels that it compiled. Skipped (77) without ptxas.
set -u
warpline=$(realpath "$1") folder=$(realpath "$2")
export PATH=$PATH:/usr/local/cuda/bin
command -v ptxas >/dev/null || { echo "ptxas is not installed: nothing is assembled"; exit 77; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

cp "$folder/forms.ptx" .
files=(forms.ptx)
if command -v nvcc >/dev/null && nvcc -ptx -lineinfo -arch=compute_75 "$folder/kernels.cu" -o kernels.ptx 2>nvcc.err; then
	files+=(kernels.ptx)
else
	echo "without nvcc no kernel is compiled"
fi

known=$(ptxas --help)
gpus=()
for gpu in sm_75 sm_80 sm_90 sm_100; do
	[[ $known == *\'$gpu\'* ]] && gpus+=("$gpu")
done
[ ${#gpus[@]} -gt 0 ] || { echo "ptxas knows none of the GPUs"; exit 77; }

failed=0 count=0
fail() {
	echo "FAILED: $*" >&2
	failed=1
}

# assemble FILE WHAT
assemble() {
	for gpu in "${gpus[@]}"; do
		ptxas -c -arch="$gpu" "$1" -o out.cubin 2>ptxas.err || fail "$2 for $gpu: $(head -3 ptxas.err)"
		count=$((count + 1))
	done
}

for file in "${files[@]}"; do
	assemble "$file" "$file as it is"
	for list in all warps:0 warps:3 warps:31 line:15 line:15,warps:2 line:37,warps:7; do
		for op in cg cs; do
			"$warpline" bypass --ptx "$file" -o "out-$op.ptx" --list "$list" --cache-op "$op" 2>said
			status=$?
			[ $status -eq 0 ] || [ $status -eq 6 ] || fail "$file $list: status $status: $(cat said)"
			assemble "out-$op.ptx" "$file with $list, .$op"
		done
	done
done

# The loads of forms.ptx that can be changed, on 13 lines (two are on one): 1 of inner, 13 of forms, of which
# one is .cg already.
"$warpline" bypass --ptx forms.ptx -o out.ptx --list all 2>said
got=$(grep -c 'ld *\.\(weak\.\)\?global *\.cg' out.ptx)
[ "$got" -eq 13 ] || fail "all: $got lines with .cg, expected 13"
# The assembler takes the operator for another load.
ptxas -c -arch="${gpus[0]}" forms.ptx -o plain.cubin 2>/dev/null && ptxas -c -arch="${gpus[0]}" out.ptx -o past.cubin 2>/dev/null
cmp -s plain.cubin past.cubin && fail "the code is the same with .cg"
echo "$count assembled"
exit $failed
