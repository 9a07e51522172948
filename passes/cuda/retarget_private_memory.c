/* SPDX-License-Identifier: Apache-2.0 */
#include "define_operations.h"
#include "err.h"
#include "llvm_api.h"
#include "memory_space.h"
#include "retarget_private.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * A value extracted from a structure right after it was inserted is replaced by the value itself.
 *
 * clang returns structures as a whole; pointers in them are visible only after this.
 */

#define LIMIT_DEPTH 16

/* A piece of a structure: `whole` with `count` indices. */
struct piece {
	LLVMValueRef whole;
	unsigned path[LIMIT_DEPTH], count;
};

/* Follow parts of parts; false when they are nested too deeply. */
static bool find_whole(struct piece *p)
{
	while (LLVMIsAExtractValueInst(p->whole)) {
		unsigned more = LLVMGetNumIndices(p->whole);

		if (p->count + more > LIMIT_DEPTH)
			return false;
		memmove(p->path + more, p->path, p->count * sizeof(p->path[0]));
		memcpy(p->path, LLVMGetIndices(p->whole), more * sizeof(p->path[0]));
		p->count += more;
		p->whole = LLVMGetOperand(p->whole, 0);
	}
	return true;
}

static unsigned common_indices(const struct piece *p, LLVMValueRef insert)
{
	unsigned count = LLVMGetNumIndices(insert), i = 0;

	while (i < count && i < p->count && LLVMGetIndices(insert)[i] == p->path[i])
		i++;
	return i;
}

/* Find the value that was inserted where the part is, and the part's position in it; false when
 * unknown. */
static bool find_value(struct piece *p)
{
	while (LLVMIsAInsertValueInst(p->whole)) {
		unsigned common = common_indices(p, p->whole);

		if (common == LLVMGetNumIndices(p->whole)) {
			p->whole = LLVMGetOperand(p->whole, 1);
			p->count -= common;
			memmove(p->path, p->path + common, p->count * sizeof(p->path[0]));
			return true;
		}
		if (common == p->count)
			return false; /* only part of it is inserted here */
		p->whole = LLVMGetOperand(p->whole, 0);
	}
	return false;
}

/*
 * If the instruction is such an extractvalue, replace it and set the bool that `is_changed` points
 * to. Changes no access. Returns 0.
 */
static int fold_extract(void *is_changed, LLVMValueRef instruction, struct err *err)
{
	struct piece p = { .whole = instruction };
	bool is_found = false;
	LLVMBuilderRef b;

	(void)err;
	if (!LLVMIsAExtractValueInst(instruction))
		return 0;
	while (find_whole(&p) && find_value(&p))
		is_found = true;
	if (!is_found)
		return 0;
	b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));
	LLVMPositionBuilderBefore(b, instruction);
	for (unsigned i = 0; i < p.count; i++)
		p.whole = LLVMBuildExtractValue(b, p.whole, p.path[i], "");
	LLVMDisposeBuilder(b);
	LLVMReplaceAllUsesWith(instruction, p.whole);
	LLVMInstructionEraseFromParent(instruction);
	*(bool *)is_changed = true;
	return 0;
}

#define HIDDEN "warpline.kept."
#define NOTE   "warpline.volatile" /* metadata of what was made volatile here */
#define OWN    "warpline.own" /* metadata of variables that are volatile in the program itself */

/*
 * sroa splits variables, and whatever they are copied to or from: it would drop loads whose value
 * is unused, split stores of values from a variable, and split copies between a variable and
 * memory. So while it runs, accesses to anything but variables are volatile, which it leaves alone,
 * and copies have another name.
 */
struct hiding {
	struct program *program;
	unsigned note, own;
	size_t variable_count;
};

static LLVMValueRef pointer_of(LLVMValueRef i)
{
	if (LLVMIsALoadInst(i))
		return LLVMGetOperand(i, 0);
	return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

/* The function called by a copy, a move or a fill of memory, or NULL. */
static LLVMValueRef copy_function(LLVMValueRef i, const char *prefix)
{
	LLVMValueRef function = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
	size_t length, skip = strlen(prefix);
	const char *name = function ? LLVMGetValueName2(function, &length) : "";

	if (strncmp(name, prefix, skip) != 0)
		return NULL;
	name += skip;
	return !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13) ||
	                       !strncmp(name, "llvm.memset.", 12)
	               ? function
	               : NULL;
}

