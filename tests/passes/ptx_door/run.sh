#!/bin/sh
# run.sh INSTRUMENTER CASE: put CASE (.cu or .ll) through the PTX door and match it with FileCheck.
# CHECK lines are about the probed IR, TABLE lines about the table, PTX lines about what comes out.
# A line "OPTIONS: ..." in the case gives further options.
set -eu
instrumenter=$1
case=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cd "$(dirname "$case")"
options=$(sed -n 's/.*OPTIONS: *//p' "$case")
# shellcheck disable=SC2086 # options are words
"$instrumenter" --source "$(basename "$case")" --output "$out/out.ptx" --table "$out/table" \
    --door ptx --emit-llvm "$out/ir" $options
sed 's/{"/\n{"/g; s/,"unrecorded"/\n&/; s/,"loops"/\n&/g; s/,"arguments"/\n&/g' "$out/table" \
    >"$out/lines"
for prefix in CHECK TABLE PTX; do
    grep -q "$prefix[-A-Z]*:" "$case" || continue
    case $prefix in
    CHECK) file=$out/ir ;;
    TABLE) file=$out/lines ;;
    PTX) file=$out/out.ptx ;;
    esac
    "FileCheck-${WARPLINE_LLVM:-19}" --check-prefix=$prefix --input-file="$file" "$case"
done
