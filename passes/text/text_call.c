/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include "err.h"
#include "mangle.h"
#include "memory_space.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct text_callee *callee_at(struct text_module *m, uint32_t number)
{
	return (struct text_callee *)m->callees.data + number;
}

/* Reserve a place and a name for it before it is written: it may call itself. */
static int add(struct text_function *f, LLVMValueRef function, uint32_t *number)
{
	struct text_module *m = f->module;
	struct text_callee *c = array_push(&m->callees, 1, f->err);

	*number = (uint32_t)m->callees.count - 1;
	if (!c)
		return ERR_NOMEM;
	c->name = str_format(f->err, "warpline_f%u", *number);
	if (!c->name)
		return ERR_NOMEM;
	return pointer_map_set(&m->callee_numbers, function, *number, f->err);
}

static void write(struct text_function *f, LLVMValueRef function, uint32_t number)
{
	struct text_module *m = f->module;
	struct err err = { 0 };
	struct str text;
	int ret;

	str_init(&text, m->functions.limit_bytes);
	ret = text_function_write(m, function, callee_at(m, number)->name, &text, &err);
	if (ret == ERR_UNSUPPORTED) {
		callee_at(m, number)->refusal = str_copy(err.msg, f->err);
		text_check(f, callee_at(m, number)->refusal ? 0 : ERR_NOMEM);
	} else if (ret) {
		text_check(f, err_set(f->err, (enum err_code)ret, "%s", err.msg));
	} else {
		text_append(f, &m->functions, &text);
	}
	str_release(&text);
}

/*
 * The name of a function of the module in the output; it is written on the first call. Refuses the
 * calling function if that is impossible.
 */
static const char *text_callee_name(struct text_function *f, LLVMValueRef function)
{
	struct text_module *m = f->module;
	uint32_t number = pointer_map_get(&m->callee_numbers, function);

	if (number == POINTER_MAP_NONE) {
		text_check(f, add(f, function, &number));
		if (f->ret)
			return "";
		write(f, function, number);
	}
	if (callee_at(m, number)->refusal)
		text_refuse(f, "%s, in a function that is not inlined",
		            callee_at(m, number)->refusal);
	return callee_at(m, number)->name;
}

/* Samplers defined by the program become program-scope constants, written as in OpenCL C. */

/* Bits of clang's initialisers and their names; a device's own bits may differ. */
static const struct {
	unsigned mask, bits;
	const char *word;
} words[] = {
	{ 1, 0, "CLK_NORMALIZED_COORDS_FALSE" },
	{ 1, 1, "CLK_NORMALIZED_COORDS_TRUE" },
	{ 0xe, 0, "CLK_ADDRESS_NONE" },
	{ 0xe, 2, "CLK_ADDRESS_CLAMP_TO_EDGE" },
	{ 0xe, 4, "CLK_ADDRESS_CLAMP" },
	{ 0xe, 6, "CLK_ADDRESS_REPEAT" },
	{ 0xe, 8, "CLK_ADDRESS_MIRRORED_REPEAT" },
	{ 0x30, 0x10, "CLK_FILTER_NEAREST" },
	{ 0x30, 0x20, "CLK_FILTER_LINEAR" },
};

static bool bits_of(LLVMValueRef call, unsigned *bits)
{
	LLVMValueRef argument = LLVMGetOperand(call, 0);

	if (!LLVMIsAConstantInt(argument))
		return false;
	*bits = (unsigned)LLVMConstIntGetZExtValue(argument);
	return true;
}

bool text_is_sampler(LLVMValueRef v)
{
	return LLVMIsACallInst(v) && LLVMIsAFunction(LLVMGetCalledValue(v)) &&
	       !strcmp(LLVMGetValueName(LLVMGetCalledValue(v)), "__translate_sampler_initializer");
}

void text_sampler(struct text_function *f, LLVMValueRef call)
{
	unsigned bits;

	if (bits_of(call, &bits))
		text_put(f, "warpline_sampler%u", bits);
}

