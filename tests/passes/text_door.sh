#!/bin/sh
# text_door.sh INSTRUMENTER TESTS SEED: a random program of that seed, natively and through the text door.
set -eu
instrumenter=$1 tests=$2 seed=$3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$tests/text_random" "$seed" >"$out/native.cl"
"$instrumenter" --source "$out/native.cl" --output "$out/text.cl" --table "$out/table" \
    --door text --records none
timeout 250 "$tests/text_round_trip" "$out/native.cl" "$out/text.cl" "" "$seed"
