/* SPDX-License-Identifier: Apache-2.0 */
#include "local_layout.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "memory_space.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether a function uses a value, also inside a constant. */
static bool is_used_in(LLVMValueRef value, LLVMValueRef function)
{
	for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAInstruction(user)
		            ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function
		            : LLVMIsAConstantExpr(user) && is_used_in(user, function))
			return true;
	}
	return false;
}

static bool is_local(LLVMValueRef variable)
{
	return memory_space_of(LLVMGetGlobalParent(variable), variable) == SPACE_LOCAL;
}

int local_layout_init(struct local_layout *l, LLVMValueRef function, struct err *err)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	LLVMTargetDataRef target = LLVMGetModuleDataLayout(module);
	LLVMValueRef v;
	uint64_t end = 0;
	size_t count = 0;

	*l = (struct local_layout){ 0 };
	for (v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
		count += is_local(v);
	l->variables = array_alloc(count, sizeof(*l->variables), "local variables", err);
	if (!l->variables)
		return ERR_NOMEM;
	for (v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) {
		uint64_t alignment = is_local(v) ? LLVMGetAlignment(v) : 0;

		if (!is_local(v) || !is_used_in(v, function))
			continue;
		if (!alignment)
			alignment = LLVMPreferredAlignmentOfGlobal(target, v);
		end = (end + alignment - 1) / alignment * alignment;
		l->variables[l->count++] = (struct local_variable){ v, end };
		end += LLVMABISizeOfType(target, LLVMGlobalGetValueType(v));
	}
	l->bytes = end;
	return 0;
}

void local_layout_release(struct local_layout *l)
{
	free(l->variables);
	memset(l, 0, sizeof(*l));
}

/*
 * A pointer as a number, by an instruction also where it is a constant: arithmetic with addresses
 * of variables inside constants is more than some devices take.
 */
static LLVMValueRef build_number(LLVMBuilderRef b, LLVMValueRef pointer, LLVMTypeRef type)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(type));
	LLVMValueRef placeholder = LLVMBuildAlloca(b, byte, "");
	LLVMValueRef number = LLVMBuildPtrToInt(b, placeholder, type, "");

	LLVMSetOperand(number, 0, pointer);
	LLVMInstructionEraseFromParent(placeholder);
	return number;
}

LLVMValueRef local_layout_pointer(const struct local_layout *l, LLVMValueRef instruction,
                                  LLVMValueRef pointer, LLVMValueRef base)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(pointer));
	LLVMTypeRef number = LLVMInt64TypeInContext(context);
	LLVMValueRef offset;
	LLVMBuilderRef b;
	size_t i = 0;

	while (i < l->count && l->variables[i].variable != base)
		i++;
	if (!base || (i == l->count && !LLVMIsAArgument(base)))
		return pointer;
	b = LLVMCreateBuilderInContext(context);
	LLVMPositionBuilderBefore(b, instruction);
	offset = LLVMBuildSub(b, build_number(b, pointer, number), build_number(b, base, number),
	                      "");
	if (i < l->count && l->variables[i].offset_bytes)
		offset = LLVMBuildAdd(b, offset,
		                      LLVMConstInt(number, l->variables[i].offset_bytes, 0), "");
	pointer = LLVMBuildIntToPtr(b, offset, LLVMTypeOf(pointer), "");
	LLVMDisposeBuilder(b);
	return pointer;
}