static void text_sampler_declare(struct text_function *f, LLVMValueRef call)
{
	struct text_module *m = f->module;
	const char *between = "";
	char name[64];
	unsigned bits;

	if (!bits_of(call, &bits)) {
		text_refuse(f, "a sampler that is made at run time");
		return;
	}
	snprintf(name, sizeof(name), "__constant sampler_t warpline_sampler%u =", bits);
	if (m->constants.text && strstr(m->constants.text, name))
		return;
	text_put_to(f, &m->constants, "%s ", name);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if ((bits & words[i].mask) != words[i].bits)
			continue;
		text_put_to(f, &m->constants, "%s%s", between, words[i].word);
		between = " | ";
	}
	text_put_to(f, &m->constants, ";\n");
}

/*
 * LLVM intrinsics that become an expression, or nothing (""). Templates: text_function.h; $B is the
 * width of an element minus 1. The first row whose string is a prefix of the name counts.
 */
static const struct {
	const char *begin, *template;
} intrinsics[] = {
	{ "llvm.dbg.", "" },
	{ "llvm.lifetime.", "" },
	{ "llvm.assume", "" },
	{ "llvm.donothing", "" },
	{ "llvm.sideeffect", "" },
	{ "llvm.experimental.noalias.scope.decl", "" },
	{ "llvm.expect", "$0" },
	{ "llvm.fmuladd.", "$0 * $1 + $2" },
	{ "llvm.fma.", "fma($0, $1, $2)" },
	{ "llvm.sqrt.", "sqrt($0)" },
	{ "llvm.fabs.", "fabs($0)" },
	{ "llvm.floor.", "floor($0)" },
	{ "llvm.ceil.", "ceil($0)" },
	{ "llvm.trunc.", "trunc($0)" },
	{ "llvm.rint.", "rint($0)" },
	{ "llvm.nearbyint.", "rint($0)" },
	{ "llvm.round.", "round($0)" },
	{ "llvm.copysign.", "copysign($0, $1)" },
	{ "llvm.minnum.", "fmin($0, $1)" },
	{ "llvm.maxnum.", "fmax($0, $1)" },
	{ "llvm.sin.", "sin($0)" },
	{ "llvm.cos.", "cos($0)" },
	{ "llvm.exp.", "exp($0)" },
	{ "llvm.exp2.", "exp2($0)" },
	{ "llvm.log.", "log($0)" },
	{ "llvm.log2.", "log2($0)" },
	{ "llvm.log10.", "log10($0)" },
	{ "llvm.pow.", "pow($0, $1)" },
	{ "llvm.smax.", "$[max($s0, $s1)$]" },
	{ "llvm.smin.", "$[min($s0, $s1)$]" },
	{ "llvm.umax.", "max($0, $1)" },
	{ "llvm.umin.", "min($0, $1)" },
	{ "llvm.abs.", "abs($s0)" },
	{ "llvm.sadd.sat.", "$[add_sat($s0, $s1)$]" },
	{ "llvm.uadd.sat.", "add_sat($0, $1)" },
	{ "llvm.ssub.sat.", "$[sub_sat($s0, $s1)$]" },
	{ "llvm.usub.sat.", "sub_sat($0, $1)" },
	{ "llvm.ctpop.", "popcount($0)" },
	{ "llvm.ctlz.", "clz($0)" },
	{ "llvm.cttz.", "popcount(($R)((~$0) & ($0 - ($R)(1))))" },
	{ "llvm.bswap.i16", "as_ushort(as_uchar2($0).s10)" },
	{ "llvm.bswap.i32", "as_uint(as_uchar4($0).s3210)" },
	{ "llvm.bswap.i64", "as_ulong(as_uchar8($0).s76543210)" },
	{ "llvm.fshl.", "($0 << ($2 & ($R)($B))) | ($1 >> ($R)(1) >> (~$2 & ($R)($B)))" },
	{ "llvm.fshr.", "($0 << ($R)(1) << (~$2 & ($R)($B))) | ($1 >> ($2 & ($R)($B)))" },
	{ "llvm.umul.with.overflow.i32", "($R){ $0 * $1, mul_hi($0, $1) != 0 }" },
	{ "llvm.umul.with.overflow.i64", "($R){ $0 * $1, mul_hi($0, $1) != 0 }" },
	{ "llvm.uadd.with.overflow.i32", "($R){ $0 + $1, $0 + $1 < $0 }" },
	{ "llvm.uadd.with.overflow.i64", "($R){ $0 + $1, $0 + $1 < $0 }" },
	{ "llvm.usub.with.overflow.i32", "($R){ $0 - $1, $0 < $1 }" },
	{ "llvm.usub.with.overflow.i64", "($R){ $0 - $1, $0 < $1 }" },
};

