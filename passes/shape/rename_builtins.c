/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "builtin.h"
#include "err.h"
#include "llvm_api.h"
#include "mangle.h"
#include "program.h"
#include "str.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

/* wait_group_events(int, event_t *), the events in private memory. */
#define WAIT_PRIVATE "_Z17wait_group_eventsiP9ocl_event"

/*
 * Symbols that some SPIR libraries have by an older rule, in which images are nothing that a later
 * S_ could stand for.
 */
static const struct {
	const char *ours, *theirs;
} older[] = {
	{ "_Z12write_imagei14ocl_image3d_woDv4_iS0_", "_Z12write_imagei14ocl_image3d_woDv4_iS_" },
	{ "_Z12write_imagei14ocl_image3d_rwDv4_iS0_", "_Z12write_imagei14ocl_image3d_rwDv4_iS_" },
	{ "_Z12write_imagei20ocl_image2d_array_woDv4_iS0_",
	  "_Z12write_imagei20ocl_image2d_array_woDv4_iS_" },
	{ "_Z12write_imagei20ocl_image2d_array_rwDv4_iS0_",
	  "_Z12write_imagei20ocl_image2d_array_rwDv4_iS_" },
};

static void rename_to_older(LLVMValueRef function)
{
	size_t length;
	const char *symbol = LLVMGetValueName2(function, &length);

	for (size_t i = 0; i < sizeof(older) / sizeof(older[0]); i++)
		if (!strcmp(symbol, older[i].ours)) {
			LLVMSetValueName2(function, older[i].theirs, strlen(older[i].theirs));
			return;
		}
}

static bool is_32_bit(LLVMValueRef function)
{
	struct mangle_parameter p;
	size_t length;

	return mangle_pointee(LLVMGetValueName2(function, &length), 0, &p) && p.lanes == 1 &&
	       p.element_bytes == 4;
}

/* The symbol with another source-level name in it, its parameters as they were. */
static char *symbol_with_name(const char *symbol, const char *name, struct err *err)
{
	size_t length;
	const char *rest = builtin_source_name(symbol, &length) + length;

	return str_format(err, "_Z%zu%s%s", strlen(name), name, rest);
}

/* Call `function` by another name, or what already has it. */
static int rename_to(struct program *p, LLVMValueRef function, const char *name, struct err *err)
{
	size_t length;
	char *symbol = symbol_with_name(LLVMGetValueName2(function, &length), name, err);
	LLVMValueRef there;

	if (!symbol)
		return ERR_NOMEM;
	there = LLVMGetNamedFunction(p->module, symbol);
	if (there)
		LLVMReplaceAllUsesWith(function, LLVMConstBitCast(there, LLVMTypeOf(function)));
	else
		LLVMSetValueName2(function, symbol, strlen(symbol));
	free(symbol);
	return 0;
}

/* Put a call of `replacement` in the place of `call` if its events are cast from `type`. */
static void wait_for_private(LLVMValueRef call, LLVMValueRef replacement, LLVMTypeRef type)
{
	LLVMValueRef arguments[] = { LLVMGetOperand(call, 0), LLVMGetOperand(call, 1) };
	LLVMValueRef cast = arguments[1], better;
	LLVMBuilderRef b;

	if (!LLVMIsAAddrSpaceCastInst(cast))
		return;
	arguments[1] = LLVMGetOperand(cast, 0);
	if (LLVMTypeOf(arguments[1]) != type)
		return;
	b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
	LLVMPositionBuilderBefore(b, call);
	better = LLVMBuildCall2(b, LLVMGlobalGetValueType(replacement), replacement, arguments, 2,
	                        "");
	LLVMSetInstructionCallConv(better, LLVMGetFunctionCallConv(replacement));
	LLVMInstructionSetDebugLoc(better, LLVMInstructionGetDebugLoc(call));
	LLVMInstructionEraseFromParent(call);
	if (!LLVMGetFirstUse(cast))
		LLVMInstructionEraseFromParent(cast);
	LLVMDisposeBuilder(b);
}

/*
 * clang declares wait_group_events() with a generic pointer to the events, which the libraries of
 * OpenCL 1.2 do not have and some devices die of. Call it with the private one that was cast.
 */
static void make_events_private(struct program *p, LLVMValueRef function)
{
	LLVMTypeRef types[2], type;
	LLVMValueRef replacement;
	LLVMUseRef use, next;

	if (LLVMCountParams(function) != 2)
		return;
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	if (LLVMGetTypeKind(types[1]) != LLVMPointerTypeKind ||
	    LLVMGetPointerAddressSpace(types[1]) != 4)
		return;
	types[1] = llvm_pointer_in(types[1], 0);
	type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), types, 2, 0);
	replacement = LLVMGetNamedFunction(p->module, WAIT_PRIVATE);
	if (!replacement)
		replacement = LLVMAddFunction(p->module, WAIT_PRIVATE, type);
	LLVMSetFunctionCallConv(replacement, LLVMSPIRFUNCCallConv);
	for (use = LLVMGetFirstUse(function); use; use = next) {
		next = LLVMGetNextUse(use);
		wait_for_private(LLVMGetUser(use), replacement, types[1]);
	}
}

int rename_builtins(struct program *p, struct err *err)
{
	/* As text the device's own compiler finds its builtins. */
	bool is_spir = !setting_is(p->settings->door, "text");
	LLVMValueRef f, next;
	int ret = 0;

	for (f = LLVMGetFirstFunction(p->module); !ret && f; f = next) {
		size_t length;
		struct builtin b;

		next = LLVMGetNextFunction(f);
		if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f))
			continue;
		b = builtin_find(LLVMGetValueName2(f, &length));
		if (b.class == BUILTIN_WAIT)
			make_events_private(p, f);
		else if (is_spir && (b.class == BUILTIN_ALIAS ||
		                     (b.class == BUILTIN_ATOMIC_ALIAS && is_32_bit(f))))
			ret = rename_to(p, f, b.what, err);
		else if (is_spir)
			rename_to_older(f);
	}
	return ret;
}
