#!/bin/sh
# run.sh INSTRUMENTER CASE.ptx: read CASE and match with FileCheck: CHECK lines are about the module
# as the reader makes it, TABLE lines about the table of sites, an entry of it a line, CUDA lines
# about the table of kernels and variables. A line "OPTIONS: ..." in the case gives further options.
set -eu
instrumenter=$1
case=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

options=$(sed -n 's/.*OPTIONS: *//p' "$case")
cd "$(dirname "$case")"
# shellcheck disable=SC2086 # options are words
"$instrumenter" --source "$(basename "$case")" --output "$out/out.bc" --table "$out/table" \
    --save-input "$out/ir" --cuda-table "$out/cuda" $options
opt=opt-${WARPLINE_LLVM:-19}
"$opt" -passes=verify -disable-output "$out/ir" 2>/dev/null || {
    command -v "$opt" >/dev/null && { echo "the module is not valid"; exit 1; }
}
sed 's/{"/\n{"/g; s/,"unrecorded"/\n&/; s/,"loops"/\n&/g; s/,"arguments"/\n&/g' "$out/table" \
    >"$out/lines"
for prefix in CHECK TABLE CUDA; do
    grep -q "$prefix[-A-Z]*:" "$case" || continue
    case $prefix in
    CHECK) file=$out/ir ;;
    TABLE) file=$out/lines ;;
    CUDA) file=$out/cuda ;;
    esac
    "FileCheck-${WARPLINE_LLVM:-19}" --check-prefix=$prefix --input-file="$file" "$case"
done
