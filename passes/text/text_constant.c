/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "mangle.h"
#include "text_function.h"
#include "text_parts.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPACE_OF_CONSTANTS = 2, SPACE_OF_GROUPS = 3 };

/* Whether every number in a constant can be written in an initialiser: no NaN, no infinity. */
static bool is_plain(LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	unsigned i = 0;
	LLVMValueRef element;
	LLVMBool loses;
	double value;

	if (LLVMIsNull(constant) || LLVMIsUndef(constant) || LLVMIsAConstantExpr(constant) ||
	    LLVMIsAGlobalValue(constant))
		return true;
	if (LLVMIsAConstantFP(constant) && text_is_float(type)) {
		value = LLVMConstRealGetDouble(constant, &loses);
		return value - value == 0 && LLVMGetTypeKind(type) != LLVMHalfTypeKind;
	}
	if (!text_is_aggregate(type) && LLVMGetTypeKind(type) != LLVMVectorTypeKind)
		return true;
	while ((element = text_constant_element(constant, i++)))
		if (!is_plain(element))
			return false;
	return true;
}

/* Write the bytes of `constant` at `offset` of an object of `size` bytes; false if it contains
 * anything but numbers. */
static bool fill_bytes(struct text_function *f, LLVMValueRef constant, unsigned char *bytes)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	unsigned i = 0;
	LLVMValueRef element;
	uint64_t bits, at;

	if (LLVMIsNull(constant) || LLVMIsUndef(constant))
		return true;
	if (text_constant_bits(constant, &bits)) {
		for (uint64_t b = 0; b < text_size(f, type) && b < 8; b++)
			bytes[b] = (unsigned char)(bits >> (8 * b));
		return true;
	}
	if (!text_is_aggregate(type) && LLVMGetTypeKind(type) != LLVMVectorTypeKind)
		return false;
	for (; (element = text_constant_element(constant, i)); i++) {
		at = is_struct ? LLVMOffsetOfElement(f->module->layout, type, i)
		               : i * text_size(f, LLVMTypeOf(element));
		if (!fill_bytes(f, element, bytes + at))
			return false;
	}
	return i > 0;
}

/* A table whose numbers have no literals is written as bytes. */
static void write_bytes(struct text_function *f, LLVMValueRef initialiser, uint32_t number,
                        unsigned alignment)
{
	uint64_t size = text_size(f, LLVMTypeOf(initialiser));
	unsigned char *bytes = array_alloc(size, 1, "a constant", f->err);

	if (!bytes) {
		text_check(f, ERR_NOMEM);
		return;
	}
	if (!fill_bytes(f, initialiser, bytes))
		text_refuse(f, "a constant that has addresses and numbers without literals");
	text_put(f, "__constant uchar warpline_c%u[%llu] __attribute__((aligned(%u))) = {", number,
	         (unsigned long long)size, alignment);
	for (uint64_t i = 0; i < size; i++)
		text_put(f, "%s%u,", i % 24 ? "" : "\n\t", bytes[i]);
	text_put(f, "\n};\n");
	free(bytes);
}

static void write_table(struct text_function *f, LLVMValueRef global, LLVMValueRef initialiser,
                        uint32_t number)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	unsigned natural = text_alignment(f, type), alignment = LLVMGetAlignment(global);

	if (alignment < natural)
		alignment = natural;
	if (!is_plain(initialiser)) {
		write_bytes(f, initialiser, number, alignment);
		return;
	}
	text_put(f, "__constant %s warpline_c%u", text_type(f, type), number);
	if (alignment > natural)
		text_put(f, " __attribute__((aligned(%u)))", alignment);
	text_put(f, " = ");
	text_constant(f, initialiser);
	text_put(f, ";\n");
}

/* The variable's definition follows those of the variables that it refers to. */
static uint32_t define(struct text_function *f, LLVMValueRef global)
{
	struct text_module *m = f->module;
	uint32_t number = pointer_map_get(&m->constant_numbers, global);
	struct str text, *out = f->out;
	LLVMValueRef initialiser;

	if (number != POINTER_MAP_NONE)
		return number;
	number = m->constant_count++;
	initialiser = LLVMGetInitializer(global);
	if (!LLVMIsGlobalConstant(global) || !initialiser) {
		text_refuse(f, "program-scope variable '%s'", LLVMGetValueName(global));
		return 0;
	}
	str_init(&text, 1u << 28);
	f->out = &text;
	write_table(f, global, initialiser, number);
	f->out = out;
	text_append(f, &m->constants, &text);
	if (!f->ret)
		text_check(f, pointer_map_set(&m->constant_numbers, global, number, f->err));
	str_release(&text);
	return number;
}

