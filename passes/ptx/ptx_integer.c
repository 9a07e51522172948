/* SPDX-License-Identifier: Apache-2.0 */

#include "gpu_arithmetic.h"

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

/* a OP b of add, sub, min, max, div, rem, for integers of the step's type. */
static LLVMValueRef ptx_integer_binary(struct ptx_emitter *e, const struct ptx_step *s,
                                       LLVMValueRef a, LLVMValueRef b)
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

/* mul24: of the lower 24 bits of each; .hi: bits 16 to 47 of the product. */
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

/* The upper 64 bits of a 64 by 64 bit product. */
static LLVMValueRef upper_product(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                                  LLVMValueRef b)
{
	LLVMValueRef both[2] = { a, b };

	if (!ptx_has(e, s, ".hi"))
		ptx_refuse(e, "products of 128 bits are not supported");
	return ptx_call(e, is_signed(s) ? "__nv_mul64hi" : "__nv_umul64hi", LLVMTypeOf(a), both, 2);
}

/* The lower, upper or whole product, for .lo, .hi and .wide. */
static LLVMValueRef ptx_integer_product(struct ptx_emitter *e, const struct ptx_step *s,
                                        LLVMValueRef a, LLVMValueRef b)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(a));
	LLVMTypeRef wide = ptx_int(e, 2 * bits);

	if (is_named(s, "mul24") || is_named(s, "mad24"))
		return product_24(e, s, a, b);
	if (!ptx_has(e, s, ".wide .hi"))
		return LLVMBuildMul(e->b, a, b, "");
	if (bits == 64) /* not every device has 128 bits */
		return upper_product(e, s, a, b);
	a = LLVMBuildIntCast2(e->b, a, wide, is_signed(s), "");
	b = LLVMBuildIntCast2(e->b, b, wide, is_signed(s), "");
	/* The whole product does not wrap in twice the bits. */
	a = is_signed(s) ? LLVMBuildNSWMul(e->b, a, b, "") : LLVMBuildNUWMul(e->b, a, b, "");
	if (ptx_has(e, s, ".wide"))
		return a;
	a = LLVMBuildLShr(e->b, a, ptx_like(a, bits), "");
	return LLVMBuildTrunc(e->b, a, ptx_int(e, bits), "");
}

/* |a - b| as an unsigned number, of signed or unsigned operands. */
static LLVMValueRef ptx_integer_distance(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                         bool has_sign)
{
	LLVMValueRef most = ptx_math(e, has_sign ? "smax" : "umax", a, b, NULL);
	LLVMValueRef least = ptx_math(e, has_sign ? "smin" : "umin", a, b, NULL);

	return LLVMBuildSub(e->b, most, least, "");
}

/* The type of the result: twice the bits for .wide. */
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
		ptx_refuse(e, "'mad.sat' is not supported");
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
		ptx_refuse(e, "'%.*s' is not supported for integers",
		           PTX_WORD_ARGS(s->statement->name));
	ptx_write_result(e, s, negative);
}

void ptx_emit_sad(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef distance =
		ptx_integer_distance(e, ptx_read_at(e, s, 1), ptx_read_at(e, s, 2), is_signed(s));

	ptx_write_result(e, s, LLVMBuildAdd(e->b, distance, ptx_read_at(e, s, 3), ""));
}

/*
 * Carry chains: the flag CC.CF has a slot of its own. A sum less than either operand has a carry; a
 * minuend less than the subtrahend, a borrow.
 */

static LLVMValueRef carry_slot(struct ptx_emitter *e)
{
	if (!e->carry)
		e->carry = ptx_slot(e, ptx_int(e, 1), 0);
	return e->carry;
}

static bool is_difference(const struct ptx_step *s)
{
	return ptx_word_begins(s->statement->name, "sub");
}

/* One step: the sum or difference; sets *flag if it overflowed. */
static LLVMValueRef add_one(struct ptx_emitter *e, bool is_minus, LLVMValueRef a, LLVMValueRef b,
                            LLVMValueRef *flag)
{
	LLVMValueRef sum = is_minus ? LLVMBuildSub(e->b, a, b, "") : LLVMBuildAdd(e->b, a, b, "");

	*flag = is_minus ? LLVMBuildICmp(e->b, LLVMIntULT, a, b, "")
	                 : LLVMBuildICmp(e->b, LLVMIntULT, sum, a, "");
	return sum;
}

