/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_arithmetic.h"
#include "ptx_half.h"
#include "ptx_real.h"
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
		return gpu_to_integer(e->b, value, ptx_int(e, ptx_type_bits(to)),
		                      ptx_type_is_signed(to));
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
