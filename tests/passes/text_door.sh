#!/bin/sh
# text_door.sh INSTRUMENTER TESTS SEED|FILE: the kernels of FILE, or of a random program of that
# seed, natively and through the text door. What a runtime leaks is not looked at: where it comes from
# is told by a walk of the stack that is wrong at times.
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
ASAN_OPTIONS=detect_leaks=0 timeout -k 5 400 "$tests/text_round_trip" "$out/native.cl" "$out/text.cl" "" 1