/* A local variable of the kernel: declared in each kernel that uses it. */
static uint32_t declare_local(struct text_function *f, LLVMValueRef global)
{
	uint32_t number = pointer_map_get(&f->numbers, global);
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	unsigned alignment = LLVMGetAlignment(global);

	if (number != POINTER_MAP_NONE)
		return number;
	if (!f->is_kernel)
		text_refuse(f, "a local variable in a function that is not inlined");
	number = f->number_count++;
	text_check(f, pointer_map_set(&f->numbers, global, number, f->err));
	text_put_to(f, &f->declarations, "\t__local %s l%u", text_type(f, type), number);
	if (alignment > text_alignment(f, type))
		text_put_to(f, &f->declarations, " __attribute__((aligned(%u)))", alignment);
	text_put_to(f, &f->declarations, ";\n");
	return number;
}

void text_global(struct text_function *f, LLVMValueRef global)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));

	if (!LLVMIsAGlobalVariable(global))
		text_refuse(f, "the address of function '%s'", LLVMGetValueName(global));
	else if (space == SPACE_OF_GROUPS)
		text_put(f, "((warpline_local)&l%u)", declare_local(f, global));
	else if (space == SPACE_OF_CONSTANTS)
		text_put(f, "((warpline_constant)&warpline_c%u)", define(f, global));
	else
		text_refuse(f, "program-scope variable '%s'", LLVMGetValueName(global));
}

LLVMValueRef text_global_string(LLVMValueRef pointer)
{
	LLVMValueRef global = text_alias(pointer), initialiser;

	if (!LLVMIsAGlobalVariable(global) || !LLVMIsGlobalConstant(global))
		return NULL;
	initialiser = LLVMGetInitializer(global);
	return initialiser && LLVMGetTypeKind(LLVMTypeOf(initialiser)) == LLVMArrayTypeKind
	               ? initialiser
	               : NULL;
}

/*
 * Which values are events, images, samplers. Their types in the IR are plain pointers, so this is
 * derived from what they are passed to: parameters of built-in functions, by their mangled names,
 * and the kernel's own metadata.
 */

static bool is_object(struct text_function *f, LLVMValueRef v)
{
	return pointer_map_get(&f->objects, v) != POINTER_MAP_NONE;
}

/* Note what `v` is; returns true when it was not known. */
static bool note(struct text_function *f, LLVMValueRef v, uint32_t object)
{
	v = text_alias(v);
	if (LLVMIsConstant(v) || is_object(f, v))
		return false;
	text_check(f, pointer_map_set(&f->objects, v, object, f->err));
	return !f->ret;
}

static bool note_text(struct text_function *f, LLVMValueRef v, const char *text)
{
	int number = mangle_object_number(text);

	return number >= 0 && note(f, v, (uint32_t)number);
}

static bool look_at_call(struct text_function *f, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
	struct mangle m;
	bool is_new = false;

	if (!strcmp(name, "__translate_sampler_initializer"))
		return note_text(f, call, "sampler_t");
	if (!mangle_read(&m, name))
		return false;
	for (unsigned i = 0; i < m.parameter_count && i < LLVMGetNumArgOperands(call); i++)
		if (m.parameters[i].kind == MANGLE_OBJECT)
			is_new |= note_text(f, LLVMGetOperand(call, i), m.parameters[i].text);
	if (!strncmp(m.name, "async_work_group_", strlen("async_work_group_")))
		is_new |= note_text(f, call, "event_t");
	return is_new;
}

/* Values that stand for the same object: all of them, if one is known. */
static bool look_at_choice(struct text_function *f, LLVMValueRef i, unsigned first)
{
	unsigned count = (unsigned)LLVMGetNumOperands(i);
	uint32_t object = pointer_map_get(&f->objects, i);
	bool is_new = false;

	for (unsigned n = first; object == POINTER_MAP_NONE && n < count; n++)
		object = pointer_map_get(&f->objects, text_alias(LLVMGetOperand(i, n)));
	if (object == POINTER_MAP_NONE)
		return false;
	f->at = i;
	if (strcmp(mangle_object(object), "event_t") != 0)
		text_refuse(f, "a %s that is chosen at run time", mangle_object(object));
	is_new = note(f, i, object);
	for (unsigned n = first; n < count; n++)
		is_new |= note(f, LLVMGetOperand(i, n), object);
	return is_new;
}

