/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_real.h"

#include "ptx_half.h"
#include "ptx_value.h"

#include <stdio.h>

#define OPERANDS   3
#define NAME_BYTES 40

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

enum ptx_rounding ptx_rounding_of(const struct ptx_emitter *e, const struct ptx_step *s)
{
	if (ptx_has(e, s, ".rz .rzi"))
		return PTX_TO_ZERO;
	if (ptx_has(e, s, ".rm .rmi"))
		return PTX_DOWN;
	return ptx_has(e, s, ".rp .rpi") ? PTX_UP : PTX_TO_NEAREST;
}

LLVMValueRef ptx_real_call(struct ptx_emitter *e, const char *name, enum ptx_rounding rounding,
                           bool is_single, LLVMValueRef *arguments, unsigned count)
{
	static const char *const ends[] = { "rn", "rz", "rd", "ru" };
	char whole[NAME_BYTES];

	snprintf(whole, sizeof(whole), "__nv_%s_%s", name, ends[rounding]);
	return ptx_call(e, whole, is_single ? ptx_float(e) : LLVMDoubleTypeInContext(e->context),
	                arguments, count);
}

/* `value` where the comparison with a number holds, else that number. */
static LLVMValueRef unless(struct ptx_emitter *e, LLVMRealPredicate how, LLVMValueRef value,
                           double number)
{
	LLVMValueRef limit = ptx_float_like(value, number);
	LLVMValueRef is_so = LLVMBuildFCmp(e->b, how, value, limit, "");

	return LLVMBuildSelect(e->b, is_so, value, limit, "");
}

LLVMValueRef ptx_real_limit(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef value)
{
	if (ptx_has(e, s, ".sat"))
		return unless(e, LLVMRealOLT, unless(e, LLVMRealOGT, value, 0), 1);
	return ptx_has(e, s, ".relu") ? unless(e, LLVMRealUGT, value, 0) : value;
}

static bool is_single(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMFloatTypeKind;
}

static LLVMValueRef choose(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                           LLVMValueRef b)
{
	static const char *const names[2][2] = { { "__nv_fmax", "__nv_fmin" },
		                                 { "__nv_fmaxf", "__nv_fminf" } };
	LLVMValueRef both[2] = { a, b }, result, is_none;

	result = ptx_call(e, names[is_single(a)][is_named(s, "min")], LLVMTypeOf(a), both, 2);
	if (!ptx_has(e, s, ".NaN"))
		return result;
	is_none = LLVMBuildFCmp(e->b, LLVMRealUNO, a, b, "");
	return LLVMBuildSelect(e->b, is_none, LLVMBuildFAdd(e->b, a, b, ""), result, "");
}

static LLVMValueRef call_function(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (is_named(s, functions[i].opcode))
			return ptx_call(e, is_single(a) ? functions[i].single : functions[i].wide,
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
	static const struct {
		const char *opcode, *single, *wide;
	} rows[] = {
		{ "add", "fadd", "dadd" },    { "sub", "fsub", "dsub" },
		{ "mul", "fmul", "dmul" },    { "div", "fdiv", "ddiv" },
		{ "rcp", "frcp", "drcp" },    { "sqrt", "fsqrt", "dsqrt" },
		{ "mad fma", "fmaf", "fma" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (is_named(s, rows[i].opcode))
			return ptx_real_call(e, is_single(v[0]) ? rows[i].single : rows[i].wide,
			                     rounding, is_single(v[0]), v, s->count - 1);
	ptx_refuse(e, "'%.*s' with this rounding is not read", PTX_WORD_ARGS(s->statement->name));
	return v[0];
}

static LLVMValueRef compute(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef *v)
{
	enum ptx_rounding rounding = ptx_rounding_of(e, s);

	if (rounding != PTX_TO_NEAREST && ptx_type_is_half(s->types[0]))
		ptx_refuse(e, "halves with this rounding are not read");
	return ptx_real_limit(e, s,
	                      rounding == PTX_TO_NEAREST || e->refusal[0]
	                              ? operate(e, s, v)
	                              : operate_directed(e, s, v, rounding));
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
