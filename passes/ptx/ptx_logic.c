/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_arithmetic.h"

#include "ptx_value.h"

static LLVMValueRef combine(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                            LLVMValueRef b)
{
	if (ptx_word_is(s->statement->name, "and"))
		return LLVMBuildAnd(e->b, a, b, "");
	if (ptx_word_is(s->statement->name, "or"))
		return LLVMBuildOr(e->b, a, b, "");
	return LLVMBuildXor(e->b, a, b, "");
}

void ptx_emit_logic(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a, b;

	if (ptx_type_is_float(s->types[0])) {
		ptx_refuse(e, "operations on the bits of floating point numbers are not supported");
		return;
	}
	a = ptx_read_at(e, s, 1);
	b = ptx_read_at(e, s, 2);
	ptx_write_result(e, s, combine(e, s, a, b));
}

/* not; cnot: 1 for 0, else 0 */
void ptx_emit_not(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1);

	if (ptx_word_is(s->statement->name, "cnot")) {
		a = LLVMBuildICmp(e->b, LLVMIntEQ, a, ptx_like(a, 0), "");
		a = LLVMBuildZExt(e->b, a, ptx_type_llvm(e, s->types[0]), "");
	} else {
		a = LLVMBuildNot(e->b, a, "");
	}
	ptx_write_result(e, s, a);
}

/* Bit 4a + 2b + c of the table is the result for bits a, b, c. */
void ptx_emit_lop3(struct ptx_emitter *e, const struct ptx_step *s)
{
	uint64_t table = s->operands[4]->number.bits;
	LLVMValueRef result = ptx_constant(e, 32, 0);

	if (s->operands[4]->kind != PTX_NUMBERS || table > 0xff) {
		ptx_refuse(e, "the table of 'lop3' must be a number up to 255");
		return;
	}
	for (unsigned i = 0; i < 8; i++) {
		LLVMValueRef term = NULL;

		for (unsigned k = 0; k < 3; k++) {
			LLVMValueRef value = ptx_read(e, s->operands[1 + k], PTX_b32);

			if (!(i >> (2 - k) & 1))
				value = LLVMBuildNot(e->b, value, "");
			term = term ? LLVMBuildAnd(e->b, term, value, "") : value;
		}
		if (table >> i & 1)
			result = LLVMBuildOr(e->b, result, term, "");
	}
	ptx_write(e, s->operands[0], result, PTX_b32);
}

/* popc, clz: the result has 32 bits. */
void ptx_emit_count(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef arguments[2] = { ptx_read_at(e, s, 1), ptx_constant(e, 1, 0) }, value;
	bool is_clz = ptx_word_is(s->statement->name, "clz");
	bool is_wide = ptx_type_bits(s->types[0]) == 64;

	if (is_clz)
		value = ptx_call(e, is_wide ? "llvm.ctlz.i64" : "llvm.ctlz.i32",
		                 LLVMTypeOf(arguments[0]), arguments, 2);
	else
		value = ptx_math(e, "ctpop", arguments[0], NULL, NULL);
	value = LLVMBuildIntCast2(e->b, value, ptx_int(e, 32), 0, "");
	ptx_write(e, s->operands[0], value, PTX_u32);
}

/* The position of the highest bit that differs from the sign; all ones when there is none. */
void ptx_emit_bfind(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value = ptx_read_at(e, s, 1), arguments[2], place, none;
	unsigned bits = ptx_type_bits(s->types[0]);

	if (ptx_type_is_signed(s->types[0]))
		value = LLVMBuildXor(e->b, value,
		                     LLVMBuildAShr(e->b, value, ptx_like(value, bits - 1), ""), "");
	arguments[0] = value;
	arguments[1] = ptx_constant(e, 1, 0);
	place = ptx_call(e, bits == 64 ? "llvm.ctlz.i64" : "llvm.ctlz.i32", LLVMTypeOf(value),
	                 arguments, 2);
	place = LLVMBuildIntCast2(e->b, place, ptx_int(e, 32), 0, "");
	if (ptx_has(e, s, ".shiftamt")) {
		none = LLVMBuildICmp(e->b, LLVMIntEQ, value, ptx_like(value, 0), "");
		place = LLVMBuildSelect(e->b, none, LLVMConstAllOnes(ptx_int(e, 32)), place, "");
	} else {
		place = LLVMBuildSub(e->b, ptx_constant(e, 32, bits - 1), place, "");
	}
	ptx_write(e, s->operands[0], place, PTX_u32);
}

void ptx_emit_brev(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value = ptx_read_at(e, s, 1);

	value = ptx_call(e, ptx_type_bits(s->types[0]) == 64 ? "__nv_brevll" : "__nv_brev",
	                 LLVMTypeOf(value), &value, 1);
	ptx_write_result(e, s, value);
}

