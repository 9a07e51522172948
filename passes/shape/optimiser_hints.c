/* SPDX-License-Identifier: Apache-2.0 */
#include "optimiser_hints.h"

#include "array.h"
#include "builtin.h"
#include "err.h"
#include "memory_space.h"
#include "site.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE "warpline.escape." /* + memory: an argument's pointer is known to others */

static unsigned kind_of(LLVMContextRef c, const char *metadata)
{
	return LLVMGetMDKindIDInContext(c, metadata, (unsigned)strlen(metadata));
}

static void add_attribute(LLVMValueRef function, const char *name)
{
	LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(c, kind, 0));
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* --- Memories --- */

static LLVMMetadataRef string_of(LLVMContextRef c, const char *text)
{
	return LLVMMDStringInContext2(c, text, strlen(text));
}

/* What all accesses to a memory have in common: a scope, in a domain of memories. */
static LLVMMetadataRef scope_of(LLVMContextRef c, unsigned space)
{
	LLVMMetadataRef name = string_of(c, "warpline.memories"), parts[2];

	parts[0] = string_of(c, space == SPACE_LOCAL ? "warpline.local" : "warpline.global");
	parts[1] = LLVMMDNodeInContext2(c, &name, 1);
	return LLVMMDNodeInContext2(c, parts, 2);
}

/* Append a scope to a list of an access, which may have one of the inliner's. */
static int add_scope(LLVMValueRef access, const char *list, unsigned space, struct err *err)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(access));
	LLVMValueRef old = LLVMGetMetadata(access, kind_of(c, list)), *values;
	unsigned count = old ? LLVMGetMDNodeNumOperands(old) : 0;
	LLVMMetadataRef *scopes;

	values = array_alloc(count, sizeof(*values), "scopes", err);
	scopes = array_alloc((size_t)count + 1, sizeof(*scopes), "scopes", err);
	if (values && scopes) {
		if (old)
			LLVMGetMDNodeOperands(old, values);
		for (unsigned i = 0; i < count; i++)
			scopes[i] = LLVMValueAsMetadata(values[i]);
		scopes[count] = scope_of(c, space);
		LLVMSetMetadata(access, kind_of(c, list),
		                LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, scopes, count + 1)));
	}
	free(scopes);
	free(values);
	return values && scopes ? 0 : ERR_NOMEM;
}

static int tell_memory(LLVMValueRef access, struct err *err)
{
	LLVMModuleRef module =
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)));
	LLVMContextRef c = LLVMGetModuleContext(module);
	bool is_load = LLVMIsALoadInst(access) != NULL;
	unsigned space = memory_space_of(module, LLVMGetOperand(access, is_load ? 0 : 1));
	int ret;

	if (space == SPACE_CONSTANT && is_load)
		LLVMSetMetadata(access, kind_of(c, "invariant.load"),
		                LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0)));
	if (space != SPACE_GLOBAL && space != SPACE_LOCAL)
		return 0;
	ret = add_scope(access, "alias.scope", space, err);
	return ret ? ret
	           : add_scope(access, "noalias", space == SPACE_LOCAL ? SPACE_GLOBAL : SPACE_LOCAL,
	                       err);
}

/* --- Calls --- */

static LLVMValueRef declare_escape(LLVMModuleRef module, unsigned space, LLVMTypeRef type)
{
	LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
	char name[sizeof(ESCAPE) + 16];
	LLVMValueRef function;

	snprintf(name, sizeof(name), ESCAPE "%u", space);
	function = LLVMGetNamedFunction(module, name);
	if (!function) {
		function = LLVMAddFunction(module, name, LLVMFunctionType(nothing, &type, 1, 0));
		add_attribute(function, "nounwind");
		add_attribute(function, "willreturn");
	}
	return function;
}

/* Others know an argument that is `restrict`: else LLVM takes it that no barrier changes what it
 * points to. */
static void let_escape(LLVMBuilderRef b, LLVMValueRef kernel, LLVMValueRef argument)
{
	LLVMModuleRef module = LLVMGetGlobalParent(kernel);
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(argument));
	LLVMTypeRef type =
		LLVMPointerType(LLVMInt8TypeInContext(LLVMGetModuleContext(module)), space);
	LLVMValueRef function = declare_escape(module, space, type);

	argument = LLVMBuildBitCast(b, argument, type, "");
	LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, &argument, 1, "");
}

static void let_arguments_escape(LLVMValueRef kernel)
{
	static const char name[] = "noalias";
	unsigned noalias = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(kernel)));

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
	for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
		if (LLVMGetEnumAttributeAtIndex(kernel, i + 1, noalias))
			let_escape(b, kernel, LLVMGetParam(kernel, i));
	LLVMDisposeBuilder(b);
}

bool optimiser_hints_is_unknown(LLVMValueRef i)
{
	LLVMValueRef function;

	if (!LLVMIsACallInst(i))
		return false;
	function = LLVMIsAFunction(LLVMGetCalledValue(i));
	return !function ||
	       (!LLVMGetIntrinsicID(function) && !has_attribute(function, "readnone") &&
	        !has_attribute(function, "readonly") && !has_attribute(function, "argmemonly"));
}

/* --- All of them --- */

static void forget_memory(LLVMValueRef access)
{
	static const char *const notes[] = { "alias.scope", "noalias", "invariant.load" };
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(access));

	for (size_t n = 0; n < sizeof(notes) / sizeof(notes[0]); n++)
		LLVMSetMetadata(access, kind_of(c, notes[n]), NULL);
}

int optimiser_hints_put(LLVMValueRef kernel, struct err *err)
{
	int ret = 0;

	let_arguments_escape(kernel);
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(kernel); !ret && n;
	     n = LLVMGetNextBasicBlock(n))
		for (LLVMValueRef i = LLVMGetFirstInstruction(n); !ret && i;
		     i = LLVMGetNextInstruction(i))
			if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
				ret = tell_memory(i, err);
	return ret;
}

/* Whether a declared function touches only what its arguments point to. */
static bool is_of_arguments(LLVMValueRef function)
{
	enum builtin_class class;
	size_t length;

	if (!LLVMIsDeclaration(function) || LLVMGetIntrinsicID(function))
		return false;
	class = builtin_find(LLVMGetValueName2(function, &length)).class;
	return class == BUILTIN_LOAD || class == BUILTIN_STORE || class == BUILTIN_RESULT;
}

void optimiser_hints_put_effects(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (is_of_arguments(f))
			add_attribute(f, "argmemonly");
}

static void remove_function(LLVMValueRef function)
{
	LLVMUseRef use;

	while ((use = LLVMGetFirstUse(function)))
		LLVMInstructionEraseFromParent(LLVMGetUser(use));
	LLVMDeleteFunction(function);
}

static void remove_functions(LLVMModuleRef module)
{
	static const char name[] = "argmemonly";
	unsigned argmemonly = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMValueRef f = LLVMGetFirstFunction(module), next;

	for (; f; f = next) {
		size_t length;
		const char *symbol = LLVMGetValueName2(f, &length);

		next = LLVMGetNextFunction(f);
		if (is_of_arguments(f))
			LLVMRemoveEnumAttributeAtIndex(
				f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, argmemonly);
		if (!strncmp(symbol, ESCAPE, strlen(ESCAPE)))
			remove_function(f);
	}
}

void optimiser_hints_remove(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(f); n;
		     n = LLVMGetNextBasicBlock(n))
			for (LLVMValueRef i = LLVMGetFirstInstruction(n); i;
			     i = LLVMGetNextInstruction(i))
				if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
					forget_memory(i);
	remove_functions(module);
}
