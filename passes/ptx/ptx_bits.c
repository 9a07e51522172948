/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_arithmetic.h"
#include "ptx_value.h"

static unsigned width_of(LLVMValueRef value)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

/* The lowest `count` bits, all of them from the width on. */
static LLVMValueRef low_bits(struct ptx_emitter *e, LLVMValueRef count)
{
	LLVMValueRef bit = gpu_shift(e->b, LLVMShl, ptx_like(count, 1), count);

	return LLVMBuildSub(e->b, bit, ptx_like(count, 1), "");
}

/* shl, shr: the amount is of 32 bits whatever the type. */
void ptx_emit_shift(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMOpcode right = ptx_type_is_signed(s->types[0]) ? LLVMAShr : LLVMLShr;
	LLVMOpcode opcode = ptx_word_is(s->statement->name, "shl") ? LLVMShl : right;
	LLVMValueRef amount = ptx_read(e, s->operands[2], PTX_u32);

	ptx_write_result(e, s, gpu_shift(e->b, opcode, ptx_read_at(e, s, 1), amount));
}

/* Of b:a, 64 bits, shifted left the upper half, shifted right the lower one. */
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
 * bfe: `length` bits from `position` on; those past the value's end, and past the length, are zero,
 * or for types with a sign its last bit.
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
		/* The bit before the end of the field, or the value's last one. */
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

/* bfi: the lowest `length` bits of a, into b from `position` on. */
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

/* bmsk: `b` bits from bit `a` on. */
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

/* szext: the lowest `b` bits, filled up with zeros or the sign. */
void ptx_emit_szext(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1), b = ptx_read(e, s->operands[2], PTX_u32), mask, sign;

	if (ptx_has(e, s, ".wrap"))
		b = LLVMBuildAnd(e->b, b, ptx_like(b, 31), "");
	mask = low_bits(e, b);
	a = LLVMBuildAnd(e->b, a, mask, "");
	if (ptx_type_is_signed(s->types[0])) {
		/* 1 in the field's last bit, or 0: its negative fills what is above. */
		sign = LLVMBuildXor(e->b, mask, LLVMBuildLShr(e->b, mask, ptx_like(mask, 1), ""),
		                    "");
		sign = LLVMBuildAnd(e->b, a, sign, "");
		sign = LLVMBuildSub(e->b, ptx_like(sign, 0), sign, "");
		a = LLVMBuildOr(e->b, a, sign, "");
	}
	ptx_write_result(e, s, a);
}