/* The byte of b:a chosen by the i-th selector of `mode`, or its replicated sign bit. */
static LLVMValueRef select_byte(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef mode,
                                unsigned i)
{
	LLVMValueRef place = ptx_constant(e, 32, i),
		     low = LLVMBuildAnd(e->b, mode, ptx_like(mode, 3), "");

	if (ptx_has(e, s, ".f4e"))
		return LLVMBuildAdd(e->b, low, place, "");
	if (ptx_has(e, s, ".b4e"))
		return LLVMBuildAnd(e->b, LLVMBuildSub(e->b, low, place, ""), ptx_like(low, 7), "");
	if (ptx_has(e, s, ".rc8"))
		return low;
	if (ptx_has(e, s, ".ecl"))
		return ptx_math(e, "umax", low, place, NULL);
	if (ptx_has(e, s, ".ecr"))
		return ptx_math(e, "umin", low, place, NULL);
	if (ptx_has(e, s, ".rc16")) {
		low = LLVMBuildAnd(e->b, low, ptx_like(low, 1), "");
		low = LLVMBuildShl(e->b, low, ptx_like(low, 1), "");
		return LLVMBuildAdd(e->b, low, ptx_like(low, i & 1), "");
	}
	mode = LLVMBuildLShr(e->b, mode, ptx_like(mode, 4ull * i), "");
	return LLVMBuildAnd(e->b, mode, ptx_like(mode, 15), "");
}

void ptx_emit_prmt(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMTypeRef wide = ptx_int(e, 64), word = ptx_int(e, 32), byte = ptx_int(e, 8);
	LLVMValueRef low = LLVMBuildZExt(e->b, ptx_read(e, s->operands[1], PTX_b32), wide, "");
	LLVMValueRef high = LLVMBuildZExt(e->b, ptx_read(e, s->operands[2], PTX_b32), wide, "");
	LLVMValueRef mode = ptx_read(e, s->operands[3], PTX_b32), result = ptx_constant(e, 32, 0);

	high = LLVMBuildShl(e->b, high, ptx_like(high, 32), "");
	low = LLVMBuildOr(e->b, low, high, "");
	for (unsigned i = 0; i < 4; i++) {
		LLVMValueRef chosen = select_byte(e, s, mode, i), value, sign, is_sign;

		is_sign = LLVMBuildAnd(e->b, chosen, ptx_like(chosen, 8), "");
		is_sign = LLVMBuildICmp(e->b, LLVMIntNE, is_sign, ptx_like(chosen, 0), "");
		chosen = LLVMBuildAnd(e->b, chosen, ptx_like(chosen, 7), "");
		chosen = LLVMBuildShl(e->b, chosen, ptx_like(chosen, 3), "");
		chosen = LLVMBuildZExt(e->b, chosen, wide, "");
		value = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, low, chosen, ""), byte, "");
		sign = LLVMBuildAShr(e->b, value, ptx_like(value, 7), "");
		value = LLVMBuildSelect(e->b, is_sign, sign, value, "");
		value = LLVMBuildZExt(e->b, value, word, "");
		value = LLVMBuildShl(e->b, value, ptx_like(value, 8ull * i), "");
		result = LLVMBuildOr(e->b, result, value, "");
	}
	ptx_write(e, s->operands[0], result, PTX_b32);
}

/*
 * fns: from bit `base`, up or down, the |offset|-th set bit; for offset 0, the base itself if it is
 * set. All ones when there is none. Its 32 steps are unrolled.
 */
void ptx_emit_fns(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef mask = ptx_read(e, s->operands[1], PTX_b32), zero = ptx_constant(e, 32, 0);
	LLVMValueRef at = ptx_read(e, s->operands[2], PTX_b32), one = ptx_constant(e, 32, 1);
	LLVMValueRef offset = ptx_read(e, s->operands[3], PTX_s32);
	LLVMValueRef result = LLVMConstAllOnes(ptx_int(e, 32)), left, by, is_zero;

	is_zero = LLVMBuildICmp(e->b, LLVMIntEQ, offset, zero, "");
	by = LLVMBuildICmp(e->b, LLVMIntSLT, offset, zero, "");
	by = LLVMBuildSelect(e->b, by, LLVMConstAllOnes(ptx_int(e, 32)), one, "");
	left = LLVMBuildMul(e->b, offset, by, "");
	left = LLVMBuildSelect(e->b, is_zero, one, left, "");
	/* With an offset of 0, the first step is the only one. */
	by = LLVMBuildSelect(e->b, is_zero, ptx_constant(e, 32, 32), by, "");
	for (unsigned i = 0; i < 32; i++) {
		LLVMValueRef bit = LLVMBuildAnd(e->b, gpu_shift(e->b, LLVMLShr, mask, at), one, "");
		LLVMValueRef is_it = LLVMBuildICmp(e->b, LLVMIntEQ, left, one, "");

		is_it = LLVMBuildAnd(e->b, is_it, LLVMBuildTrunc(e->b, bit, ptx_int(e, 1), ""), "");
		result = LLVMBuildSelect(e->b, is_it, at, result, "");
		left = LLVMBuildSub(e->b, left, bit, "");
		at = LLVMBuildAdd(e->b, at, by, "");
	}
	ptx_write(e, s->operands[0], result, PTX_b32);
}

