/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_integer.h"

#include "gpu_arithmetic.h"
#include "ptx_real.h"
#include "ptx_value.h"

static bool is_signed(const struct ptx_step *s)
{
	return ptx_type_is_signed(s->types[0]);
}

static bool is_named(const struct ptx_step *s, const char *name)
{
	return ptx_word_is(s->statement->name, name);
}

static LLVMOpcode division_of(const struct ptx_step *s)
{
	if (is_named(s, "rem"))
		return is_signed(s) ? LLVMSRem : LLVMURem;
	return is_signed(s) ? LLVMSDiv : LLVMUDiv;
}

/* add.sat.s32, sub.sat.s32 */
static LLVMValueRef saturate(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                             LLVMValueRef b)
{
	LLVMTypeRef wide = ptx_int(e, 64), narrow = LLVMTypeOf(a);
	LLVMValueRef sum, most, least;

	a = LLVMBuildSExt(e->b, a, wide, "");
	b = LLVMBuildSExt(e->b, b, wide, "");
	sum = is_named(s, "sub") ? LLVMBuildSub(e->b, a, b, "") : LLVMBuildAdd(e->b, a, b, "");
	most = ptx_constant(e, 64, INT32_MAX);
	least = LLVMConstInt(wide, (uint64_t)INT32_MIN, 1);
	sum = ptx_math(e, "smin", ptx_math(e, "smax", sum, least, NULL), most, NULL);
	return LLVMBuildTrunc(e->b, sum, narrow, "");
}

LLVMValueRef ptx_integer_binary(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                                LLVMValueRef b)
{
	if (ptx_has(e, s, ".sat"))
		return saturate(e, s, a, b);
	if (is_named(s, "add"))
		return LLVMBuildAdd(e->b, a, b, "");
	if (is_named(s, "sub"))
		return LLVMBuildSub(e->b, a, b, "");
	if (is_named(s, "min"))
		return ptx_math(e, is_signed(s) ? "smin" : "umin", a, b, NULL);
	if (is_named(s, "max"))
		return ptx_math(e, is_signed(s) ? "smax" : "umax", a, b, NULL);
	return gpu_divide(e->b, division_of(s), a, b);
}

/* mul24: the lower 24 bits of each; .hi: bits 16 to 47 of the product. */
static LLVMValueRef product_24(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                               LLVMValueRef b)
{
	LLVMValueRef eight = ptx_like(a, 8), operands[2] = { a, b };
	LLVMTypeRef wide = ptx_int(e, 64);

	for (unsigned i = 0; i < 2; i++) {
		operands[i] = LLVMBuildShl(e->b, operands[i], eight, "");
		operands[i] = is_signed(s) ? LLVMBuildAShr(e->b, operands[i], eight, "")
		                           : LLVMBuildLShr(e->b, operands[i], eight, "");
		operands[i] = LLVMBuildIntCast2(e->b, operands[i], wide, is_signed(s), "");
	}
	a = LLVMBuildMul(e->b, operands[0], operands[1], "");
	if (ptx_has(e, s, ".hi"))
		a = LLVMBuildLShr(e->b, a, ptx_like(a, 16), "");
	return LLVMBuildTrunc(e->b, a, ptx_int(e, 32), "");
}

/* The upper 64 bits of a product of 64 by 64. */
static LLVMValueRef upper_product(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                                  LLVMValueRef b)
{
	LLVMValueRef both[2] = { a, b };

	if (!ptx_has(e, s, ".hi"))
		ptx_refuse(e, "products of 128 bits are not read");
	return ptx_call(e, is_signed(s) ? "__nv_mul64hi" : "__nv_umul64hi", LLVMTypeOf(a), both, 2);
}

