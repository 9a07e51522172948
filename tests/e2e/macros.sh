#!/bin/sh
# macros.sh DEVICE: a text means the same to the instrumenter as to the device's compiler.
#
# Law: what a program writes that turns every macro into a string, and names every function that is one,
# is the same natively and recorded; and so are programs that take another way by a macro. Programs whose
# text could still mean something else run as they are, and the reason names what in it.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"
device=$1
mkdir inc
export WARPLINE_CACHE="$work/cache"
mkdir cache

# All names: strings of what they become, and of functions whether they are macros. clang and POCL have
# macros that no other compiler has heard of.
"$BUILD_DIR/tests/language_list" | grep -v -e __opencl_c_named_address_space_builtins -e __opencl_subgroup_builtins >names # clang's own
for name in __x86_64__ __AVX__ __linux__ unix linux POCL_DEVICE_ADDRESS_BITS CLANG_MAJOR LLVM_15_0 IMG_RO_AQ \
	_CL_NOINLINE _CL_OVERLOADABLE __USE_CLANG_OPENCL_C_H cl_khr_int64 __GNUC__ __NV_CL_C_VERSION none_of_these; do
	echo "m $name"
done >>names
awk 'BEGIN { print "#define Q(...) #__VA_ARGS__\n#define S(...) Q(__VA_ARGS__)\n__constant char text[] =" }
	{ print "#ifdef " $2; print $1 == "f" ? "\"" $2 "\\n\"" : "\"" $2 "=\" S(" $2 ") \"\\n\""; print "#endif" }
	END {
		print "\"\";\n__kernel void k(__global char *out, uint bytes)\n{"
		print "\tfor (uint i = 0; i < sizeof(text); i++)\n\t\tout[i] = text[i];\n}"
	}' names >all.cl
[ "$(grep -c '^#ifdef' all.cl)" -gt 1800 ] || fail "there are few names"

# Other code by macros, in a header, by names that ## makes, of macros with parameters; after the program's
# own definitions and without.
cat >inc/by.h <<'CL'
#ifdef POCL_DEVICE_ADDRESS_BITS
#define BY_HEADER (POCL_DEVICE_ADDRESS_BITS + 1)
#else
#define BY_HEADER 3
#endif
CL
cat >ways.cl <<'CL'
#include "by.h"
#define CAT(a, b) a##b
#ifndef min
#define min(a, b) 77
#endif
#ifndef M_PI
#define M_PI 3
#endif
#ifndef __IF_INT64
#define __IF_INT64(x)
#define __IF_FP16(x) x
#define _CL_NOINLINE
#endif
int put(__global char *out, int at, int value)
{
	for (int digit = 100000; digit; digit /= 10)
		out[at++] = '0' + value / digit % 10;
	out[at++] = ' ';
	return at;
}
int _CL_NOINLINE twice(int x) { return 2 * x; }
__kernel void k(__global char *out, uint bytes)
{
	int at = 0;
	at = put(out, at, __OPENCL_C_VERSION__);
	at = put(out, at, __OPENCL_VERSION__);
#if __OPENCL_C_VERSION__ >= 200
	at = put(out, at, 200);
#endif
#ifdef __SPIR__
	at = put(out, at, 64);
#endif
#ifdef __x86_64__
	at = put(out, at, 86);
#endif
#ifdef cl_khr_int64
	at = put(out, at, 1);
#endif
#if CAT(POCL_DEVICE_, ADDRESS_BITS) == 64
	at = put(out, at, 2);
#endif
#ifdef __opencl_c_generic_address_space
	at = put(out, at, 3);
#endif
#ifdef __FAST_RELAXED_MATH__
	at = put(out, at, __FAST_RELAXED_MATH__);
#endif
	at = put(out, at, BY_HEADER);
#undef POCL_DEVICE_ADDRESS_BITS
#ifdef POCL_DEVICE_ADDRESS_BITS
	at = put(out, at, 4);
#endif
#ifdef MINE
	at = put(out, at, MINE);
#endif
#ifdef cl_khr_int64
	at = put(out, at, cl_khr_int64);
#endif
	at = put(out, at, min(5, 6));
	at = put(out, at, (int)(100 * M_PI));
	at = put(out, at, 1 __IF_INT64(+10) __IF_FP16(+100));
	at = put(out, at, __clang_major__ * 100 + __COUNTER__);
	at = put(out, at, twice(FP_ILOGB0 < 0) + __LINE__);
	out[at] = 0;
}
CL

