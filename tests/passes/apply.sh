#!/bin/bash
# apply.sh INSTRUMENTER TESTS KERNELS.cl: the text with changed loads is OpenCL C for every compiler
# and the same program; for one that says it is NVIDIA's it has the loads with .cg, which ptxas takes
# where it is installed.
set -eu
instrumenter=$1 tests=$2 kernels=$3
export PATH=$PATH:/usr/local/cuda/bin
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$out"

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# write LIST-TEXT [OPTION...]
write() {
	local list=$1
	shift
	"$instrumenter" --source "$kernels" --output text.cl --table table --apply "$list" "$@"
}

# nvidia: text.cl as NVIDIA's compiler sees it, in out.ptx. Clang 22 would make two functions of a kernel, and
# declare one of them as ptxas does not take it.
nvidia() {
	"$(command -v clang-19 || echo "clang-${WARPLINE_LLVM:-19}")" -x cl -cl-std=CL1.2 -target nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_75 \
		-Xclang -target-feature -Xclang +ptx64 -D__NV_CL_C_VERSION=120 -O1 -S text.cl -o out.ptx
}

all=$(printf 'warpline bypass 1\nall\n')
write "$all" --records none
# applied KERNEL: the sites that are changed; those of a kernel are numbered from 0 in the order of its text.
applied() {
	"$tests/json_get" table "kernels.$1.applied.*" | tr '\n' ' '
}
[ "$(applied 0)" = "0 1 2 3 4 " ] || fail "of scalars $(applied 0) are changed, expected all five"
[ "$(applied 1)" = "0 1 2 3 4 5 " ] || fail "of vectors $(applied 1) are changed, expected all six"
# Sites 0 to 4: vload4(), a struct as a whole, a member, what is volatile, sixteen elements.
[ "$(applied 3)" = "2 4 " ] || fail "of others $(applied 3) are changed, expected 2 and 4"
"clang-${WARPLINE_LLVM:-19}" -x cl -cl-std=CL1.2 -target spir64-unknown-unknown -emit-llvm -S text.cl -o plain.ll || fail "the text is no OpenCL C"
grep -q 'ld\.global' plain.ll && fail "other compilers see PTX"
nvidia || fail "with inline PTX the text is no OpenCL C"
for form in u8 u16 u32 v2.u32 v4.u32; do
	grep -q "ld.global.cg.$form" out.ptx || fail "no ld.global.cg.$form"
done

# As many loads as there are, pieces of wide ones counted: scalars 5; vectors 1 + 1 + 1 + 1 + 2 + 3.
count() {
	sed -n "/entry $1(/,/^}/p" out.ptx | grep -c 'ld.global.cg' || true
}
[ "$(count scalars)" -eq 5 ] || fail "scalars has $(count scalars) loads with .cg, expected 5"
[ "$(count vectors)" -eq 9 ] || fail "vectors has $(count vectors) loads with .cg, expected 9"

# Of 4 bytes each, two of them at any address.
[ "$(count packed)" -eq 9 ] || fail "packed has $(count packed) loads with .cg, expected 4 + 4 + 1"

# One site, and a threshold of warps for the rest.
write "$(printf 'warpline bypass 1\nkernel scalars\nsite 1\nwarps 3\nkernel vectors\nline 26\n')" --records none
[ "$(grep -c 'WARPLINE_LOAD(as_' text.cl)" -eq 1 ] || fail "not one load is changed in all warps"
[ "$(grep -c 'WARPLINE_LOAD_FROM(3, ' text.cl)" -eq 4 ] || fail "not four loads are changed in some warps"
nvidia || fail "with a threshold the text is no OpenCL C"

# With probes, the same program on a device.
write "$all"
nvidia || fail "with probes the text is no OpenCL C"
if command -v ptxas >/dev/null; then
	# What the device's library has is only declared.
	perl -0pe 's/^\.func(?=[^{};]*\n;)/.extern .func/mg' out.ptx >linked.ptx
	for gpu in sm_75 sm_80 sm_90 sm_100; do
		ptxas --help | grep -q "'$gpu'" || continue
		ptxas -c -arch=$gpu linked.ptx -o out.cubin || fail "ptxas does not take it for $gpu"
	done
else
	echo "ptxas is not installed: nothing is assembled"
fi
cp "$kernels" native.cl
# emulate: text.cl with NVIDIA's half, each piece of inline PTX a plain load, in emulated.cl.
emulate() {
	sed -e '1a #define __NV_CL_C_VERSION 120' \
		-e 's/__asm__.*cg\.u8 .*/v = *(__global uchar *)p;/' \
		-e 's/__asm__.*cg\.u16 .*/v = *(__global ushort *)p;/' \
		-e 's/__asm__.*cg\.u32 .*/v = *(__global uint *)p;/' \
		-e 's/__asm__.*cg\.u64 .*/v = *(__global ulong *)p;/' \
		-e 's/__asm__.*cg\.v2\.u32 .*/x = ((__global uint *)p)[0]; y = ((__global uint *)p)[1];/' \
		-e 's/__asm__.*cg\.v4\.u32 .*/x = ((__global uint *)p)[0]; y = ((__global uint *)p)[1]; z = ((__global uint *)p)[2]; w = ((__global uint *)p)[3];/' \
		text.cl >emulated.cl
	grep -q __asm__ emulated.cl && fail "a piece is not known here"
	ASAN_OPTIONS=detect_leaks=0 timeout -k 5 400 "$tests/text_round_trip" native.cl emulated.cl "" 1
}
write "$all" --records none
emulate
write "$(printf 'warpline bypass 1\nkernel scalars\nsite 1\nkernel *\nwarps 1\n')" --records none
emulate
ASAN_OPTIONS=detect_leaks=0 timeout -k 5 400 "$tests/text_round_trip" native.cl text.cl "" 1
