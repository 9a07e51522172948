/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_rounding.h"

#include "ptx_value.h"

enum ptx_rounding ptx_rounding_of(const struct ptx_emitter *e, const struct ptx_step *s)
{
	if (ptx_has(e, s, ".rz .rzi"))
		return PTX_TO_ZERO;
	if (ptx_has(e, s, ".rm .rmi"))
		return PTX_DOWN;
	return ptx_has(e, s, ".rp .rpi") ? PTX_UP : PTX_TO_NEAREST;
}

/*
 * Knuth's sum of two numbers and its error, which is a number too. Rounded down a sum of nothing is
 * -0, as is the negative of the sum of the negatives.
 */
struct ptx_exact ptx_exact_sum(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b,
                               enum ptx_rounding rounding)
{
	LLVMValueRef sum = LLVMBuildFAdd(e->b, a, b, "");
	LLVMValueRef of_b = LLVMBuildFSub(e->b, sum, a, "");
	LLVMValueRef of_a = LLVMBuildFSub(e->b, sum, of_b, "");

	of_a = LLVMBuildFSub(e->b, a, of_a, "");
	of_b = LLVMBuildFSub(e->b, b, of_b, "");
	if (rounding == PTX_DOWN)
		sum = LLVMBuildFNeg(e->b,
		                    LLVMBuildFAdd(e->b, LLVMBuildFNeg(e->b, a, ""),
		                                  LLVMBuildFNeg(e->b, b, ""), ""),
		                    "");
	return (struct ptx_exact){ sum, LLVMBuildFAdd(e->b, of_a, of_b, "") };
}

struct ptx_exact ptx_exact_product(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef product = LLVMBuildFMul(e->b, a, b, "");
	LLVMValueRef minus = LLVMBuildFNeg(e->b, product, "");

	return (struct ptx_exact){ product, ptx_math(e, "fma", a, b, minus) };
}

/* What is left of a - q * b, with b's sign. */
struct ptx_exact ptx_exact_quotient(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef quotient = LLVMBuildFDiv(e->b, a, b, "");
	LLVMValueRef minus = LLVMBuildFNeg(e->b, quotient, "");
	LLVMValueRef rest = ptx_math(e, "fma", minus, b, a);
	LLVMValueRef sign = ptx_math(e, "copysign", ptx_float_like(b, 1), b, NULL);

	return (struct ptx_exact){ quotient, LLVMBuildFMul(e->b, rest, sign, "") };
}

struct ptx_exact ptx_exact_root(struct ptx_emitter *e, LLVMValueRef a)
{
	LLVMValueRef root = ptx_math(e, "sqrt", a, NULL, NULL);
	LLVMValueRef minus = LLVMBuildFNeg(e->b, root, "");

	return (struct ptx_exact){ root, ptx_math(e, "fma", minus, root, a) };
}

static LLVMValueRef compare(struct ptx_emitter *e, LLVMRealPredicate how, LLVMValueRef a,
                            LLVMValueRef b)
{
	return LLVMBuildFCmp(e->b, how, a, b, "");
}

/* Whether `nearest` (as a double) is greater (is_above), or less, than what is exact. */
static LLVMValueRef is_beside(struct ptx_emitter *e, LLVMValueRef nearest, struct ptx_exact exact,
                              bool is_above)
{
	LLVMRealPredicate how = is_above ? LLVMRealOGT : LLVMRealOLT;
	LLVMRealPredicate other = is_above ? LLVMRealOLT : LLVMRealOGT;
	LLVMValueRef equal = compare(e, LLVMRealOEQ, nearest, exact.value);
	LLVMValueRef rest = compare(e, other, exact.rest, ptx_float_like(exact.rest, 0));

	return LLVMBuildOr(e->b, compare(e, how, nearest, exact.value),
	                   LLVMBuildAnd(e->b, equal, rest, ""), "");
}

/* The bits of the next number below (or above) the one with these bits. */
static LLVMValueRef step(struct ptx_emitter *e, LLVMValueRef bits, bool is_down)
{
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(bits));
	uint64_t sign = (uint64_t)1 << (width - 1);
	LLVMValueRef zero = ptx_like(bits, 0), one = ptx_like(bits, 1);
	LLVMValueRef is_negative = LLVMBuildICmp(e->b, LLVMIntSLT, bits, zero, "");
	LLVMValueRef smaller = LLVMBuildSub(e->b, bits, one, "");
	LLVMValueRef larger = LLVMBuildAdd(e->b, bits, one, "");
	LLVMValueRef rest = LLVMBuildAnd(e->b, bits, ptx_like(bits, sign - 1), "");
	LLVMValueRef is_zero = LLVMBuildICmp(e->b, LLVMIntEQ, rest, zero, ""), next;

	next = is_down ? LLVMBuildSelect(e->b, is_negative, larger, smaller, "")
	               : LLVMBuildSelect(e->b, is_negative, smaller, larger, "");
	return LLVMBuildSelect(e->b, is_zero, ptx_like(bits, is_down ? sign + 1 : 1), next, "");
}

LLVMValueRef ptx_round(struct ptx_emitter *e, struct ptx_exact exact, enum ptx_rounding rounding,
                       enum ptx_type type)
{
	LLVMTypeRef to = ptx_type_llvm(e, type), wide = LLVMTypeOf(exact.value);
	LLVMValueRef nearest = exact.value, back, bits, zero, moved[2];

	if (type == PTX_f32)
		nearest = LLVMBuildFPTrunc(e->b, nearest, to, "");
	if (rounding == PTX_TO_NEAREST)
		return nearest;
	back = type == PTX_f32 ? LLVMBuildFPExt(e->b, nearest, wide, "") : nearest;
	bits = LLVMBuildBitCast(e->b, nearest, ptx_int(e, ptx_type_bits(type)), "");
	zero = ptx_float_like(back, 0);
	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef wrong = is_beside(e, back, exact, i == 0);

		if (rounding == PTX_TO_ZERO)
			wrong = LLVMBuildAnd(
				e->b, wrong,
				compare(e, i == 0 ? LLVMRealOGT : LLVMRealOLT, back, zero), "");
		moved[i] = LLVMBuildSelect(e->b, wrong, step(e, bits, i == 0), bits, "");
	}
	if (rounding == PTX_TO_ZERO)
		bits = LLVMBuildSelect(e->b, compare(e, LLVMRealOGT, back, zero), moved[0],
		                       moved[1], "");
	else
		bits = moved[rounding == PTX_UP];
	return LLVMBuildBitCast(e->b, bits, to, "");
}
