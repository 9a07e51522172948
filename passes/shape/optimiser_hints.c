/* SPDX-License-Identifier: Apache-2.0 */
#include "optimise_parts.h"

#include "address_form.h"
#include "array.h"
#include "builtin.h"
#include "err.h"
#include "ir_walk.h"
#include "kernel_flow.h"
#include "llvm_api.h"
#include "memory_space.h"
#include "site.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE "warpline.escape." /* + memory: an argument's pointer escapes */

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

/* --- Memories --- */

static LLVMMetadataRef string_of(LLVMContextRef c, const char *text)
{
	return LLVMMDStringInContext2(c, text, strlen(text));
}

/* What all accesses to a memory share: a scope, in a domain of memories. */
static LLVMMetadataRef scope_of(LLVMContextRef c, unsigned space)
{
	LLVMMetadataRef name = string_of(c, "warpline.memories"), parts[2];

	parts[0] = string_of(c, space == SPACE_LOCAL ? "warpline.local" : "warpline.global");
	parts[1] = LLVMMDNodeInContext2(c, &name, 1);
	return LLVMMDNodeInContext2(c, parts, 2);
}

/* Append a scope to a list of an access, which may already have one from the inliner. */
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

/*
 * A `restrict` argument escapes: otherwise LLVM assumes that no barrier changes what it points to.
 */
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

/* Whether an instruction is a call that may change any memory, or order accesses. */
static bool optimiser_hints_is_unknown(LLVMValueRef i)
{
	LLVMValueRef function;

	if (!LLVMIsACallInst(i))
		return false;
	function = LLVMIsAFunction(LLVMGetCalledValue(i));
	return !function || (!LLVMGetIntrinsicID(function) &&
	                     !llvm_function_has(function, LLVM_TOUCHES_NOTHING) &&
	                     !llvm_function_has(function, LLVM_WRITES_NOTHING) &&
	                     !llvm_function_has(function, LLVM_ARGUMENTS_ONLY));
}

/* --- All hints --- */

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
	for (LLVMValueRef i = ir_first(kernel); !ret && i; i = ir_next(i))
		if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
			ret = tell_memory(i, err);
	return ret;
}

/* Whether a declared function accesses only what its arguments point to. */
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
			llvm_function_promise(f, LLVM_ARGUMENTS_ONLY);
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
	LLVMValueRef f = LLVMGetFirstFunction(module), next;

	for (; f; f = next) {
		size_t length;
		const char *symbol = LLVMGetValueName2(f, &length);

		next = LLVMGetNextFunction(f);
		if (is_of_arguments(f))
			llvm_function_unconfine(f);
		if (!strncmp(symbol, ESCAPE, strlen(ESCAPE)))
			remove_function(f);
	}
}

void optimiser_hints_remove(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMValueRef i = ir_first(f); i; i = ir_next(i))
			if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
				forget_memory(i);
	remove_functions(module);
}

#define PIN           "warpline.pin"
#define ACCESSES_MOST 64u /* per loop: more are not compared with each other */

/* An access directly in a loop, not in an inner one. */
struct loop_access {
	bool is_load;
	struct form address;
};

struct turner {
	LLVMModuleRef module;
	struct kernel_flow flow;
	struct form_finder forms;
	struct array accesses; /* struct loop_access, of one loop */
	struct err *err;
};

static bool is_in(const struct turner *t, LLVMValueRef value, int32_t loop)
{
	uint32_t node;

	if (!LLVMIsAInstruction(value))
		return false;
	node = kernel_flow_find(&t->flow, LLVMGetInstructionParent(value));
	return node == GRAPH_NONE ||
	       loop_forest_contains(&t->flow.forest, loop, t->flow.forest.innermost[node]);
}

/* The pointer of a load or store that matters to GPUs, or NULL. */
static LLVMValueRef pointer_of(const struct turner *t, LLVMValueRef i)
{
	LLVMValueRef pointer = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
	                       : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
	                                             : NULL;

	return pointer && memory_space_of(t->module, pointer) != SPACE_PRIVATE ? pointer : NULL;
}

/*
 * The constant that a phi of the loop's header grows by in each iteration; 0 if it is not constant.
 */