/* a + b + carry, or a - b - borrow; .cc writes the flag. */
static LLVMValueRef add(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                        LLVMValueRef b, bool takes_carry)
{
	LLVMTypeRef bit = ptx_int(e, 1);
	LLVMValueRef first, second = ptx_constant(e, 1, 0), carry;
	LLVMValueRef sum = add_one(e, is_difference(s), a, b, &first);

	if (takes_carry) {
		carry = LLVMBuildLoad2(e->b, bit, carry_slot(e), "");
		carry = LLVMBuildZExt(e->b, carry, LLVMTypeOf(a), "");
		sum = add_one(e, is_difference(s), sum, carry, &second);
	}
	if (ptx_has(e, s, ".cc"))
		LLVMBuildStore(e->b, LLVMBuildOr(e->b, first, second, ""), carry_slot(e));
	return sum;
}

/* add.cc, sub.cc, addc, subc */
void ptx_emit_carry(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1), b = ptx_read_at(e, s, 2);
	bool takes_carry = s->statement->name.length == 4;

	ptx_write_result(e, s, add(e, s, a, b, takes_carry));
}

/* mad.cc, madc: only the sum has a carry. */
void ptx_emit_madc(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1), b = ptx_read_at(e, s, 2);
	bool takes_carry = ptx_word_is(s->statement->name, "madc");

	if (ptx_has(e, s, ".wide")) {
		ptx_refuse(e, "'mad.wide.cc' is not supported");
		return;
	}
	a = ptx_integer_product(e, s, a, b);
	ptx_write_result(e, s, add(e, s, a, ptx_read_at(e, s, 3), takes_carry));
}

static unsigned width_of(LLVMValueRef value)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

/* A mask of the lowest `count` bits; of all bits if count is the width or more. */
static LLVMValueRef low_bits(struct ptx_emitter *e, LLVMValueRef count)
{
	LLVMValueRef bit = gpu_shift(e->b, LLVMShl, ptx_like(count, 1), count);

	return LLVMBuildSub(e->b, bit, ptx_like(count, 1), "");
}

/* shl, shr: the amount has 32 bits, whatever the type. */
void ptx_emit_shift(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMOpcode right = ptx_type_is_signed(s->types[0]) ? LLVMAShr : LLVMLShr;
	LLVMOpcode opcode = ptx_word_is(s->statement->name, "shl") ? LLVMShl : right;
	LLVMValueRef amount = ptx_read(e, s->operands[2], PTX_u32);

	ptx_write_result(e, s, gpu_shift(e->b, opcode, ptx_read_at(e, s, 1), amount));
}

/* Shift the 64 bits b:a; the upper half of a left shift, the lower half of a right shift. */
void ptx_emit_shf(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef low = ptx_read(e, s->operands[1], PTX_u32), half = ptx_constant(e, 64, 32);
	LLVMValueRef high = ptx_read(e, s->operands[2], PTX_u32);
	LLVMValueRef amount = ptx_read(e, s->operands[3], PTX_u32), value;
	LLVMTypeRef wide = ptx_int(e, 64);

	if (ptx_has(e, s, ".clamp"))
		amount = ptx_math(e, "umin", amount, ptx_constant(e, 32, 32), NULL);
	else
		amount = LLVMBuildAnd(e->b, amount, ptx_constant(e, 32, 31), "");
	amount = LLVMBuildZExt(e->b, amount, wide, "");
	value = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, high, wide, ""), half, "");
	value = LLVMBuildOr(e->b, value, LLVMBuildZExt(e->b, low, wide, ""), "");
	if (ptx_has(e, s, ".l"))
		value = LLVMBuildLShr(e->b, LLVMBuildShl(e->b, value, amount, ""), half, "");
	else
		value = LLVMBuildLShr(e->b, value, amount, "");
	ptx_write(e, s->operands[0], LLVMBuildTrunc(e->b, value, ptx_int(e, 32), ""), PTX_b32);
}

/* The operand's lower 8 bits, as an integer of the type of `like`. */
static LLVMValueRef read_byte(struct ptx_emitter *e, const struct ptx_operand *o, LLVMValueRef like)
{
	LLVMValueRef value = ptx_read(e, o, PTX_u32);

	value = LLVMBuildAnd(e->b, value, ptx_like(value, 0xff), "");
	return LLVMBuildZExtOrBitCast(e->b, value, LLVMTypeOf(like), "");
}

