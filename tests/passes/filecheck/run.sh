#!/bin/sh
# run.sh INSTRUMENTER CASE: instrument CASE (.cl, .ll or .cu) and match it with FileCheck.
# CHECK lines are about the probed IR, TABLE lines about the table, an entry of it a line.
# TEXT lines are about what the text door makes of the case without probes.
# CUDA lines are about the table of CUDA kernels, an entry of it a line.
# A line "OPTIONS: ..." in the case gives further options.
set -eu
instrumenter=$1
case=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

options=$(sed -n 's/.*OPTIONS: *//p' "$case")
cd "$(dirname "$case")"
# shellcheck disable=SC2086 # options are words
"$instrumenter" --source "$(basename "$case")" --output "$out/out.bc" --table "$out/table" \
    --emit-llvm "$out/ir" --cuda-table "$out/cuda" $options
sed -i '/^ *#dbg_/d' "$out/ir" # what later versions of LLVM put between instructions
sed 's/{"/\n{"/g; s/,"unrecorded"/\n&/; s/,"loops"/\n&/g; s/,"arguments"/\n&/g' "$out/table" \
    >"$out/lines"
[ ! -e "$out/cuda" ] || sed 's/{"/\n{"/g; s/"hidden"/\n&/g; s/"refusal"/\n&/g' "$out/cuda" >"$out/cuda-lines"
if grep -q "TEXT[-A-Z]*:" "$case"; then
    # shellcheck disable=SC2086
    "$instrumenter" --source "$(basename "$case")" --output "$out/text" --table "$out/table" \
        --records none $options
fi
for prefix in CHECK TABLE TEXT CUDA; do
    grep -q "$prefix[-A-Z]*:" "$case" || continue
    case $prefix in
    CHECK) file=$out/ir ;;
    TABLE) file=$out/lines ;;
    TEXT) file=$out/text ;;
    CUDA) file=$out/cuda-lines ;;
    esac
    "FileCheck-${WARPLINE_LLVM:-19}" --check-prefix=$prefix --input-file="$file" "$case"
done