static uint64_t step_of(const struct turner *t, LLVMValueRef phi, int32_t loop)
{
	for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
		LLVMValueRef next = LLVMGetIncomingValue(phi, n);

		if (is_in(t, next, loop) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
		    LLVMGetOperand(next, 0) == phi && LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
			return (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
	}
	return 0;
}

/* How far an address moves in each iteration because of that phi. */
static uint64_t shift_by(struct turner *t, const struct form *address, LLVMValueRef phi,
                         int32_t loop)
{
	uint32_t number = value_numbers_of(&t->forms.numbers, phi, t->err);
	uint64_t step = step_of(t, phi, loop), shift = 0;

	for (uint32_t i = 0; number != VALUE_NUMBERS_NONE && i < address->count; i++)
		if (address->terms[i].degree == 1 && address->terms[i].leaves[0] / 2 == number)
			shift += address->terms[i].scale * step;
	return shift;
}

static uint64_t shift_of(struct turner *t, const struct form *address, int32_t loop)
{
	LLVMBasicBlockRef header = t->flow.node[t->flow.forest.loops[loop].header];
	LLVMValueRef i = LLVMGetFirstInstruction(header);
	uint64_t shift = 0;

	for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
		shift += shift_by(t, address, i, loop);
	return shift;
}

/* Whether the previous iteration accessed, at `earlier`, what `load` needs. */
static bool is_carried(struct turner *t, const struct loop_access *load,
                       const struct loop_access *earlier, int32_t loop)
{
	uint64_t distance = earlier->address.constant - load->address.constant;

	return distance && form_is_parallel(&load->address, &earlier->address) &&
	       distance == shift_of(t, &load->address, loop);
}

static bool has_carried(struct turner *t, int32_t loop)
{
	const struct loop_access *a = t->accesses.data;
	size_t count = t->accesses.count;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; a[i].is_load && k < count; k++)
			if (is_carried(t, &a[i], &a[k], loop))
				return true;
	return false;
}

/* Note an access directly in the loop. */
static int note(struct turner *t, LLVMValueRef i, LLVMValueRef pointer)
{
	struct form address;
	struct loop_access *a;

	if (t->accesses.count >= ACCESSES_MOST || !form_find(&t->forms, pointer, &address, t->err))
		return t->err->code;
	a = array_push(&t->accesses, 1, t->err);
	if (!a)
		return t->err->code;
	*a = (struct loop_access){ .is_load = LLVMIsALoadInst(i) != NULL, .address = address };
	return 0;
}

/* What a node says about a loop that contains it. */
struct findings {
	bool is_fixed; /* it must stay unchanged */
	bool has_gain; /* a load always has the same address, or its value is carried over */
};

static int look_at_node(struct turner *t, uint32_t node, int32_t loop, struct findings *found)
{
	bool is_direct = t->flow.forest.innermost[node] == loop;
	LLVMValueRef i = LLVMGetFirstInstruction(t->flow.node[node]);
	int ret = 0;

	for (; !ret && i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef pointer = pointer_of(t, i);

		found->is_fixed |= optimiser_hints_is_unknown(i);
		if (!pointer)
			continue;
		found->has_gain |= LLVMIsALoadInst(i) && !is_in(t, pointer, loop);
		if (is_direct)
			ret = note(t, i, pointer);
	}
	return ret;
}

/* Keep LLVM from copying the loop's header. */
static void pin(LLVMModuleRef module, LLVMBasicBlockRef header)
{
	static const char *const attributes[] = { "noduplicate", "inaccessiblememonly", "nounwind",
		                                  "willreturn" };
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0);
	LLVMValueRef function = LLVMGetNamedFunction(module, PIN);
	LLVMValueRef at = LLVMGetFirstInstruction(header);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);

	if (!function)
		function = LLVMAddFunction(module, PIN, type);
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		unsigned kind =
			LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));

		LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		                        LLVMCreateEnumAttribute(c, kind, 0));
	}
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	LLVMPositionBuilderBefore(b, at);
	LLVMBuildCall2(b, type, function, NULL, 0, "");
	LLVMDisposeBuilder(b);
}

static int choose(struct turner *t, int32_t loop)
{
	struct findings found = { .is_fixed = false };
	int ret = 0;

	array_clear(&t->accesses);
	for (uint32_t n = 0; !ret && n < t->flow.graph.node_count; n++)
		if (loop_forest_contains(&t->flow.forest, loop, t->flow.forest.innermost[n]))
			ret = look_at_node(t, n, loop, &found);
	if (!ret && (found.is_fixed || (!found.has_gain && !has_carried(t, loop))))
		pin(t->module, t->flow.node[t->flow.forest.loops[loop].header]);
	return ret;
}

int turned_loops_choose(LLVMValueRef kernel, struct err *err)
{
	struct turner t = { .module = LLVMGetGlobalParent(kernel), .err = err };
	int ret = kernel_flow_init(&t.flow, kernel, err);

	form_finder_init(&t.forms, t.module, false);
	array_init(&t.accesses, sizeof(struct loop_access), ACCESSES_MOST, "accesses of a loop");
	for (uint32_t l = 0; !ret && l < t.flow.forest.loop_count; l++)
		ret = choose(&t, (int32_t)l);
	array_release(&t.accesses);
	form_finder_release(&t.forms);
	kernel_flow_release(&t.flow);
	return ret;
}

void turned_loops_end(LLVMModuleRef module)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, PIN);
	LLVMUseRef use;

	if (!function)
		return;
	while ((use = LLVMGetFirstUse(function)))
		LLVMInstructionEraseFromParent(LLVMGetUser(use));
	LLVMDeleteFunction(function);
}
