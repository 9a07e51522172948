/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_value.h"

#include "gpu_arithmetic.h"

#include <stdio.h>

#define HALF_BITS      16
#define NOT_A_NUMBER   0x7fff
#define BELOW_THE_HALF 0x7fff

LLVMValueRef ptx_half_to_float(struct ptx_emitter *e, LLVMValueRef bits, enum ptx_type type)
{
	LLVMValueRef word;

	if (ptx_type_class(type) == PTX_CLASS_H)
		return ptx_call(e, "__nv_half2float", ptx_float(e), &bits, 1);
	word = LLVMBuildZExt(e->b, bits, ptx_int(e, 32), "");
	word = LLVMBuildShl(e->b, word, ptx_like(word, HALF_BITS), "");
	return LLVMBuildBitCast(e->b, word, ptx_float(e), "");
}

/* The upper half, plus one if the lower half is above the middle, or at the middle and the upper is
 * odd. */
static LLVMValueRef cut(struct ptx_emitter *e, LLVMValueRef value)
{
	LLVMValueRef bits = LLVMBuildBitCast(e->b, value, ptx_int(e, 32), "");
	LLVMValueRef upper = LLVMBuildLShr(e->b, bits, ptx_like(bits, HALF_BITS), "");
	LLVMValueRef odd = LLVMBuildAnd(e->b, upper, ptx_like(upper, 1), "");
	LLVMValueRef is_none = LLVMBuildFCmp(e->b, LLVMRealUNO, value, value, "");

	bits = LLVMBuildAdd(e->b, bits, ptx_like(bits, BELOW_THE_HALF), "");
	bits = LLVMBuildAdd(e->b, bits, odd, "");
	bits = LLVMBuildLShr(e->b, bits, ptx_like(bits, HALF_BITS), "");
	bits = LLVMBuildSelect(e->b, is_none, ptx_like(bits, NOT_A_NUMBER), bits, "");
	return LLVMBuildTrunc(e->b, bits, ptx_int(e, HALF_BITS), "");
}

static LLVMValueRef ptx_float_to_half(struct ptx_emitter *e, LLVMValueRef value, enum ptx_type type)
{
	if (ptx_type_class(type) == PTX_CLASS_H)
		return ptx_call(e, "__nv_float2half_rn", ptx_int(e, HALF_BITS), &value, 1);
	return cut(e, value);
}

LLVMValueRef ptx_half_lane(struct ptx_emitter *e, LLVMValueRef bits, unsigned i)
{
	if (LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == HALF_BITS)
		return bits;
	if (i)
		bits = LLVMBuildLShr(e->b, bits, ptx_like(bits, HALF_BITS), "");
	return LLVMBuildTrunc(e->b, bits, ptx_int(e, HALF_BITS), "");
}

static LLVMValueRef ptx_half_pair(struct ptx_emitter *e, LLVMValueRef low, LLVMValueRef high)
{
	low = LLVMBuildZExt(e->b, low, ptx_int(e, 2 * HALF_BITS), "");
	high = LLVMBuildZExt(e->b, high, ptx_int(e, 2 * HALF_BITS), "");
	high = LLVMBuildShl(e->b, high, ptx_like(high, HALF_BITS), "");
	return LLVMBuildOr(e->b, low, high, "");
}

#define OPERANDS   3
#define NAME_BYTES 40

/* One-operand functions without an LLVM operation, by their names in CUDA's library. */
static const struct {
	const char *opcode, *single, *wide;
} functions[] = {
	{ "rsqrt", "__nv_rsqrtf", "__nv_rsqrt" }, { "sin", "__nv_sinf", "__nv_sin" },
	{ "cos", "__nv_cosf", "__nv_cos" },       { "lg2", "__nv_log2f", "__nv_log2" },
	{ "ex2", "__nv_exp2f", "__nv_exp2" },     { "tanh", "__nv_tanhf", "__nv_tanh" },
};

static bool is_named(const struct ptx_step *s, const char *names)
{
	return ptx_word_is_in(s->statement->name, names);
}

