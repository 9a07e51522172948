#!/bin/sh
# run.sh LOWER CASE.ll: what lower_cuda_calls() makes of CASE, matched with FileCheck; LINKED lines are
# about the code with the library in it.
set -eu
lower=$1
case=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$lower" "$case" "$out/linked.bc" "$out/calls"
"FileCheck-${WARPLINE_LLVM:-14}" --input-file="$out/calls" "$case"
if grep -q "LINKED[-A-Z]*:" "$case"; then
    "llvm-dis-${WARPLINE_LLVM:-14}" "$out/linked.bc" -o "$out/linked"
    "FileCheck-${WARPLINE_LLVM:-14}" --check-prefix=LINKED --input-file="$out/linked" "$case"
fi
