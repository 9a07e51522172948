#!/bin/sh
# textures_refused.sh: a program with a texture reference, which newer toolkits do not have either, is
# not compiled, and the message says what is not supported.
. "$SOURCE_DIR/tests/e2e/lib.sh"

command -v clang-14 >clang || { echo "there is no clang-14"; exit 77; }
for name in texture_reference; do
	cp "$SOURCE_DIR/tests/cuda/$name.cu_refused" $name.cu
	status=0
	"$warpline" nvcc -I"$SOURCE_DIR/tests/cuda" -o $name $name.cu >$name.out 2>$name.err || status=$?
	[ $status -ne 0 ] || fail "$name.cu was compiled"
	grep -q 'not supported: .*textures' $name.err || fail "$name.err does not name textures"
	grep -q "$name.cu:[0-9]" $name.err || fail "$name.err does not name the line"
done
passed
