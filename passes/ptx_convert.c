/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_half.h"
#include "ptx_real.h"
#include "ptx_rounding.h"
#include "ptx_value.h"

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

static LLVMValueRef power_of_two(LLVMValueRef like, unsigned exponent)
{
	return ptx_float_like(like, __builtin_ldexp(1, (int)exponent));
}

/*
 * A whole number as an integer. One that is out of range becomes the nearest that is not; what is
 * no number becomes 0, or where an f64 or 64 bits take part only the highest bit.
 */
static LLVMValueRef real_to_integer(struct ptx_emitter *e, LLVMValueRef value, enum ptx_type from,
                                    enum ptx_type to)
{
	unsigned bits = ptx_type_bits(to);
	bool has_sign = ptx_type_is_signed(to);
	LLVMTypeRef type = ptx_int(e, bits);
	LLVMValueRef past = power_of_two(value, has_sign ? bits - 1 : bits);
	LLVMValueRef least = has_sign ? LLVMConstFNeg(past) : ptx_float_like(value, 0);
	LLVMValueRef top = LLVMConstInt(type, (uint64_t)1 << (bits - 1), 0);
	LLVMValueRef most = has_sign ? LLVMConstNot(top) : LLVMConstAllOnes(type);
	LLVMValueRef is_large = LLVMBuildFCmp(e->b, LLVMRealOGE, value, past, "");
	LLVMValueRef is_small = LLVMBuildFCmp(e->b, LLVMRealOLT, value, least, "");
	LLVMValueRef is_none = LLVMBuildFCmp(e->b, LLVMRealUNO, value, value, ""), odd, result;
	bool is_wide = from == PTX_f64 || bits == 64;

	odd = LLVMBuildOr(e->b, LLVMBuildOr(e->b, is_large, is_small, ""), is_none, "");
	value = LLVMBuildSelect(e->b, odd, ptx_float_like(value, 0), value, "");
	result = has_sign ? LLVMBuildFPToSI(e->b, value, type, "")
	                  : LLVMBuildFPToUI(e->b, value, type, "");
	result = LLVMBuildSelect(e->b, is_large, most, result, "");
	result = LLVMBuildSelect(e->b, is_small, has_sign ? top : ptx_like(top, 0), result, "");
	return LLVMBuildSelect(e->b, is_none, is_wide ? top : ptx_like(top, 0), result, "");
}

static LLVMValueRef integer_to_real(struct ptx_emitter *e, const struct ptx_step *s,
                                    LLVMValueRef value, enum ptx_type from, enum ptx_type to)
{
	LLVMTypeRef type = ptx_type_llvm(e, to), wide = LLVMDoubleTypeInContext(e->context);
	enum ptx_rounding rounding = ptx_rounding_of(e, s);
	struct ptx_exact exact;

	if (rounding != PTX_TO_NEAREST && ptx_type_bits(from) <= 32) {
		exact.value = ptx_type_is_signed(from) ? LLVMBuildSIToFP(e->b, value, wide, "")
		                                       : LLVMBuildUIToFP(e->b, value, wide, "");
		exact.rest = ptx_float_like(exact.value, 0);
		return ptx_round(e, exact, rounding, to);
	}
	if (rounding != PTX_TO_NEAREST)
		ptx_refuse(e, "64 bits as a floating point number with this rounding are not read");
	return ptx_type_is_signed(from) ? LLVMBuildSIToFP(e->b, value, type, "")
	                                : LLVMBuildUIToFP(e->b, value, type, "");
}

/* An integer cut to the range of another type, still of its own. */
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

/* Whether a rounding to whole numbers is asked for. */
static bool is_to_whole(const struct ptx_emitter *e, const struct ptx_step *s)
{
	return ptx_has(e, s, ".rni .rzi .rmi .rpi");
}

static LLVMValueRef real_to_real(struct ptx_emitter *e, const struct ptx_step *s,
                                 LLVMValueRef value, enum ptx_type from, enum ptx_type to)
{
	LLVMTypeRef wide = LLVMDoubleTypeInContext(e->context);
	struct ptx_exact exact = { value, NULL };

	if (is_to_whole(e, s))
		value = ptx_math(e, rounding_function(ptx_rounding_of(e, s)), value, NULL, NULL);
	if (from == PTX_f32 && to == PTX_f64)
		value = LLVMBuildFPExt(e->b, value, wide, "");
	if (from == PTX_f64 && to == PTX_f32) {
		exact.rest = ptx_float_like(value, 0);
		value = ptx_round(e, exact, ptx_rounding_of(e, s), to);
	}
	if (ptx_has(e, s, ".sat"))
		value = ptx_real_saturate(e, value);
	if (ptx_has(e, s, ".relu"))
		value = ptx_math(e, "maxnum", value, ptx_float_like(value, 0), NULL);
	return value;
}

static bool is_real(enum ptx_type type)
{
	return ptx_type_is_float(type) || ptx_type_is_half(type);
}

/* One value, not a pair, of any type as any other. */
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
		return real_to_integer(e, value, from, to);
	}
	if (ptx_type_is_half(to) && ptx_has(e, s, ".rz .rm .rp"))
		ptx_refuse(e, "a half with this rounding is not read");
	value = is_real(from) ? real_to_real(e, s, value, from, real)
	                      : integer_to_real(e, s, value, from, real);
	return ptx_type_is_half(to) ? ptx_float_to_half(e, value, to) : value;
}

/* The first 10 bits behind the point, rounded away from zero; what is no number stays. */
static void emit_tf32(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef bits = ptx_read(e, s->operands[1], PTX_b32), size, result;

	if (!ptx_has(e, s, ".rna")) {
		ptx_refuse(e, "'cvt' to tf32 with this rounding is not read");
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
		ptx_refuse(e, "this form of 'cvt' is not read");
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
