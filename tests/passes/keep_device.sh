#!/bin/sh
# keep_device.sh INSTRUMENTER: the code that text made of CUDA carries is recorded as the source would be, as
# long as that is there; without it, as far as bitcode tells.
set -eu
instrumenter=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

cat >k.cu <<'END'
struct view { const float *p; int n; };
extern "C" __global__ void k(view v, float *out)
{
	for (int i = 0; i < v.n; i++)
		out[i] = 2 * v.p[i];
}
END
# carried TEXT: the code that it carries.
carried() {
	sed -n '2,/^[*]\//p' "$1" | grep -v '[*]' | base64 -d
}
"$instrumenter" --source k.cu --output k.cl --table k.table --cuda-table k.json --records none --keep-device 1
"$instrumenter" --source k.cu --output bare.cl --table bare.table --records none
"$instrumenter" --source k.cu --output source.cl --table source.table
carried k.cl >k.bc
grep -v '[*]' bare.cl >bare.rest
sed '2,/^[*]\//d' k.cl | grep -v '[*]' | cmp - bare.rest
"$instrumenter" --source k.bc --output again.cl --table again.table
cmp source.table again.table
cmp source.cl again.cl

# The finished code alone has neither places nor names of variables in its text.
"$instrumenter" --source bare.cl --output bare2.cl --table bare2.table
if cmp -s source.table bare2.table; then
    echo "the finished code has places"
    exit 1
fi
grep -q '"place":\["k.cu",5,16\]' again.table
grep -q '"expression":"v.p\[i\]"' again.table

mv k.cu gone.txt
"$instrumenter" --source k.bc --output again.cl --table again.table
grep -q '"place":\["k.cu",5,16\]' again.table
if grep -q '"expression":"v' again.table; then
    echo "expressions of a text that is not there"
    exit 1
fi

# A kernel in a file that another includes, which alone makes no sense and is not CUDA by its name: it is
# read as a part of what was compiled. Beside the compiler's folder and below it, by a relative name and a
# full one.
mkdir -p below/parts
cat >below/parts/inner.h <<'END'
__attribute__((global)) void inner(view v, float *out, int i)
{
	out[i] = v.p[i];
}
END
cat >below/outer.cu <<'END'
struct view { const float *p; int n; };
#include "parts/inner.h"
END
for at in "below outer.cu" ". below/outer.cu" ". $PWD/below/outer.cu"; do
    (cd "${at%% *}" && "clang-${WARPLINE_LLVM:-19}" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_75 -w -g \
        -emit-llvm -c "${at#* }" -o "$dir/k.bc")
    "$instrumenter" --source k.bc --output again.cl --table again.table
    for expression in 'v.p\[i\]' 'out\[i\]'; do
        grep -q '"expression":"'"$expression"'"' again.table || {
            echo "$at: no $expression of an included file"
            exit 1
        }
    done
done