static bool look_at(struct text_function *f, LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMCall:
		return look_at_call(f, i);
	case LLVMPHI:
		return look_at_choice(f, i, 0);
	case LLVMSelect:
		return look_at_choice(f, i, 1);
	default:
		return false;
	}
}

/* "image2d_t" and "read_only" from the metadata of a kernel's parameter. */
static void look_at_parameter(struct text_function *f, unsigned index)
{
	char type[64], access[32], text[128];

	if (!text_kernel_metadata(f->function, "kernel_arg_base_type", index, type, sizeof(type)))
		return;
	if (!text_kernel_metadata(f->function, "kernel_arg_access_qual", index, access,
	                          sizeof(access)))
		return;
	if (strcmp(access, "none") != 0)
		snprintf(text, sizeof(text), "__%s %s", access, type);
	else
		snprintf(text, sizeof(text), "%s", type);
	note_text(f, LLVMGetParam(f->function, index), text);
}

void text_objects_find(struct text_function *f)
{
	unsigned count = LLVMCountParams(f->function);
	bool is_new = true;

	for (unsigned i = 0; f->is_kernel && i < count; i++)
		look_at_parameter(f, i);
	while (is_new && !f->ret) {
		is_new = false;
		for (LLVMValueRef i = ir_first(f->function); i; i = ir_next(i))
			is_new |= look_at(f, i);
	}
}

const char *text_object_type(struct text_function *f, LLVMValueRef v)
{
	uint32_t object = pointer_map_get(&f->objects, text_alias(v));

	return object == POINTER_MAP_NONE ? NULL : mangle_object(object);
}

/* The same bits as an integer, which LLVM folds for numeric constants. */
bool text_constant_bits(LLVMValueRef constant, uint64_t *bits)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMContextRef c = LLVMGetTypeContext(type);
	unsigned width;

	switch ((int)LLVMGetTypeKind(type)) {
	case LLVMHalfTypeKind:
		width = 16;
		break;
	case LLVMFloatTypeKind:
		width = 32;
		break;
	case LLVMDoubleTypeKind:
		width = 64;
		break;
	case LLVMIntegerTypeKind:
		width = LLVMGetIntTypeWidth(type);
		break;
	default:
		return false;
	}
	if (width > 64)
		return false;
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		constant = LLVMConstBitCast(constant, LLVMIntTypeInContext(c, width));
	if (LLVMIsUndef(constant) || LLVMIsNull(constant)) {
		*bits = 0;
		return true;
	}
	if (!LLVMIsAConstantInt(constant))
		return false;
	*bits = LLVMConstIntGetZExtValue(constant);
	return true;
}

static unsigned element_count(LLVMTypeRef type)
{
	switch ((int)LLVMGetTypeKind(type)) {
	case LLVMVectorTypeKind:
		return LLVMGetVectorSize(type);
	case LLVMArrayTypeKind:
		return LLVMGetArrayLength(type);
	case LLVMStructTypeKind:
		return LLVMCountStructElementTypes(type);
	default:
		return 0;
	}
}

static LLVMTypeRef element_type(LLVMTypeRef type, unsigned index)
{
	return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index)
	                                                   : LLVMGetElementType(type);
}

LLVMValueRef text_constant_element(LLVMValueRef constant, unsigned index)
{
	LLVMTypeRef type = LLVMTypeOf(constant);

	if (index >= element_count(type))
		return NULL;
	if (LLVMIsNull(constant) || LLVMIsUndef(constant))
		return LLVMConstNull(element_type(type, index));
	return LLVMGetAggregateElement(constant, index);
}

static void write_integer(struct text_function *f, LLVMTypeRef type, uint64_t bits)
{
	switch (LLVMGetIntTypeWidth(type)) {
	case 64:
		text_put(f, "%lluul", (unsigned long long)bits);
		break;
	case 32:
		text_put(f, "%lluu", (unsigned long long)bits);
		break;
	case 1:
		text_put(f, "%d", bits != 0);
		break;
	default:
		text_put(f, "(%s)%llu", text_type(f, type), (unsigned long long)bits);
	}
}