/* The i-th part of that many bits, extended to 32 according to its type. */
static LLVMValueRef part_of(struct ptx_emitter *e, LLVMValueRef value, unsigned i, unsigned bits,
                            enum ptx_type type)
{
	value = LLVMBuildLShr(e->b, value, ptx_like(value, (uint64_t)i * bits), "");
	value = LLVMBuildTrunc(e->b, value, ptx_int(e, bits), "");
	return LLVMBuildIntCast2(e->b, value, ptx_int(e, 32), ptx_type_is_signed(type), "");
}

/* The sum of products of `count` parts of a, each of 32 / count bits, with bytes of b. */
static void emit_dot(struct ptx_emitter *e, const struct ptx_step *s, unsigned count,
                     unsigned first)
{
	LLVMValueRef a = ptx_read(e, s->operands[1], PTX_b32);
	LLVMValueRef b = ptx_read(e, s->operands[2], PTX_b32);
	LLVMValueRef sum = ptx_read(e, s->operands[3], PTX_b32);

	if (s->type_count != 2) {
		ptx_refuse(e, "this form of '%.*s' is not supported",
		           PTX_WORD_ARGS(s->statement->name));
		return;
	}
	for (unsigned i = 0; i < count; i++)
		sum = LLVMBuildAdd(e->b, sum,
		                   LLVMBuildMul(e->b, part_of(e, a, i, 32 / count, s->types[0]),
		                                part_of(e, b, first + i, 8, s->types[1]), ""),
		                   "");
	ptx_write(e, s->operands[0], sum, PTX_b32);
}

void ptx_emit_dp4a(struct ptx_emitter *e, const struct ptx_step *s)
{
	emit_dot(e, s, 4, 0);
}

void ptx_emit_dp2a(struct ptx_emitter *e, const struct ptx_step *s)
{
	emit_dot(e, s, 2, ptx_has(e, s, ".hi") ? 2 : 0);
}

/* PTX's comparisons by name, and LLVM's predicates: signed, unsigned, floating-point. */
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
			ptx_refuse(e, "comparisons of pairs of halves are not supported");
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
	ptx_refuse(e, "a comparison without its kind is not supported");
	return ptx_constant(e, 1, 0);
}

/* Combine the comparison with the predicate in the fourth operand. */
static LLVMValueRef combine_predicate(struct ptx_emitter *e, const struct ptx_step *s,
                                      LLVMValueRef value)
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

/* setp p|q: q uses the negated comparison. */
void ptx_emit_setp(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value = compare(e, s, s->types[0]);
	LLVMValueRef first = combine_predicate(e, s, value), second = NULL;

	if (s->operands[0]->second.length)
		second = combine_predicate(e, s, LLVMBuildNot(e->b, value, ""));
	ptx_write(e, s->operands[0], first, PTX_pred);
	if (second)
		ptx_write_name(e, s->operands[0]->second, second, PTX_pred);
}

/* set: all ones, or 1.0 */
void ptx_emit_set(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value;

	if (s->type_count != 2 || ptx_type_is_half(s->types[0]) || s->types[0] == PTX_f64) {
		ptx_refuse(e, "this form of 'set' is not supported");
		return;
	}
	value = combine_predicate(e, s, compare(e, s, s->types[1]));
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

/* slct: a if c is not negative, else b */
void ptx_emit_slct(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef c = ptx_read(e, s->operands[3], s->types[1]), choice;

	if (s->types[1] == PTX_f32)
		choice = LLVMBuildFCmp(e->b, LLVMRealOGE, c, ptx_float_like(c, 0), "");
	else if (s->types[1] == PTX_s32)
		choice = LLVMBuildICmp(e->b, LLVMIntSGE, c, ptx_like(c, 0), "");
	else {
		ptx_refuse(e, "this form of 'slct' is not supported");
		return;
	}
	ptx_write_result(
		e, s,
		LLVMBuildSelect(e->b, choice, ptx_read_at(e, s, 1), ptx_read_at(e, s, 2), ""));
}
