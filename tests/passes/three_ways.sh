#!/bin/sh
# three_ways.sh BUILD [SEEDS [FIRST]]: random programs of GPU operations (ptx_steps.def) by three ways: CUDA C++ through
# our front end, the PTX that nvcc makes of the same source, and in C what the manual says. Not part of the tests: it
# needs nvcc, and takes seconds a seed.
set -eu
build=$(cd "$1" && pwd)
seeds=${2:-20}
seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
WARPLINE_CUDA_INCLUDE=$here/../../cuda/include
export WARPLINE_CUDA_INCLUDE
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
last=$((seed + seeds))
failed=0

# way NAME INPUT
way() {
	"$build/tests/test_ptx_on_device" "$build/warpline-instrument" "$seed" "$2" >"$folder/log" 2>&1 || {
		failed=$((failed + 1))
		echo "seed $seed, $1:"
		grep step "$folder/log" | head -n 10
	}
}

while [ "$seed" -lt "$last" ]; do
	"$build/tests/test_ptx_on_device" "$build/warpline-instrument" "$seed" print 2>/dev/null |
		sed '/^\[/d' >"$folder/steps.cu"
	nvcc -w -fmad=false -ptx -arch=sm_80 -o "$folder/steps.ptx" "$folder/steps.cu"
	way source source
	way nvcc "$folder/steps.ptx"
	seed=$((seed + 1))
done
echo "$seeds seeds, $failed differ"
[ $failed -eq 0 ]
