/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_real.h"

#include "ptx_half.h"
#include "ptx_rounding.h"
#include "ptx_value.h"

#define OPERANDS 3

/* One-operand functions that LLVM has no operation for, by their names in CUDA's library. */
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

LLVMValueRef ptx_real_saturate(struct ptx_emitter *e, LLVMValueRef value)
{
	value = ptx_math(e, "maxnum", value, ptx_float_like(value, 0), NULL);
	return ptx_math(e, "minnum", value, ptx_float_like(value, 1), NULL);
}

static LLVMValueRef choose(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                           LLVMValueRef b)
{
	LLVMValueRef result = ptx_math(e, is_named(s, "min") ? "minnum" : "maxnum", a, b, NULL);
	LLVMValueRef is_none;

	if (!ptx_has(e, s, ".NaN"))
		return result;
	is_none = LLVMBuildFCmp(e->b, LLVMRealUNO, a, b, "");
	return LLVMBuildSelect(e->b, is_none, LLVMBuildFAdd(e->b, a, b, ""), result, "");
}

static LLVMValueRef call_function(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a)
{
	bool is_single = LLVMTypeOf(a) == ptx_float(e);

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (is_named(s, functions[i].opcode))
			return ptx_call(e, is_single ? functions[i].single : functions[i].wide,
			                LLVMTypeOf(a), &a, 1);
	ptx_refuse(e, "'%.*s' is not read for floating point numbers",
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
	LLVMTypeRef wide = LLVMDoubleTypeInContext(e->context);
	struct ptx_exact exact = { v[0], v[0] };

	for (uint32_t i = 0; s->types[0] == PTX_f32 && i + 1 < s->count; i++)
		v[i] = LLVMBuildFPExt(e->b, v[i], wide, "");
	if (is_named(s, "add"))
		exact = ptx_exact_sum(e, v[0], v[1], rounding);
	else if (is_named(s, "sub"))
		exact = ptx_exact_sum(e, v[0], LLVMBuildFNeg(e->b, v[1], ""), rounding);
	else if (is_named(s, "mul"))
		exact = ptx_exact_product(e, v[0], v[1]);
	else if (is_named(s, "div"))
		exact = ptx_exact_quotient(e, v[0], v[1]);
	else if (is_named(s, "rcp"))
		exact = ptx_exact_quotient(e, ptx_float_like(v[0], 1), v[0]);
	else if (is_named(s, "sqrt"))
		exact = ptx_exact_root(e, v[0]);
	else if (is_named(s, "fma mad") && s->types[0] == PTX_f32) /* its product is exact */
		exact = ptx_exact_sum(e, LLVMBuildFMul(e->b, v[0], v[1], ""), v[2], rounding);
	else
		ptx_refuse(e, "'%.*s' with this rounding is not read",
		           PTX_WORD_ARGS(s->statement->name));
	return ptx_round(e, exact, rounding, s->types[0]);
}

static LLVMValueRef compute(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef *v)
{
	enum ptx_rounding rounding = ptx_rounding_of(e, s);
	LLVMValueRef result;

	if (rounding != PTX_TO_NEAREST && ptx_type_is_half(s->types[0]))
		ptx_refuse(e, "halves with this rounding are not read");
	if (rounding == PTX_TO_NEAREST || e->refusal[0])
		result = operate(e, s, v);
	else
		result = operate_directed(e, s, v, rounding);
	if (ptx_has(e, s, ".sat"))
		result = ptx_real_saturate(e, result);
	if (ptx_has(e, s, ".relu"))
		result = ptx_math(e, "maxnum", result, ptx_float_like(result, 0), NULL);
	return result;
}

/* One half of the operands, or of each pair. */
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
		ptx_refuse(e, "'%.*s' of several types is not read",
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
	/* The sign comes first in PTX. */
	if (ptx_type_is_float(s->types[0]))
		ptx_write_result(
			e, s,
			ptx_math(e, "copysign", ptx_read_at(e, s, 2), ptx_read_at(e, s, 1), NULL));
	else
		ptx_refuse(e, "'copysign' of this type is not read");
}

void ptx_emit_testp(struct ptx_emitter *e, const struct ptx_step *s)
{
	bool is_single = s->types[0] == PTX_f32;
	LLVMValueRef value, size, limit, least, result;

	if (!ptx_type_is_float(s->types[0])) {
		ptx_refuse(e, "'testp' of this type is not read");
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