/*
 * How to write a call of a built-in function: chosen by its name and by one parameter's type ("":
 * any).
 */
static const struct {
	const char *begin, *parameter;
	enum text_extension extension;
} needs[] = {
	{ "atom_add", "long *", TEXT_EXTENSION_INT64_BASE },
	{ "atom_sub", "long *", TEXT_EXTENSION_INT64_BASE },
	{ "atom_xchg", "long *", TEXT_EXTENSION_INT64_BASE },
	{ "atom_inc", "long *", TEXT_EXTENSION_INT64_BASE },
	{ "atom_dec", "long *", TEXT_EXTENSION_INT64_BASE },
	{ "atom_cmpxchg", "long *", TEXT_EXTENSION_INT64_BASE },
	{ "atom_", "long *", TEXT_EXTENSION_INT64_MORE },
	{ "atomic_", "long *", TEXT_EXTENSION_INT64_BASE },
	{ "atomic_", "long *", TEXT_EXTENSION_INT64_MORE },
	{ "write_image", "image3d", TEXT_EXTENSION_IMAGE_3D },
	{ "sub_group_", "", TEXT_EXTENSION_SUBGROUPS },
	{ "get_sub_group_", "", TEXT_EXTENSION_SUBGROUPS },
	{ "", "depth_t", TEXT_EXTENSION_DEPTH },
	{ "", "msaa_", TEXT_EXTENSION_MSAA },
	{ "", "double", TEXT_EXTENSION_FP64 },
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void call_intrinsic(struct text_function *f, LLVMValueRef call, const char *name)
{
	for (size_t i = 0; i < sizeof(intrinsics) / sizeof(intrinsics[0]); i++) {
		if (!begins(name, intrinsics[i].begin))
			continue;
		if (!*intrinsics[i].template || !LLVMGetFirstUse(call))
			return;
		text_assign(f, call);
		text_template(f, intrinsics[i].template, call);
		text_put(f, ";\n");
		return;
	}
	if (!text_copy(f, call, name))
		text_refuse(f, "a call of %s", name);
}

/* "..." from an array of characters, up to where C would read it. */
static void write_string(struct text_function *f, LLVMValueRef array)
{
	unsigned count = LLVMGetArrayLength(LLVMTypeOf(array));
	uint64_t c = 0;

	text_put(f, "\"");
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef element = text_constant_element(array, i);

		if (!element || !text_constant_bits(element, &c) || !c)
			break;
		if (c >= ' ' && c < 127 && !strchr("\"\\?", (int)c))
			text_put(f, "%c", (int)c);
		else
			text_put(f, "\\%03o", (unsigned)c & 0377);
	}
	text_put(f, "\"");
}

static void call_printf(struct text_function *f, LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);

	if (!count || !text_global_string(LLVMGetOperand(call, 0))) {
		text_refuse(f, "a printf whose format is not constant");
		return;
	}
	text_assign(f, call);
	text_put(f, "printf(");
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef argument = LLVMGetOperand(call, i);
		LLVMValueRef string =
			text_is_pointer(LLVMTypeOf(argument)) ? text_global_string(argument) : NULL;

		text_put(f, i ? ", " : "");
		if (string)
			write_string(f, string);
		else
			text_value(f, argument);
	}
	text_put(f, ");\n");
}

static void note_needs(struct text_function *f, const struct mangle *m)
{
	for (size_t n = 0; n < sizeof(needs) / sizeof(needs[0]); n++) {
		bool fits = !*needs[n].parameter;

		if (m->length < strlen(needs[n].begin) || !begins(m->name, needs[n].begin))
			continue;
		for (unsigned i = 0; i < m->parameter_count; i++)
			fits |= strstr(m->parameters[i].text, needs[n].parameter) != NULL;
		if (fits)
			f->module->uses[needs[n].extension] = true;
	}
}