enum ptx_rounding ptx_rounding_of(const struct ptx_emitter *e, const struct ptx_step *s)
{
	if (ptx_has(e, s, ".rz .rzi"))
		return PTX_TO_ZERO;
	if (ptx_has(e, s, ".rm .rmi"))
		return PTX_DOWN;
	return ptx_has(e, s, ".rp .rpi") ? PTX_UP : PTX_TO_NEAREST;
}

/*
 * Call CUDA's function "__nv_NAME_rn", "_rz", "_rd" or "_ru"; the result is a float if is_single.
 */
static LLVMValueRef ptx_real_call(struct ptx_emitter *e, const char *name,
                                  enum ptx_rounding rounding, bool is_single,
                                  LLVMValueRef *arguments, unsigned count)
{
	static const char *const ends[] = { "rn", "rz", "rd", "ru" };
	char whole[NAME_BYTES];

	snprintf(whole, sizeof(whole), "__nv_%s_%s", name, ends[rounding]);
	return ptx_call(e, whole, is_single ? ptx_float(e) : LLVMDoubleTypeInContext(e->context),
	                arguments, count);
}

/* `value` if the comparison with a number holds, else that number. */
static LLVMValueRef unless(struct ptx_emitter *e, LLVMRealPredicate how, LLVMValueRef value,
                           double number)
{
	LLVMValueRef limit = ptx_float_like(value, number);
	LLVMValueRef is_so = LLVMBuildFCmp(e->b, how, value, limit, "");

	return LLVMBuildSelect(e->b, is_so, value, limit, "");
}

/* .sat: clamp to [0, 1], NaN becomes 0; .relu: at least 0. */
static LLVMValueRef ptx_real_limit(struct ptx_emitter *e, const struct ptx_step *s,
                                   LLVMValueRef value)
{
	if (ptx_has(e, s, ".sat"))
		return unless(e, LLVMRealOLT, unless(e, LLVMRealOGT, value, 0), 1);
	return ptx_has(e, s, ".relu") ? unless(e, LLVMRealUGT, value, 0) : value;
}

static bool is_single(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMFloatTypeKind;
}

static LLVMValueRef choose(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                           LLVMValueRef b)
{
	static const char *const names[2][2] = { { "__nv_fmax", "__nv_fmin" },
		                                 { "__nv_fmaxf", "__nv_fminf" } };
	LLVMValueRef both[2] = { a, b }, result, is_none;

	result = ptx_call(e, names[is_single(a)][is_named(s, "min")], LLVMTypeOf(a), both, 2);
	if (!ptx_has(e, s, ".NaN"))
		return result;
	is_none = LLVMBuildFCmp(e->b, LLVMRealUNO, a, b, "");
	return LLVMBuildSelect(e->b, is_none, LLVMBuildFAdd(e->b, a, b, ""), result, "");
}

static LLVMValueRef call_function(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (is_named(s, functions[i].opcode))
			return ptx_call(e, is_single(a) ? functions[i].single : functions[i].wide,
			                LLVMTypeOf(a), &a, 1);
	ptx_refuse(e, "'%.*s' is not supported for floating point numbers",
	           PTX_WORD_ARGS(s->statement->name));
	return a;
}

static LLVMValueRef operate(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef *v)
{
	if (is_named(s, "add"))
		return LLVMBuildFAdd(e->b, v[0], v[1], "");
	if (is_named(s, "sub"))
		return LLVMBuildFSub(e->b, v[0], v[1], "");
	if (is_named(s, "mul"))
		return LLVMBuildFMul(e->b, v[0], v[1], "");
	if (is_named(s, "div"))
		return LLVMBuildFDiv(e->b, v[0], v[1], "");
	if (is_named(s, "mad fma"))
		return ptx_math(e, "fma", v[0], v[1], v[2]);
	if (is_named(s, "min max"))
		return choose(e, s, v[0], v[1]);
	if (is_named(s, "abs"))
		return ptx_math(e, "fabs", v[0], NULL, NULL);
	if (is_named(s, "neg"))
		return LLVMBuildFNeg(e->b, v[0], "");
	if (is_named(s, "rcp"))
		return LLVMBuildFDiv(e->b, ptx_float_like(v[0], 1), v[0], "");
	if (is_named(s, "sqrt"))
		return ptx_math(e, "sqrt", v[0], NULL, NULL);
	return call_function(e, s, v[0]);
}