# OpenCL C 2.0 and 3.0: pointers without a qualifier, with and without generic ones; atomics of 2.0, which
# some devices take without being asked for it.
cat >pointers.cl <<'CL'
int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
uchar turned(const uchar *table, uint i) { return table[i & 3] ^ 0x63; }
__kernel void k(__global char *out, uint bytes)
{
	int some[4] = { 1, 2, 3, 4 };
	uchar table[4] = { 1, 2, 3, 4 };
	float whole;
	out[0] = 'a' + sum(some, 4);
	out[1] = turned(table, bytes);
	out[2] = 'a' + (int)(8 * fract(2.5f, &whole)) + whole;
}
CL
cat >atomics.cl <<'CL'
__kernel void k(__global char *out, uint bytes)
{
	volatile __global atomic_int *counter = (volatile __global atomic_int *)(out + 4);
	int old = atomic_fetch_add_explicit(counter, 7, memory_order_relaxed, memory_scope_device);
	out[0] = 'a' + old + atomic_load_explicit(counter, memory_order_relaxed, memory_scope_device);
	*(volatile __global int *)counter = 0;
}
CL

# A macro of the device's own, without which this is no program.
cat >needs.cl <<'CL'
#ifndef POCL_DEVICE_ADDRESS_BITS
#error
#endif
int _CL_NOINLINE twice(int x) { return 2 * x; }
__kernel void k(__global char *out, uint bytes) { out[0] = 'a' + twice(bytes != 0); out[1] = 0; }
CL

# What the device's compiler has, which is not what ours has: clang for SPIR knows no such builtins.
writes='__kernel void k(__global char *out, uint bytes) { for (uint i = 0; i < sizeof(text); i++) out[i] = text[i]; }'
has() { printf '%s\n' "#if $1" "__constant char text[] = \"$2\";" '#else' "__constant char text[] = \"no $2\";" '#endif' "$writes"; }
has '__has_builtin(__builtin_ia32_pause) && !__has_builtin ( __builtin_amdgcn_fence )' pause >has.cl

# What runs as it is: the device's file name, questions about headers, strings and names of functions
# that it renames, a macro of parameters that cannot be seen through.
define='#define Q(x) #x
#define S(x) Q(x)
#define J(a, b) a##b
#define C(a, b) J(a, b)'
printf '%s\n' '__constant char text[] = __FILE__ ? "x" : "y";' "$writes" | sed 's/__FILE__ ? "x" : "y"/"at " __FILE__/' >file.cl
has '__has_include(<opencl-c.h>)' header >header.cl
printf '%s\n' "$define" '__constant char text[] = S(min);' "$writes" >string.cl
printf '%s\n' "$define" "$writes" | sed 's/k(/C(k, 0)(/; s/text/"x"/g' >plain.cl
printf '%s\n' "$define" '__constant char text[] = "name";' 'int C(min, _of_two)(int a, int b) { return a < b ? a : b; }' \
	"$writes" >name.cl
printf '%s\n' '#ifdef _CL_STATIC_ASSERT' '_CL_STATIC_ASSERT(four, sizeof(int) == 4);' '#endif' \
	'__constant char text[] = "assert";' "$writes" >assert.cl

case $device in
pocl)
	alike='-cl-std=CL1.1 -cl-std=CL1.2 -cl-std=CL2.0 -cl-std=CL3.0 -cl-fast-relaxed-math'
	apart='file.cl string.cl name.cl header.cl assert.cl'
	;;