static void write_argument(struct text_function *f, const struct mangle_parameter *p,
                           LLVMValueRef v)
{
	bool is_vector = p->kind == MANGLE_VECTOR;

	if (p->kind == MANGLE_OBJECT && (LLVMIsNull(v) || LLVMIsUndef(v)))
		text_put(f, "(%s)0", p->text);
	else if (p->kind == MANGLE_OBJECT || (!is_vector && text_is_float(LLVMTypeOf(v))))
		text_value(f, v);
	else {
		text_put(f, is_vector ? "as_%s(" : "(%s)", p->text);
		text_value(f, v);
		text_put(f, is_vector ? ")" : "");
	}
}

/* The built-in function may return a signed type; here all integers are unsigned. */
static const char *open_result(struct text_function *f, LLVMValueRef call)
{
	LLVMTypeRef type = LLVMTypeOf(call);

	if (!LLVMGetFirstUse(call) || text_object_type(f, call))
		return "";
	if (text_lanes(type) > 1) {
		text_put(f, "as_%s(", text_type(f, type));
		return ")";
	}
	if (text_is_pointer(type))
		text_put(f, "(%s)", text_type(f, type));
	return "";
}

static void call_builtin(struct text_function *f, LLVMValueRef call, const struct mangle *m)
{
	const char *close;

	note_needs(f, m);
	text_assign(f, call);
	close = open_result(f, call);
	text_put(f, "%.*s(", (int)m->length, m->name);
	for (unsigned i = 0; i < m->parameter_count; i++) {
		text_put(f, i ? ", " : "");
		write_argument(f, &m->parameters[i], LLVMGetOperand(call, i));
	}
	text_put(f, ")%s;\n", close);
}

/* to_global(p) of OpenCL C 2.0 */
static void call_space_test(struct text_function *f, LLVMValueRef call, const char *name)
{
	text_assign(f, call);
	text_put(f, "(%s)%s(", text_type(f, LLVMTypeOf(call)), name + 2);
	text_value(f, LLVMGetOperand(call, 0));
	text_put(f, ");\n");
}

static void call_function(struct text_function *f, LLVMValueRef call, LLVMValueRef callee)
{
	const char *name = text_callee_name(f, callee);
	unsigned count = LLVMGetNumArgOperands(call);

	text_assign(f, call);
	text_put(f, "%s(", name);
	for (unsigned i = 0; i < count; i++) {
		LLVMTypeRef by_value = memory_space_by_value(LLVMGetParam(callee, i));

		text_put(f, i ? ", " : "");
		if (by_value)
			text_put(f, "*(__private %s *)", text_type(f, by_value));
		text_value(f, LLVMGetOperand(call, i));
	}
	text_put(f, ");\n");
}

bool text_call(struct text_function *f, LLVMValueRef i)
{
	LLVMValueRef callee;
	struct mangle m;
	const char *name;

	if (LLVMGetInstructionOpcode(i) != LLVMCall)
		return false;
	callee = LLVMGetCalledValue(i);
	if (!LLVMIsAFunction(callee)) {
		text_refuse(f, "a call that is not of a named function");
		return true;
	}
	name = LLVMGetValueName(callee);
	if (LLVMGetIntrinsicID(callee))
		call_intrinsic(f, i, name);
	else if (!LLVMIsDeclaration(callee))
		call_function(f, i, callee);
	else if (!strcmp(name, "printf"))
		call_printf(f, i);
	else if (!strcmp(name, "__translate_sampler_initializer"))
		text_sampler_declare(f, i);
	else if (!strcmp(name, "__to_global") || !strcmp(name, "__to_local") ||
	         !strcmp(name, "__to_private"))
		call_space_test(f, i, name);
	else if (mangle_read(&m, name) && m.parameter_count == LLVMGetNumArgOperands(i))
		call_builtin(f, i, &m);
	else
		text_refuse(f, "a call of %s", name);
	return true;
}