/* With a rounding other than to nearest. */
static LLVMValueRef operate_directed(struct ptx_emitter *e, const struct ptx_step *s,
                                     LLVMValueRef *v, enum ptx_rounding rounding)
{
	static const struct {
		const char *opcode, *single, *wide;
	} rows[] = {
		{ "add", "fadd", "dadd" },    { "sub", "fsub", "dsub" },
		{ "mul", "fmul", "dmul" },    { "div", "fdiv", "ddiv" },
		{ "rcp", "frcp", "drcp" },    { "sqrt", "fsqrt", "dsqrt" },
		{ "mad fma", "fmaf", "fma" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (is_named(s, rows[i].opcode))
			return ptx_real_call(e, is_single(v[0]) ? rows[i].single : rows[i].wide,
			                     rounding, is_single(v[0]), v, s->count - 1);
	ptx_refuse(e, "'%.*s' with this rounding is not supported",
	           PTX_WORD_ARGS(s->statement->name));
	return v[0];
}

static LLVMValueRef compute(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef *v)
{
	enum ptx_rounding rounding = ptx_rounding_of(e, s);

	if (rounding != PTX_TO_NEAREST && ptx_type_is_half(s->types[0]))
		ptx_refuse(e, "halves with this rounding are not supported");
	return ptx_real_limit(e, s,
	                      rounding == PTX_TO_NEAREST || e->refusal[0]
	                              ? operate(e, s, v)
	                              : operate_directed(e, s, v, rounding));
}

/* One half-precision operation on the operands, or on each pair. */
static LLVMValueRef compute_half(struct ptx_emitter *e, const struct ptx_step *s,
                                 const LLVMValueRef *bits, unsigned lane)
{
	LLVMValueRef v[OPERANDS] = { NULL };

	for (uint32_t i = 0; i + 1 < s->count; i++)
		v[i] = ptx_half_to_float(e, ptx_half_lane(e, bits[i], lane), s->types[0]);
	return ptx_float_to_half(e, compute(e, s, v), s->types[0]);
}

void ptx_real_emit(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef v[OPERANDS] = { NULL }, result;

	if (s->type_count != 1) {
		ptx_refuse(e, "'%.*s' of several types is not supported",
		           PTX_WORD_ARGS(s->statement->name));
		return;
	}
	for (uint32_t i = 0; i + 1 < s->count; i++)
		v[i] = ptx_read_at(e, s, i + 1);
	if (!ptx_type_is_half(s->types[0]))
		result = compute(e, s, v);
	else if (ptx_type_bits(s->types[0]) == 16)
		result = compute_half(e, s, v, 0);
	else
		result = ptx_half_pair(e, compute_half(e, s, v, 0), compute_half(e, s, v, 1));
	ptx_write_result(e, s, result);
}

void ptx_emit_copysign(struct ptx_emitter *e, const struct ptx_step *s)
{
	/* PTX has the sign first. */
	if (ptx_type_is_float(s->types[0]))
		ptx_write_result(
			e, s,
			ptx_math(e, "copysign", ptx_read_at(e, s, 2), ptx_read_at(e, s, 1), NULL));
	else
		ptx_refuse(e, "'copysign' of this type is not supported");
}

void ptx_emit_testp(struct ptx_emitter *e, const struct ptx_step *s)
{
	bool is_single = s->types[0] == PTX_f32;
	LLVMValueRef value, size, limit, least, result;

	if (!ptx_type_is_float(s->types[0])) {
		ptx_refuse(e, "'testp' of this type is not supported");
		return;
	}
	value = ptx_read_at(e, s, 1);
	size = ptx_math(e, "fabs", value, NULL, NULL);
	limit = LLVMConstReal(LLVMTypeOf(value), __builtin_inf());
	least = ptx_float_like(value, is_single ? 0x1p-126 : 0x1p-1022);
	if (ptx_has(e, s, ".number .notanumber"))
		result = LLVMBuildFCmp(e->b, ptx_has(e, s, ".number") ? LLVMRealORD : LLVMRealUNO,
		                       value, value, "");
	else if (ptx_has(e, s, ".infinite"))
		result = LLVMBuildFCmp(e->b, LLVMRealOEQ, size, limit, "");
	else
		result = LLVMBuildFCmp(e->b, LLVMRealOLT, size, limit, "");
	if (ptx_has(e, s, ".normal"))
		result = LLVMBuildAnd(e->b, result,
		                      LLVMBuildFCmp(e->b, LLVMRealOGE, size, least, ""), "");
	if (ptx_has(e, s, ".subnormal"))
		result = LLVMBuildAnd(
			e->b, LLVMBuildFCmp(e->b, LLVMRealOLT, size, least, ""),
			LLVMBuildFCmp(e->b, LLVMRealOGT, size, ptx_float_like(size, 0), ""), "");
	ptx_write(e, s->operands[0], result, PTX_pred);
}

static const char *rounding_function(enum ptx_rounding rounding)
{
	switch (rounding) {
	case PTX_TO_ZERO:
		return "trunc";
	case PTX_DOWN:
		return "floor";
	case PTX_UP:
		return "ceil";
	case PTX_TO_NEAREST:
		break;
	}
	return "rint";
}

static LLVMValueRef integer_to_real(struct ptx_emitter *e, const struct ptx_step *s,
                                    LLVMValueRef value, enum ptx_type from, enum ptx_type to)
{
	enum ptx_rounding rounding = ptx_rounding_of(e, s);
	bool has_sign = ptx_type_is_signed(from), is_wide = ptx_type_bits(from) == 64;
	const char *name = has_sign ? "int2float" : "uint2float";

	if (rounding == PTX_TO_NEAREST || (to == PTX_f64 && !is_wide)) /* the latter is exact */
		return has_sign ? LLVMBuildSIToFP(e->b, value, ptx_type_llvm(e, to), "")
		                : LLVMBuildUIToFP(e->b, value, ptx_type_llvm(e, to), "");
	if (to == PTX_f64)
		name = has_sign ? "ll2double" : "ull2double";
	else if (is_wide)
		name = has_sign ? "ll2float" : "ull2float";
	value = LLVMBuildIntCast2(e->b, value, ptx_int(e, is_wide ? 64 : 32), has_sign, "");
	return ptx_real_call(e, name, rounding, to == PTX_f32, &value, 1);
}

/* Clamp an integer to the range of another type; its type stays. */
static LLVMValueRef clamp(struct ptx_emitter *e, LLVMValueRef value, enum ptx_type from,
                          enum ptx_type to)
{
	unsigned from_bits = ptx_type_bits(from), bits = ptx_type_bits(to);
	bool from_sign = ptx_type_is_signed(from), to_sign = ptx_type_is_signed(to);
	uint64_t most = (~(uint64_t)0 >> (64 - bits)) >> to_sign;

	if (from_sign && !to_sign)
		value = ptx_math(e, "smax", value, ptx_like(value, 0), NULL);
	if (from_sign && to_sign && bits < from_bits) {
		value = ptx_math(e, "smax", value, ptx_like(value, ~most), NULL);
		return ptx_math(e, "smin", value, ptx_like(value, most), NULL);
	}
	if (bits < from_bits || (bits == from_bits && to_sign && !from_sign))
		return ptx_math(e, "umin", value, ptx_like(value, most), NULL);
	return value;
}

/* Whether rounding to whole numbers is requested. */
static bool is_to_whole(const struct ptx_emitter *e, const struct ptx_step *s)
{
	return ptx_has(e, s, ".rni .rzi .rmi .rpi");
}

static LLVMValueRef real_to_real(struct ptx_emitter *e, const struct ptx_step *s,
                                 LLVMValueRef value, enum ptx_type from, enum ptx_type to)
{
	LLVMTypeRef wide = LLVMDoubleTypeInContext(e->context);

	if (is_to_whole(e, s))
		value = ptx_math(e, rounding_function(ptx_rounding_of(e, s)), value, NULL, NULL);
	if (from == PTX_f32 && to == PTX_f64)
		value = LLVMBuildFPExt(e->b, value, wide, "");
	if (from == PTX_f64 && to == PTX_f32)
		value = ptx_real_call(e, "double2float", ptx_rounding_of(e, s), true, &value, 1);
	return ptx_real_limit(e, s, value);
}

static bool is_real(enum ptx_type type)
{
	return ptx_type_is_float(type) || ptx_type_is_half(type);
}

/* Convert one value, not a pair, from any type to any other. */
static LLVMValueRef convert(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef value,
                            enum ptx_type from, enum ptx_type to)
{
	enum ptx_type real = ptx_type_is_half(to) ? PTX_f32 : to;

	if (ptx_type_is_half(from)) {
		value = ptx_half_to_float(e, ptx_half_lane(e, value, 0), from);
		from = PTX_f32;
	}
	if (!is_real(from) && !is_real(to)) {
		if (ptx_has(e, s, ".sat"))
			value = clamp(e, value, from, to);
		return LLVMBuildIntCast2(e->b, value, ptx_type_llvm(e, to),
		                         ptx_type_is_signed(from), "");
	}
	if (is_real(from) && !is_real(to)) {
		value = ptx_math(e, rounding_function(ptx_rounding_of(e, s)), value, NULL, NULL);
		return gpu_to_integer(e->b, value, ptx_int(e, ptx_type_bits(to)),
		                      ptx_type_is_signed(to));
	}
	if (ptx_type_is_half(to) && ptx_has(e, s, ".rz .rm .rp"))
		ptx_refuse(e, "a half with this rounding is not supported");
	value = is_real(from) ? real_to_real(e, s, value, from, real)
	                      : integer_to_real(e, s, value, from, real);
	return ptx_type_is_half(to) ? ptx_float_to_half(e, value, to) : value;
}

/* Keep the first 10 fraction bits, rounded away from zero; NaN is unchanged. */
static void emit_tf32(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef bits = ptx_read(e, s->operands[1], PTX_b32), size, result;

	if (!ptx_has(e, s, ".rna")) {
		ptx_refuse(e, "'cvt' to tf32 with this rounding is not supported");
		return;
	}
	size = LLVMBuildAnd(e->b, bits, ptx_like(bits, 0x7f800000), "");
	result = LLVMBuildAdd(e->b, bits, ptx_like(bits, 0x1000), "");
	result = LLVMBuildAnd(e->b, result, ptx_like(bits, 0xffffe000), "");
	size = LLVMBuildICmp(e->b, LLVMIntEQ, size, ptx_like(bits, 0x7f800000), "");
	ptx_write(e, s->operands[0], LLVMBuildSelect(e->b, size, bits, result, ""), PTX_b32);
}

void ptx_emit_cvt(struct ptx_emitter *e, const struct ptx_step *s)
{
	enum ptx_type to = s->types[0], from = s->types[1];
	bool is_pair = ptx_type_is_half(to) && ptx_type_bits(to) == 32;
	LLVMValueRef first, second;

	if (s->type_count != 2 || is_pair != (s->count == 3) || from == PTX_pred ||
	    to == PTX_pred || (is_pair && from != PTX_f32) ||
	    (ptx_type_is_half(from) && ptx_type_bits(from) == 32)) {
		ptx_refuse(e, "this form of 'cvt' is not supported");
		return;
	}
	if (to == PTX_tf32) {
		emit_tf32(e, s);
		return;
	}
	first = convert(e, s, ptx_read(e, s->operands[1], from), from, to);
	if (is_pair) { /* the first operand is the upper half */
		second = convert(e, s, ptx_read(e, s->operands[2], from), from, to);
		first = ptx_half_pair(e, second, first);
	}
	ptx_write(e, s->operands[0], first, to);
}
