/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include "err.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdlib.h>

enum { SPACE_OF_CONSTANTS = 2, SPACE_OF_GROUPS = 3 };

/* Whether every number in a constant can stand in an initialiser: no NaN, no infinity. */
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

/* The bytes of `constant` at `offset` of an object of `size` bytes; false: not of numbers alone. */
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

/* A table whose numbers have no literals: its bytes. */
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

/* The variable's definition goes behind those of the variables that it refers to. */
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

/* A local variable of the kernel: declared in each kernel that uses it, like a static one in C. */
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
