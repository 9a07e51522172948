#!/bin/sh
# ptxas.sh INSTRUMENTER CASE...: what the PTX door makes of each case, with every kind of records, is
# taken by NVIDIA's assembler for every GPU from sm_75 on that it knows. Skipped without it.
set -eu
instrumenter=$1
shift
ptxas=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
if [ ! -x "$ptxas" ]; then
    echo "skipped: there is no ptxas"
    exit 77
fi
known=
for gpu in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100; do
    ! "$ptxas" --help | grep -q "'$gpu'" || known="$known $gpu"
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for case; do
    for records in none raw affine count; do
        "$instrumenter" --source "$case" --output "$out/out.ptx" --table "$out/table" \
            --door ptx --records $records --wide-addresses 0 --spaces local,constant
        for gpu in $known; do
            [ $records = affine ] || [ $gpu = sm_75 ] || continue
            "$ptxas" -O0 -arch=$gpu -o /dev/null "$out/out.ptx" || {
                echo "$(basename "$case") with $records records is not taken for $gpu"
                exit 1
            }
        done
    done
done
