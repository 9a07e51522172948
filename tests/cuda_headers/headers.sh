#!/bin/sh
# headers.sh WARPLINE SOURCE CLANG++: our headers of CUDA by every compiler that is to take them: clang for
# both sides of CUDA C++, by several standards and for several GPUs; g++ (where it is installed), gcc and clang
# for host code only.
set -u
warpline=$1 source=$2 clang=$3
here=$source/tests/cuda_headers include=$source/cuda/include
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0

must() {
	"$@" >"$tmp/said" 2>&1 && [ ! -s "$tmp/said" ] && return
	echo "FAILED: $*"
	head -20 "$tmp/said"
	failed=1
}

must "$warpline" nvcc -Xcompiler -Wall -c "$here/all_headers.cu" -o "$tmp/a.o"
must "$warpline" nvcc -std=c++14 -arch=sm_86 --use_fast_math -c "$here/all_headers.cu" -o "$tmp/a.o"
must "$warpline" nvcc -std=c++17 -arch=sm_90 -c "$here/all_headers.cu" -o "$tmp/a.o"
must "$warpline" nvcc -std=c++20 -arch=sm_89 -c "$here/all_headers.cu" -o "$tmp/a.o"
must "$warpline" nvcc -std=c++11 -arch=sm_35 -c "$source/docs/examples/transpose.cu" -o "$tmp/a.o"

# Macros by which programs know nvcc: bits of what hangs on options, then the options.
macros() { # BITS OPTION...
	bits=$1
	shift
	must "$warpline" nvcc -DWANTED="$bits" -arch=sm_75 -DARCH=750 "$@" -c "$here/nvcc_macros.cu" -o "$tmp/a.o"
}
macros 0
macros 0 -rdc=false --default-stream legacy
macros 1 -rdc=true
macros 1 -dc
macros 62 -ewp -G --expt-relaxed-constexpr --extended-lambda --default-stream per-thread
printf '#ifndef __NVCC__\n#error\n#endif\n#ifdef __CUDACC__\n#error\n#endif\n' >"$tmp/host.cpp"
must "$warpline" nvcc -c "$tmp/host.cpp" -o "$tmp/a.o"

compilers=$clang
command -v g++ >/dev/null && compilers="$clang g++"
for compiler in $compilers; do
	must "$compiler" -std=c++98 -Wall -Wextra -fsyntax-only -I"$include" "$here/host_only.cpp"
	must "$compiler" -std=c++20 -Wall -Wextra -fsyntax-only -I"$include" "$here/host_only.cpp"
done
must "$clang" -Wall -Wextra -fsyntax-only -I"$include" "$here/host_only.cpp"
must gcc -std=c11 -Wall -Wextra -Wpedantic -fsyntax-only -I"$include" "$here/host_only.c"

# What is refused says so.
refused() { # SENTENCE SOURCE
	printf '%s\n' "$2" >"$tmp/refused.cu"
	"$warpline" nvcc -c "$tmp/refused.cu" -o "$tmp/a.o" 2>"$tmp/said" && failed=1
	grep -q "$1" "$tmp/said" || { echo "FAILED: nothing says '$1':"; head -5 "$tmp/said"; failed=1; }
}
refused 'texture<> is not supported' 'texture<float, 1> t; __global__ void k(float *p) { *p = 1; }'
refused '__managed__ variables are not supported' '__managed__ int m;'

# What one kernel may not do does not keep the others from being compiled.
cat >"$tmp/one.cu" <<'CU'
#include <cooperative_groups.h>
__global__ void fetches(cudaTextureObject_t t, float *p) { *p = tex1Dfetch<float>(t, 0) + tex2D<float>(t, 0.5f, 0.5f); }
__global__ void stores(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4, 5); }
__global__ void waits() { cooperative_groups::this_grid().sync(); }
CU
must "$warpline" nvcc -c "$tmp/one.cu" -o "$tmp/a.o"

# Numbers of 16 bits, on this computer.
for compiler in $compilers; do
	must "$compiler" -O2 -Wall -Wextra -I"$include" -o "$tmp/half" "$here/half.cpp"
	must "$tmp/half"
done
exit $failed
