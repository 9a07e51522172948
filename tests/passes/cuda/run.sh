#!/bin/sh
# run.sh LOWER CASE.ll: what lower_cuda_calls() makes of CASE, matched with FileCheck; LINKED lines are
# about the code with the library in it.
set -eu
lower=$1
case=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$lower" "$case" "$out/calls" "$out/linked"
"FileCheck-${WARPLINE_LLVM:-19}" --input-file="$out/calls" "$case"
if grep -q "LINKED[-A-Z]*:" "$case"; then
    "FileCheck-${WARPLINE_LLVM:-19}" --check-prefix=LINKED --input-file="$out/linked" "$case"
fi
