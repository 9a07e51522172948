/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why the check is exact. A narrow term of w <= 32 bits has in iteration i the value base + i *
 * step modulo 2^w. Let B and S be its base and step as integers: B extended like the term (so B is
 * in the narrow type's range), S sign-extended. V(i) = B + i * S, without a modulus, is congruent
 * to the narrow value; if V(i) is in the narrow type's range, it IS the narrow value, extended. V
 * is monotone in i, so it is in the range for all of 0 .. last if it is at both ends; at 0 it is.
 * For last < 2^31, |V(last)| < 2^32 + 2^31 * 2^31 < 2^63: 64 bits are enough to compute it. Then
 * the extension is B + i * S modulo 2^(its width): linear.
 */
#include "affine_expression.h"

#include "array.h"
#include "err.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

#define CHECKED_ITERATIONS ((uint64_t)1 << 31)

static LLVMTypeRef integer(const struct affine_values *v, uint32_t bits)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(v->b));

	return LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(function)), bits);
}

/* A value of the kernel as an integer of that many bits. */
static LLVMValueRef as_integer(const struct affine_values *v, LLVMValueRef value, uint32_t bits)
{
	LLVMTypeRef type = integer(v, bits);

	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(v->b, value, type, "");
	return LLVMBuildIntCast2(v->b, value, type, 1, "");
}

static const struct affine_part *parts_of(const struct affine_values *v,
                                          const struct affine_term *t)
{
	return v->expression->parts + t->first_part;
}

/* sum + scale * value; a NULL sum is 0. */
static LLVMValueRef add_scaled(const struct affine_values *v, LLVMValueRef sum, LLVMValueRef value,
                               uint64_t scale)
{
	if (scale == UINT64_MAX && sum)
		return LLVMBuildSub(v->b, sum, value, "");
	if (scale != 1)
		value = LLVMBuildMul(v->b, value, LLVMConstInt(LLVMTypeOf(value), scale, 1), "");
	return sum ? LLVMBuildAdd(v->b, sum, value, "") : value;
}

static LLVMValueRef add_constant(const struct affine_values *v, LLVMValueRef sum, uint64_t constant,
                                 uint32_t bits)
{
	LLVMValueRef value = LLVMConstInt(integer(v, bits), constant, 1);

	if (!sum || constant == 0)
		return sum ? sum : value;
	return LLVMBuildAdd(v->b, sum, value, "");
}

/* Recompute an invariant instruction from operands computed here. */
static LLVMValueRef clone(const struct affine_values *v, const struct affine_term *t)
{
	LLVMValueRef copy = LLVMInstructionClone(t->value);

	for (uint32_t i = 0; i < t->part_count; i++)
		LLVMSetOperand(copy, i, v->base[parts_of(v, t)[i].term]);
	LLVMInsertIntoBuilder(v->b, copy);
	return copy;
}

/* Sum parts from..to - 1 of a term, with their values in `of`, and the constant. */
static LLVMValueRef sum_parts(const struct affine_values *v, const struct affine_term *t,
                              LLVMValueRef *of, uint32_t from, uint64_t constant)
{
	LLVMValueRef sum = NULL;

	for (uint32_t i = from; i < t->part_count; i++) {
		const struct affine_part *part = parts_of(v, t) + i;

		if (of[part->term])
			sum = add_scaled(v, sum, as_integer(v, of[part->term], t->bits),
			                 part->scale);
	}
	return add_constant(v, sum, constant, t->bits);
}

/* Apply a linear term's operation to its operands, which is the same for base and value. */
static LLVMValueRef operate(const struct affine_values *v, const struct affine_term *t,
                            LLVMValueRef *of)
{
	const struct affine_part *parts = parts_of(v, t);
	LLVMTypeRef type = integer(v, t->bits);
	LLVMValueRef first = of[parts[0].term];

	switch (t->kind) {
	case AFFINE_SUM:
		return sum_parts(v, t, of, 0, t->constant);
	case AFFINE_PRODUCT:
		return LLVMBuildMul(v->b, first, v->base[parts[1].term], "");
	case AFFINE_SHIFT:
		return LLVMBuildShl(v->b, first, v->base[parts[1].term], "");
	case AFFINE_SIGN:
		return LLVMBuildSExt(v->b, first, type, "");
	case AFFINE_ZERO:
		return LLVMBuildZExt(v->b, first, type, "");
	case AFFINE_TRUNC:
		return LLVMBuildTrunc(v->b, first, type, "");
	case AFFINE_LEAF:
	case AFFINE_CLONE:
	case AFFINE_PHI:
		break;
	}
	return first;
}