oclgrind)
	alike='-cl-std=CL1.0 -cl-std=CL1.1 -cl-std=CL1.2 -cl-std=CL2.0 -cl-fast-relaxed-math'
	apart='header.cl'
	;;
esac

# POCL 6 has 1.2 and 3.0.
if [ "$device" = pocl ] && "$BUILD_DIR/tests/text_programs" all.cl -cl-std=CL2.0 2>/dev/null | grep -q 'does not build'; then
	has_cl20=
	alike=$(echo "$alike" | sed 's/ -cl-std=CL2.0//')
else
	has_cl20=1
fi

# programs COMMAND...: all of them, by COMMAND, in one process.
programs() {
	set -- "$@" "$BUILD_DIR/tests/text_programs" all.cl '' pointers.cl '' ways.cl "-I inc"
	for option in $alike; do
		set -- "$@" ways.cl "-I inc $option"
	done
	set -- "$@" ways.cl '-Iinc -DMINE=9 -DM_PI=4' ways.cl '-I inc -D cl_khr_int64=5 -D IMG_RO_AQ=7 -D__x86_64__=3'
	set -- "$@" all.cl -cl-std=CL1.2 has.cl '' has.cl -cl-std=CL1.1
	[ "$device" = oclgrind ] || set -- "$@" atomics.cl '' needs.cl ''
	[ "$device" = oclgrind ] || [ -z "$has_cl20" ] || set -- "$@" pointers.cl -cl-std=CL2.0 all.cl -cl-std=CL2.0
	"$@"
}
programs env >native.out 2>native.err || fail "the programs end with $?: $(tail -3 native.err)"
! grep -q 'does not build' native.out || fail "$(grep -B1 'does not build' native.out)"
programs "$warpline" record -o alike >alike.out 2>alike.err || fail "recorded they end with $?: $(tail -3 alike.err)"
diff native.out alike.out >differences || fail "they give something else: $(head -4 differences)"
info_of alike
[ "$info_status" = 0 ] || fail "not all are recorded: $(offline info alike | grep 'not recorded' | head -4)"
if [ "$device" = oclgrind ]; then other=120; else other=300; fi
grep -q "^__OPENCL_C_VERSION__=$other\$" native.out || fail "the device's language is not $other"
[ "$device" = oclgrind ] || grep -q '^pause$' native.out || fail "the device has no builtin of its own"
! grep -q '^none_of_these' native.out || fail "a name that nobody has is a macro"

# Nothing is asked twice: with what is kept no compiler runs for it, ours or the device's.
ls cache/*-macros.wlcache >/dev/null || fail "no answer is kept"
programs "$warpline" record -o again >again.out 2>again.err || fail "a second time they end with $?"
cmp -s native.out again.out || fail "a second time they give something else"

# shellcheck disable=SC2046 # pairs of words
"$BUILD_DIR/tests/text_programs" $(for f in $apart; do echo "$f -w"; done) >native.apart
# shellcheck disable=SC2046
record apart "$BUILD_DIR/tests/text_programs" $(for f in $apart; do echo "$f -w"; done)
expect "the exit status" "$status" 0
sed 's/tempfile_[A-Za-z0-9]*/tempfile/' native.apart >a
sed 's/tempfile_[A-Za-z0-9]*/tempfile/' apart.out >b
diff a b >differences || fail "left alone they give something else: $(head -4 differences)"
offline info apart >apart.text || true
reason() { grep -q "not recorded: .*$1" apart.text || fail "nobody says '$1': $(cat apart.text)"; }
reason 'the source uses __has_include, whose answer depends on'
if [ "$device" = pocl ]; then
	reason 'the source uses __FILE__'
	reason 'the source makes a string from min, a function that'
	reason 'the source makes an identifier from min, a function that'
	reason 'the source uses _CL_STATIC_ASSERT, a macro of'
fi
passed
