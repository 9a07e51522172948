/* SPDX-License-Identifier: Apache-2.0 */
#include "unrecorded_calls.h"

#include "builtin.h"
#include "err.h"
#include "kernel_arguments.h"
#include "memory_space.h"
#include "source_place.h"
#include "str.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

int unrecorded_add(struct array *unrecorded, const char *what, LLVMValueRef instruction,
                   struct err *err)
{
	struct unrecorded *u = array_push(unrecorded, 1, err);

	if (!u)
		return ERR_LIMIT;
	u->what = str_copy(what, err);
	return u->what ? source_place(instruction, &u->place, NULL, NULL, err) : ERR_NOMEM;
}

void unrecorded_note_write(struct kernel_table *table, const struct pointer_origin *origin)
{
	table->writes_unknown |= origin->is_unknown || origin->is_global_known;
	for (size_t i = 0; i < table->argument_count; i++)
		table->arguments[i].is_written |=
			origin->from[i] ||
			(origin->is_unknown && table->arguments[i].space == SPACE_GLOBAL);
}

static bool has_attribute(LLVMValueRef call, LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

	return LLVMGetCallSiteEnumAttribute(call, at, kind) ||
	       (function && LLVMGetEnumAttributeAtIndex(function, at, kind));
}

/* A pointer through which a callee could reach global memory. */
static bool is_global_pointer(LLVMModuleRef module, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned space;

	if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || !kernel_arguments_is_memory(type))
		return false;
	space = memory_space_of(module, value);
	return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

/* Whether the callee gets a pointer to global memory; what it may write there is noted. */
static int note_pointers(LLVMValueRef call, bool may_write, struct kernel_table *table,
                         struct pointer_origin *origin, bool *has_pointers, struct err *err)
{
	unsigned count = LLVMGetNumArgOperands(call);
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++) {
		LLVMValueRef pointer = LLVMGetOperand(call, i);

		if (!is_global_pointer(origin->module, pointer))
			continue;
		*has_pointers = true;
		ret = pointer_origin_find(origin, pointer, err);
		if (!ret && may_write)
			unrecorded_note_write(table, origin);
	}
	return ret;
}

static char *name_of_call(LLVMValueRef call, LLVMValueRef function, struct err *err)
{
	size_t length;
	const char *name;

	if (function) {
		name = builtin_source_name(LLVMGetValueName2(function, &length), &length);
		return str_format(err, "call of %.*s", (int)length, name);
	}
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return str_copy("inline assembly", err);
	return str_copy("call through a pointer", err);
}

/* A call of something that the table of builtins does not know. */
static int look_at_unknown(LLVMValueRef call, LLVMValueRef function, struct kernel_table *table,
                           struct pointer_origin *origin, struct array *unrecorded, struct err *err)
{
	bool may_write = !has_attribute(call, function, "readonly");
	bool is_opaque = !function || !LLVMIsDeclaration(function);
	char *what;
	int ret;

	if (has_attribute(call, function, "readnone"))
		return 0;
	table->is_repeatable &= !may_write;
	ret = note_pointers(call, may_write, table, origin, &is_opaque, err);
	if (ret || !is_opaque)
		return ret;
	what = name_of_call(call, function, err);
	ret = what ? unrecorded_add(unrecorded, what, call, err) : ERR_NOMEM;
	free(what);
	return ret;
}

/* Intrinsics that no table names; inline assembly that is given no address. */
static bool is_harmless(LLVMValueRef call, LLVMValueRef function)
{
	unsigned count = LLVMGetNumArgOperands(call);

	if (function || !LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return function && LLVMGetIntrinsicID(function);
	for (unsigned i = 0; i < count; i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));

		if (LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
		    (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
		     LLVMGetIntTypeWidth(type) == 64))
			return false;
	}
	return true;
}

int unrecorded_look(LLVMValueRef instruction, struct kernel_table *table,
                    struct pointer_origin *origin, struct array *unrecorded, struct err *err)
{
	struct builtin b = { .class = BUILTIN_NONE };
	LLVMValueRef function;
	bool has_pointers = false;
	size_t length;
	int ret;

	if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
		return 0;
	function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
	if (function && LLVMIsDeclaration(function))
		b = builtin_find(LLVMGetValueName2(function, &length));
	if (b.class == BUILTIN_NONE && is_harmless(instruction, function))
		return 0;
	if (b.class == BUILTIN_NONE)
		return look_at_unknown(instruction, function, table, origin, unrecorded, err);
	if (b.class != BUILTIN_PASSED && b.class != BUILTIN_EFFECT)
		return 0;
	table->is_repeatable &= b.class != BUILTIN_EFFECT;
	ret = note_pointers(instruction, true, table, origin, &has_pointers, err);
	if (ret || !*b.what)
		return ret;
	return unrecorded_add(unrecorded, b.what, instruction, err);
}
