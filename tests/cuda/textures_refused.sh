#!/bin/sh
# textures_refused.sh: a program with a texture reference, which newer toolkits do not have either, is
# not compiled, and the message says what is not supported, and where.
. "$SOURCE_DIR/tests/e2e/lib.sh"

cp "$SOURCE_DIR/tests/cuda/texture_reference.cu_refused" reference.cu
status=0
"$warpline" nvcc -I"$SOURCE_DIR/tests/cuda" -o reference reference.cu >out 2>err || status=$?
[ $status -ne 0 ] || fail "it was compiled"
grep -q 'not supported: .*textures' err || fail "textures are not named: see err"
grep -q 'reference.cu:[0-9]' err || fail "the line is not named: see err"
passed