LLVMValueRef ptx_integer_product(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                                 LLVMValueRef b)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(a));
	LLVMTypeRef wide = ptx_int(e, 2 * bits);

	if (is_named(s, "mul24") || is_named(s, "mad24"))
		return product_24(e, s, a, b);
	if (!ptx_has(e, s, ".wide .hi"))
		return LLVMBuildMul(e->b, a, b, "");
	if (bits == 64) /* 128 bits are not for every device */
		return upper_product(e, s, a, b);
	a = LLVMBuildIntCast2(e->b, a, wide, is_signed(s), "");
	b = LLVMBuildIntCast2(e->b, b, wide, is_signed(s), "");
	/* The whole product of so many bits does not wrap. */
	a = is_signed(s) ? LLVMBuildNSWMul(e->b, a, b, "") : LLVMBuildNUWMul(e->b, a, b, "");
	if (ptx_has(e, s, ".wide"))
		return a;
	a = LLVMBuildLShr(e->b, a, ptx_like(a, bits), "");
	return LLVMBuildTrunc(e->b, a, ptx_int(e, bits), "");
}

LLVMValueRef ptx_integer_distance(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                  bool has_sign)
{
	LLVMValueRef most = ptx_math(e, has_sign ? "smax" : "umax", a, b, NULL);
	LLVMValueRef least = ptx_math(e, has_sign ? "smin" : "umin", a, b, NULL);

	return LLVMBuildSub(e->b, most, least, "");
}

/* The type of the result: of twice the bits for .wide. */
static enum ptx_type product_type(const struct ptx_emitter *e, const struct ptx_step *s)
{
	if (!ptx_has(e, s, ".wide"))
		return s->types[0];
	if (ptx_type_bits(s->types[0]) == 16)
		return is_signed(s) ? PTX_s32 : PTX_u32;
	return is_signed(s) ? PTX_s64 : PTX_u64;
}

static bool is_real(const struct ptx_step *s)
{
	return ptx_type_is_float(s->types[0]) || ptx_type_is_half(s->types[0]);
}

void ptx_emit_binary(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a, b;

	if (is_real(s)) {
		ptx_real_emit(e, s);
		return;
	}
	if (ptx_has(e, s, ".cc")) {
		ptx_emit_carry(e, s);
		return;
	}
	a = ptx_read_at(e, s, 1);
	b = ptx_read_at(e, s, 2);
	ptx_write_result(e, s, ptx_integer_binary(e, s, a, b));
}

void ptx_emit_mul(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a, b;

	if (is_real(s)) {
		ptx_real_emit(e, s);
		return;
	}
	a = ptx_read_at(e, s, 1);
	b = ptx_read_at(e, s, 2);
	ptx_write(e, s->operands[0], ptx_integer_product(e, s, a, b), product_type(e, s));
}

void ptx_emit_mad(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a, b, c;

	if (is_real(s)) {
		ptx_real_emit(e, s);
		return;
	}
	if (ptx_has(e, s, ".cc")) {
		ptx_emit_madc(e, s);
		return;
	}
	if (ptx_has(e, s, ".sat")) {
		ptx_refuse(e, "'mad.sat' is not read");
		return;
	}
	a = ptx_read_at(e, s, 1);
	b = ptx_read_at(e, s, 2);
	c = ptx_read(e, s->operands[3], product_type(e, s));
	a = LLVMBuildAdd(e->b, ptx_integer_product(e, s, a, b), c, "");
	ptx_write(e, s->operands[0], a, product_type(e, s));
}

void ptx_emit_unary(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a, negative;

	if (is_real(s)) {
		ptx_real_emit(e, s);
		return;
	}
	a = ptx_read_at(e, s, 1);
	negative = LLVMBuildSub(e->b, ptx_like(a, 0), a, "");
	if (is_named(s, "abs"))
		negative = ptx_math(e, "smax", a, negative, NULL);
	else if (!is_named(s, "neg"))
		ptx_refuse(e, "'%.*s' is not read for integers", PTX_WORD_ARGS(s->statement->name));
	ptx_write_result(e, s, negative);
}

void ptx_emit_sad(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef distance =
		ptx_integer_distance(e, ptx_read_at(e, s, 1), ptx_read_at(e, s, 2), is_signed(s));

	ptx_write_result(e, s, LLVMBuildAdd(e->b, distance, ptx_read_at(e, s, 3), ""));
}