/*
 * bfe: `length` bits starting at `position`; bits past the value's end and past the length are
 * zero, or the field's last bit for signed types.
 */
void ptx_emit_bfe(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value = ptx_read_at(e, s, 1), position = read_byte(e, s->operands[2], value);
	LLVMValueRef length = read_byte(e, s->operands[3], value), width, mask, last, sign;

	width = ptx_like(value, width_of(value));
	last = ptx_math(e, "umin", position, width, NULL);
	last = ptx_math(e, "umin", length, LLVMBuildSub(e->b, width, last, ""), NULL);
	mask = low_bits(e, last);
	if (ptx_type_is_signed(s->types[0])) {
		/* The last bit of the field, or of the value. */
		sign = LLVMBuildAdd(e->b, position, length, "");
		sign = LLVMBuildSub(e->b, sign, ptx_like(value, 1), "");
		sign = ptx_math(e, "umin", sign, ptx_like(value, width_of(value) - 1), NULL);
		sign = gpu_shift(e->b, LLVMLShr, value, sign);
		sign = LLVMBuildAnd(e->b, sign, ptx_like(value, 1), "");
		sign = LLVMBuildSub(e->b, ptx_like(value, 0), sign, "");
		last = LLVMBuildICmp(e->b, LLVMIntEQ, length, ptx_like(value, 0), "");
		sign = LLVMBuildSelect(e->b, last, ptx_like(value, 0), sign, "");
		sign = LLVMBuildAnd(e->b, sign, LLVMBuildNot(e->b, mask, ""), "");
	} else {
		sign = ptx_like(value, 0);
	}
	value = LLVMBuildAnd(e->b, gpu_shift(e->b, LLVMLShr, value, position), mask, "");
	ptx_write_result(e, s, LLVMBuildOr(e->b, value, sign, ""));
}

/* bfi: insert the lowest `length` bits of a into b at `position`. */
void ptx_emit_bfi(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1), b = ptx_read_at(e, s, 2);
	LLVMValueRef position = read_byte(e, s->operands[3], a);
	LLVMValueRef mask = low_bits(e, read_byte(e, s->operands[4], a));

	mask = gpu_shift(e->b, LLVMShl, mask, position);
	a = LLVMBuildAnd(e->b, gpu_shift(e->b, LLVMShl, a, position), mask, "");
	b = LLVMBuildAnd(e->b, b, LLVMBuildNot(e->b, mask, ""), "");
	ptx_write_result(e, s, LLVMBuildOr(e->b, a, b, ""));
}

/* bmsk: a mask of `b` bits starting at bit `a`. */
void ptx_emit_bmsk(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read(e, s->operands[1], PTX_u32);
	LLVMValueRef b = ptx_read(e, s->operands[2], PTX_u32);

	if (ptx_has(e, s, ".wrap")) {
		a = LLVMBuildAnd(e->b, a, ptx_like(a, 31), "");
		b = LLVMBuildAnd(e->b, b, ptx_like(b, 31), "");
	}
	ptx_write(e, s->operands[0], gpu_shift(e->b, LLVMShl, low_bits(e, b), a), PTX_b32);
}

/* szext: the lowest `b` bits, extended with zeros or the sign. */
void ptx_emit_szext(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1), b = ptx_read(e, s->operands[2], PTX_u32), mask, sign;

	if (ptx_has(e, s, ".wrap"))
		b = LLVMBuildAnd(e->b, b, ptx_like(b, 31), "");
	mask = low_bits(e, b);
	a = LLVMBuildAnd(e->b, a, mask, "");
	if (ptx_type_is_signed(s->types[0])) {
		/* 1 in the field's last bit, or 0: its negative fills the bits above. */
		sign = LLVMBuildXor(e->b, mask, LLVMBuildLShr(e->b, mask, ptx_like(mask, 1), ""),
		                    "");
		sign = LLVMBuildAnd(e->b, a, sign, "");
		sign = LLVMBuildSub(e->b, ptx_like(sign, 0), sign, "");
		a = LLVMBuildOr(e->b, a, sign, "");
	}
	ptx_write_result(e, s, a);
}
