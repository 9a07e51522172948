/* SPDX-License-Identifier: Apache-2.0 */
#include "turned_loops.h"

#include "address_form.h"
#include "err.h"
#include "kernel_flow.h"
#include "memory_space.h"
#include "optimiser_hints.h"
#include "site.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PIN           "warpline.pin"
#define ACCESSES_MOST 64u /* of a loop: more are not compared with each other */

/* An access that lies in a loop and in none inside it. */
struct loop_access {
	bool is_load;
	struct form address;
};

struct turner {
	LLVMModuleRef module;
	struct kernel_flow flow;
	struct form_finder forms;
	struct array accesses; /* struct loop_access: of one loop */
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

/* The pointer of a load or store that GPUs would notice, or NULL. */
static LLVMValueRef pointer_of(const struct turner *t, LLVMValueRef i)
{
	LLVMValueRef pointer = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
	                       : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
	                                             : NULL;

	return pointer && memory_space_of(t->module, pointer) != SPACE_PRIVATE ? pointer : NULL;
}

/* What a phi of the loop's header grows by each time round, if that is a constant, else 0. */
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

/* How far an address moves each time round by that phi. */
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

/* Whether the iteration before had at `earlier` what `load` wants. */
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

/* Note an access that lies directly in the loop. */
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

/* What a node says of a loop that holds it. */
struct findings {
	bool is_fixed; /* it must stay as it is */
	bool has_gain; /* there is a load that is always of the same */
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
