#!/bin/sh
# record.sh WARPLINE PROGRAM: a program of CUDA is recorded as one of OpenCL is, with kernels, arguments, buffers.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$1" record -o "$work/rec" "$2" >"$work/out" 2>"$work/err" || status=$?
[ "$status" = 77 ] && exit 77
cat "$work/err" >&2
"$1" info "$work/rec" >"$work/info"
cat "$work/info" >&2
[ "$status" = 0 ]
grep -q '^complete  yes' "$work/info"