/* A parameter's own memory counts as a variable (ptx_prepare.c). */
static bool is_parameter(LLVMValueRef pointer)
{
	while (LLVMIsABitCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAArgument(pointer) && memory_space_by_value(pointer);
}

static bool is_of_variables(LLVMValueRef copy)
{
	LLVMValueRef source = LLVMGetOperand(copy, 1);

	return retarget_variable(LLVMGetOperand(copy, 0)) &&
	       (LLVMGetTypeKind(LLVMTypeOf(source)) != LLVMPointerTypeKind ||
	        retarget_variable(source) || is_parameter(source));
}

/* Call the function with the other name and the same type instead. */
static int call_instead(struct hiding *h, LLVMValueRef call, const char *name, struct err *err)
{
	LLVMModuleRef module = h->program->module;
	LLVMValueRef other = LLVMGetNamedFunction(module, name);

	if (!other)
		other = LLVMAddFunction(module, name,
		                        LLVMGlobalGetValueType(LLVMGetCalledValue(call)));
	(void)err;
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, other);
	return 0;
}

static int hide(void *context, LLVMValueRef i, struct err *err)
{
	struct hiding *h = context;
	LLVMValueRef pointer = pointer_of(i), function = copy_function(i, "");
	size_t length;
	char *name;
	int ret;

	h->variable_count += LLVMIsAAllocaInst(i) != NULL;
	if (pointer && !retarget_variable(pointer) && !LLVMGetVolatile(i)) {
		LLVMSetVolatile(i, 1);
		LLVMSetMetadata(i, h->note, LLVMMDNodeInContext(h->program->context, NULL, 0));
	}
	if (!function || is_of_variables(i))
		return 0;
	name = str_format(err, HIDDEN "%s", LLVMGetValueName2(function, &length));
	ret = name ? call_instead(h, i, name, err) : ERR_NOMEM;
	free(name);
	return ret;
}

static int note_own(void *context, LLVMValueRef i, struct err *err)
{
	struct hiding *h = context;
	LLVMValueRef pointer = pointer_of(i), variable;

	(void)err;
	variable = pointer && LLVMGetVolatile(i) ? retarget_variable(pointer) : NULL;
	if (variable)
		LLVMSetMetadata(variable, h->own,
		                LLVMMDNodeInContext(h->program->context, NULL, 0));
	return 0;
}

/* Whether an access is volatile only because it was not yet known to access a variable. */
static bool is_left_volatile(const struct hiding *h, LLVMValueRef i)
{
	LLVMValueRef pointer = pointer_of(i), variable;

	if (!pointer || !LLVMGetVolatile(i))
		return false;
	variable = retarget_variable(pointer);
	return variable && !LLVMGetMetadata(variable, h->own);
}

static int show(void *context, LLVMValueRef i, struct err *err)
{
	struct hiding *h = context;
	LLVMValueRef function = copy_function(i, HIDDEN);
	size_t length;

	if ((LLVMHasMetadata(i) && LLVMGetMetadata(i, h->note)) || is_left_volatile(h, i)) {
		LLVMSetVolatile(i, 0);
		LLVMSetMetadata(i, h->note, NULL);
	}
	if (!function)
		return 0;
	return call_instead(h, i, LLVMGetValueName2(function, &length) + strlen(HIDDEN), err);
}

/* Once a variable that held the address of another is gone, the other's accesses become visible:
 * repeat until nothing changes. */
int retarget_private_memory(struct program *p, struct err *err)
{
	struct hiding h = { .program = p };
	size_t before = SIZE_MAX;
	bool is_changed = true;
	int ret;

	h.note = LLVMGetMDKindIDInContext(p->context, NOTE, sizeof(NOTE) - 1);
	h.own = LLVMGetMDKindIDInContext(p->context, OWN, sizeof(OWN) - 1);
	ret = retarget_each_kernel(p->module, note_own, &h, err);
	while (!ret && is_changed) {
		is_changed = false;
		h.variable_count = 0;
		ret = retarget_each_kernel(p->module, fold_extract, &is_changed, err);
		if (!ret)
			ret = retarget_each_kernel(p->module, hide, &h, err);
		is_changed |= h.variable_count && h.variable_count < before;
		before = h.variable_count;
		if (!ret && is_changed)
			ret = program_run_passes(p, "function(" LLVM_SROA ")", err);
		if (!ret)
			ret = retarget_each_kernel(p->module, show, &h, err);
	}
	define_values(p->module);
	return ret ? ret : program_run_passes(p, "globaldce", err);
}