static LLVMValueRef step_of(const struct affine_values *v, const struct affine_term *t)
{
	LLVMValueRef first = v->step[parts_of(v, t)[0].term];

	if (t->kind == AFFINE_PHI)
		return sum_parts(v, t, v->base, 1, t->constant);
	if (t->kind == AFFINE_SUM)
		return sum_parts(v, t, v->step, 0, 0);
	if (t->kind == AFFINE_SIGN || t->kind == AFFINE_ZERO)
		return LLVMBuildSExt(v->b, first, integer(v, t->bits), "");
	return operate(v, t, v->step);
}

int affine_values_init(struct affine_values *v, LLVMBuilderRef b, const struct affine_expression *e,
                       struct err *err)
{
	*v = (struct affine_values){ .expression = e, .b = b };
	v->base = array_alloc(e->term_count, sizeof(LLVMValueRef), "an address", err);
	v->step = array_alloc(e->term_count, sizeof(LLVMValueRef), "an address", err);
	if (!v->base || !v->step)
		return ERR_NOMEM;
	for (size_t i = 0; i < e->term_count; i++) {
		const struct affine_term *t = &e->terms[i];

		if (t->kind == AFFINE_LEAF)
			v->base[i] = t->value;
		else if (t->kind == AFFINE_CLONE)
			v->base[i] = clone(v, t);
		else if (t->kind == AFFINE_PHI)
			v->base[i] = as_integer(v, v->base[parts_of(v, t)[0].term], t->bits);
		else
			v->base[i] = operate(v, t, v->base);
		if (t->is_linear)
			v->step[i] = step_of(v, t);
	}
	return 0;
}

void affine_values_release(struct affine_values *v)
{
	free(v->base);
	free(v->step);
	memset(v, 0, sizeof(*v));
}

LLVMValueRef affine_values_base(const struct affine_values *v)
{
	size_t last = v->expression->term_count - 1;
	LLVMTypeRef type = integer(v, 64);

	if (v->step[last] || LLVMGetTypeKind(LLVMTypeOf(v->base[last])) != LLVMPointerTypeKind)
		return v->base[last];
	return LLVMBuildPtrToInt(v->b, v->base[last], type, "");
}

LLVMValueRef affine_values_step(const struct affine_values *v)
{
	LLVMValueRef step = v->step[v->expression->term_count - 1];

	return step ? step : LLVMConstInt(integer(v, 64), 0, 0);
}

/* Whether V(last) of the extended term is in the range of its type. */
static LLVMValueRef check_term(const struct affine_values *v, const struct affine_term *t,
                               LLVMValueRef last)
{
	uint32_t narrow = parts_of(v, t)[0].term;
	LLVMTypeRef wide = LLVMTypeOf(last), type = LLVMTypeOf(v->base[narrow]);
	bool is_signed = t->kind == AFFINE_SIGN;
	LLVMValueRef base = LLVMBuildIntCast2(v->b, v->base[narrow], wide, is_signed, "");
	LLVMValueRef step = LLVMBuildSExt(v->b, v->step[narrow], wide, "");
	LLVMValueRef end = LLVMBuildAdd(v->b, base, LLVMBuildMul(v->b, step, last, ""), "");
	LLVMValueRef cut = LLVMBuildTrunc(v->b, end, type, "");

	cut = LLVMBuildIntCast2(v->b, cut, wide, is_signed, "");
	return LLVMBuildICmp(v->b, LLVMIntEQ, cut, end, "");
}

LLVMValueRef affine_values_check(const struct affine_values *v, LLVMValueRef last)
{
	const struct affine_expression *e = v->expression;
	LLVMValueRef most = LLVMConstInt(LLVMTypeOf(last), CHECKED_ITERATIONS, 0), all;

	if (!e->check_count)
		return NULL;
	all = LLVMBuildICmp(v->b, LLVMIntULT, last, most, "");
	for (size_t i = 0; i < e->term_count; i++)
		if (e->terms[i].kind == AFFINE_SIGN || e->terms[i].kind == AFFINE_ZERO)
			all = LLVMBuildAnd(v->b, all, check_term(v, &e->terms[i], last), "");
	return all;
}

LLVMValueRef affine_values_at(const struct affine_values *v, LLVMValueRef i, struct err *err)
{
	const struct affine_expression *e = v->expression;
	LLVMValueRef *at = array_alloc(e->term_count, sizeof(LLVMValueRef), "an address", err);
	LLVMValueRef result, passed;

	if (!at)
		return NULL;
	for (size_t n = 0; n < e->term_count; n++) {
		const struct affine_term *t = &e->terms[n];

		if (t->kind == AFFINE_PHI) {
			passed = LLVMBuildIntCast2(v->b, i, integer(v, t->bits), 0, "");
			passed = LLVMBuildMul(v->b, passed, v->step[n], "");
			at[n] = LLVMBuildAdd(v->b, v->base[n], passed, "");
		} else {
			at[n] = t->is_linear ? operate(v, t, at) : v->base[n];
		}
	}
	result = at[e->term_count - 1];
	free(at);
	return result;
}
