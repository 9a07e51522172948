#!/bin/sh
# explain.sh INSTRUMENTER CASE: match with FileCheck how the sites of CASE (.cl or .ll) are recorded.
set -eu
instrumenter=$1
case=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cd "$(dirname "$case")"
"$instrumenter" --source "$(basename "$case")" --output "$out/out.bc" --table "$out/table" \
    --records affine --explain "$out/sites"
"FileCheck-${WARPLINE_LLVM:-19}" --check-prefix=SITE --input-file="$out/sites" "$case"
