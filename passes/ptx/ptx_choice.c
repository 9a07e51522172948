/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_half.h"
#include "ptx_value.h"

/* How PTX's comparisons are called, and what they are: of numbers with and without sign, of reals.
 */
static const struct {
	const char *suffix;
	LLVMIntPredicate with_sign, without;
	LLVMRealPredicate real;
} comparisons[] = {
	{ ".eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ },
	{ ".ne", LLVMIntNE, LLVMIntNE, LLVMRealONE },
	{ ".lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT },
	{ ".le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE },
	{ ".gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT },
	{ ".ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE },
	{ ".lo", LLVMIntULT, LLVMIntULT, LLVMRealPredicateFalse },
	{ ".ls", LLVMIntULE, LLVMIntULE, LLVMRealPredicateFalse },
	{ ".hi", LLVMIntUGT, LLVMIntUGT, LLVMRealPredicateFalse },
	{ ".hs", LLVMIntUGE, LLVMIntUGE, LLVMRealPredicateFalse },
	{ ".equ", LLVMIntEQ, LLVMIntEQ, LLVMRealUEQ },
	{ ".neu", LLVMIntNE, LLVMIntNE, LLVMRealUNE },
	{ ".ltu", LLVMIntSLT, LLVMIntULT, LLVMRealULT },
	{ ".leu", LLVMIntSLE, LLVMIntULE, LLVMRealULE },
	{ ".gtu", LLVMIntSGT, LLVMIntUGT, LLVMRealUGT },
	{ ".geu", LLVMIntSGE, LLVMIntUGE, LLVMRealUGE },
	{ ".num", LLVMIntEQ, LLVMIntEQ, LLVMRealORD },
	{ ".nan", LLVMIntEQ, LLVMIntEQ, LLVMRealUNO },
};

static LLVMValueRef compare(struct ptx_emitter *e, const struct ptx_step *s, enum ptx_type type)
{
	LLVMValueRef a = ptx_read(e, s->operands[1], type), b = ptx_read(e, s->operands[2], type);
	bool is_real = ptx_type_is_float(type) || ptx_type_is_half(type);

	if (ptx_type_is_half(type)) {
		if (ptx_type_bits(type) != 16)
			ptx_refuse(e, "comparisons of pairs of halves are not read");
		a = ptx_half_to_float(e, ptx_half_lane(e, a, 0), type);
		b = ptx_half_to_float(e, ptx_half_lane(e, b, 0), type);
	}
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
		if (!ptx_has(e, s, comparisons[i].suffix))
			continue;
		if (is_real)
			return LLVMBuildFCmp(e->b, comparisons[i].real, a, b, "");
		return LLVMBuildICmp(e->b,
		                     ptx_type_is_signed(type) ? comparisons[i].with_sign
		                                              : comparisons[i].without,
		                     a, b, "");
	}
	ptx_refuse(e, "a comparison without its kind is not read");
	return ptx_constant(e, 1, 0);
}

/* The comparison, combined with the predicate that is the fourth operand. */
static LLVMValueRef combine(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef value)
{
	LLVMValueRef other;

	if (s->count < 4)
		return value;
	other = ptx_read_predicate(e, s->operands[3]);
	if (ptx_has(e, s, ".and"))
		return LLVMBuildAnd(e->b, value, other, "");
	if (ptx_has(e, s, ".or"))
		return LLVMBuildOr(e->b, value, other, "");
	return LLVMBuildXor(e->b, value, other, "");
}

/* setp p|q: q is the same of what the comparison is not. */
void ptx_emit_setp(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value = compare(e, s, s->types[0]);
	LLVMValueRef first = combine(e, s, value), second = NULL;

	if (s->operands[0]->second.length)
		second = combine(e, s, LLVMBuildNot(e->b, value, ""));
	ptx_write(e, s->operands[0], first, PTX_pred);
	if (second)
		ptx_write_name(e, s->operands[0]->second, second, PTX_pred);
}

/* set: all bits, or 1.0 */
void ptx_emit_set(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value;

	if (s->type_count != 2 || ptx_type_is_half(s->types[0]) || s->types[0] == PTX_f64) {
		ptx_refuse(e, "this form of 'set' is not read");
		return;
	}
	value = combine(e, s, compare(e, s, s->types[1]));
	if (ptx_type_is_float(s->types[0]))
		value = LLVMBuildUIToFP(e->b, value, ptx_float(e), "");
	else
		value = LLVMBuildSExt(e->b, value, ptx_type_llvm(e, s->types[0]), "");
	ptx_write_result(e, s, value);
}

void ptx_emit_selp(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef choice = ptx_read_predicate(e, s->operands[3]);

	ptx_write_result(
		e, s,
		LLVMBuildSelect(e->b, choice, ptx_read_at(e, s, 1), ptx_read_at(e, s, 2), ""));
}

/* slct: a where c is not negative, else b */
void ptx_emit_slct(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef c = ptx_read(e, s->operands[3], s->types[1]), choice;

	if (s->types[1] == PTX_f32)
		choice = LLVMBuildFCmp(e->b, LLVMRealOGE, c, ptx_float_like(c, 0), "");
	else if (s->types[1] == PTX_s32)
		choice = LLVMBuildICmp(e->b, LLVMIntSGE, c, ptx_like(c, 0), "");
	else {
		ptx_refuse(e, "this form of 'slct' is not read");
		return;
	}
	ptx_write_result(
		e, s,
		LLVMBuildSelect(e->b, choice, ptx_read_at(e, s, 1), ptx_read_at(e, s, 2), ""));
}