void text_constant_signed(struct text_function *f, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	unsigned width = LLVMGetIntTypeWidth(type);
	uint64_t bits = 0;
	long long n;

	text_constant_bits(constant, &bits);
	n = (long long)(bits << (64 - width)) >> (64 - width);
	if (width == 64 && bits == 1ull << 63)
		text_put(f, "(-9223372036854775807l - 1l)");
	else if (width == 32 && bits == 1ull << 31)
		text_put(f, "(-2147483647 - 1)");
	else
		text_put(f, n < 0 ? "(%lld%s)" : "%lld%s", n, width == 64 ? "l" : "");
}

/* Finite numbers as hexadecimal literals: exact, and allowed in initialisers. */
static void write_float(struct text_function *f, LLVMTypeRef type, LLVMValueRef constant)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	const char *name = text_type(f, type), *suffix = "";
	LLVMBool loses;
	double value = LLVMConstRealGetDouble(constant, &loses);
	uint64_t bits = 0;

	if (kind == LLVMFloatTypeKind)
		suffix = "f";
	else if (kind == LLVMHalfTypeKind)
		suffix = "h";
	text_constant_bits(constant, &bits);
	if (isfinite(value))
		text_put(f, signbit(value) ? "(%a%s)" : "%a%s", value, suffix);
	else if (kind == LLVMDoubleTypeKind)
		text_put(f, "as_double(0x%llxul)", (unsigned long long)bits);
	else if (kind == LLVMFloatTypeKind)
		text_put(f, "as_float(0x%llxu)", (unsigned long long)bits);
	else
		text_put(f, "as_%s((ushort)0x%llx)", name, (unsigned long long)bits);
}

static void write_vector(struct text_function *f, LLVMTypeRef type, LLVMValueRef constant)
{
	unsigned lanes = LLVMGetVectorSize(type);

	text_put(f, "(%s)(", text_type(f, type));
	for (unsigned i = 0; i < lanes; i++) {
		LLVMValueRef element = text_constant_element(constant, i);

		if (i)
			text_put(f, ", ");
		if (!element)
			text_refuse(f, "a vector constant that is computed");
		else if (text_is_bool(type))
			text_put(f, LLVMIsNull(element) || LLVMIsUndef(element) ? "0" : "-1");
		else
			text_constant(f, element);
	}
	text_put(f, ")");
}

static void write_aggregate(struct text_function *f, LLVMTypeRef type, LLVMValueRef constant)
{
	bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
	unsigned count = element_count(type);
	uint64_t bits;

	/* Omitted elements are zero. */
	if (count && LLVMIsNull(constant))
		count = 1;
	text_put(f, is_array ? "{ {" : "{");
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef element = text_constant_element(constant, i);

		text_put(f, i ? ", " : " ");
		if (element && LLVMIsAConstantInt(element) &&
		    LLVMGetIntTypeWidth(LLVMTypeOf(element)) <= 16 &&
		    text_constant_bits(element, &bits))
			text_put(f, "%llu", (unsigned long long)bits);
		else if (element)
			text_constant(f, element);
		else
			text_refuse(f, "an aggregate constant that is computed");
	}
	text_put(f, count ? " " : " 0 ");
	text_put(f, is_array ? "} }" : "}");
}

void text_zero(struct text_function *f, LLVMTypeRef type)
{
	LLVMValueRef zero = LLVMConstNull(type);

	if (text_is_pointer(type) || llvm_is_event(type))
		text_put(f, "(%s)0", text_type(f, type));
	else if (text_is_aggregate(type))
		write_aggregate(f, type, zero);
	else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		write_vector(f, type, zero);
	else if (text_is_float(type))
		write_float(f, type, zero);
	else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		write_integer(f, type, 0);
	else
		text_refuse(f, "a constant of a type without a zero");
}

void text_constant(struct text_function *f, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	uint64_t bits = 0;

	if (LLVMIsNull(constant) || LLVMIsUndef(constant))
		text_zero(f, type);
	else if (text_is_aggregate(type))
		write_aggregate(f, type, constant);
	else if (LLVMIsAConstantExpr(constant)) {
		text_put(f, "(");
		if (!text_operation(f, constant) && !text_pointer_operation(f, constant))
			text_refuse(f, "a constant expression of opcode %d",
			            (int)text_opcode(constant));
		text_put(f, ")");
	} else if (LLVMIsAGlobalValue(constant))
		text_global(f, constant);
	else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		write_vector(f, type, constant);
	else if (text_is_float(type))
		write_float(f, type, constant);
	else if (LLVMIsAConstantInt(constant) && text_constant_bits(constant, &bits) &&
	         *text_type(f, type))
		write_integer(f, type, bits);
	else
		text_refuse(f, "an unknown kind of constant");
}
