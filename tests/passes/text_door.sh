#!/bin/sh
# text_door.sh INSTRUMENTER TESTS SEED|FILE: the kernels of FILE, or of a random program of that
# seed, natively and through the text door.
set -eu
instrumenter=$1 tests=$2 what=$3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

case $what in
*.cl) cp "$what" "$out/native.cl" ;;
*) "$tests/text_random" "$what" double >"$out/native.cl" ;;
esac
"$instrumenter" --source "$out/native.cl" --output "$out/text.cl" --table "$out/table" \
    --door text --records none
timeout -k 5 100 "$tests/text_round_trip" "$out/native.cl" "$out/text.cl" "" 1
