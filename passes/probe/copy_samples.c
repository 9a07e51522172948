/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From its node `choice` on, the kernel's code is duplicated after its probes are inserted:
 *
 *   enter -> { tell, choice }, tell -> choice, choice -> { code, copy }
 *
 * All work-items of a group go the same way: the choice depends only on the group's number, so all
 * of them reach a barrier or none. On either side the question whether the group is in the sample
 * has a known answer: groups in the original code are, groups in the copy are not, and there probes
 * that would write nothing are removed. So each group writes the same records as before.
 *
 * Without a copy, groups outside the sample cost about as much as recording them. This is the case
 *
 * - where probes are calls (insert_probes.c: more than 32 sites, counting half of those in local
 *   memory), and in kernels of more than INSTRUCTIONS_MOST: device compilers are slow enough;
 * - where a kernel of the program has a barrier under a condition, on a device that mixes
 *   work-items, or, for CUDA, one that not all work-items reach: control flow must not change.
 *
 * In slots (probe_abi.h) a probe outside the sample clears its words instead of writing nothing.
 */
#include "steps.h"

#include "array.h"
#include "err.h"
#include "pointer_map.h"
#include "probe_abi.h"
#include "program.h"

#include <string.h>

/* Probes are still calls: inlined, each has about ten more. */
#define INSTRUCTIONS_MOST 2000

/* Gives all work-items of a group the same answer. */
#define ALIKE "warpline_in_sample_alike"

struct copying {
	const struct kernel *kernel;
	LLVMBuilderRef b;
	struct pointer_map numbers; /* the number of each copied node and instruction */
	struct array copies;        /* LLVMValueRef, indexed by these numbers */
};

static int add(struct copying *c, LLVMValueRef original, LLVMValueRef copy, struct err *err)
{
	LLVMValueRef *place = array_push(&c->copies, 1, err);

	if (!place)
		return ERR_NOMEM;
	*place = copy;
	return pointer_map_set(&c->numbers, original, (uint32_t)c->copies.count - 1, err);
}

/* The copy of a value; a value that was not copied stands for itself. */
static LLVMValueRef copy_of(const struct copying *c, LLVMValueRef value)
{
	uint32_t number = pointer_map_get(&c->numbers, value);

	return number == POINTER_MAP_NONE ? value : ((LLVMValueRef *)c->copies.data)[number];
}

static LLVMBasicBlockRef copy_of_node(const struct copying *c, LLVMBasicBlockRef node)
{
	return LLVMValueAsBasicBlock(copy_of(c, LLVMBasicBlockAsValue(node)));
}

static bool is_of_debugger(LLVMValueRef i)
{
	static const char prefix[] = "llvm.dbg.";
	LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	size_t length;

	return called && LLVMIsAFunction(called) &&
	       !strncmp(LLVMGetValueName2(called, &length), prefix, strlen(prefix));
}

/* Phis get their incoming values later: the C API cannot change incoming nodes. */
static int copy_instructions(struct copying *c, LLVMBasicBlockRef node, struct err *err)
{
	LLVMValueRef i = LLVMGetFirstInstruction(node), copy;
	int ret = 0;

	LLVMPositionBuilderAtEnd(c->b, copy_of_node(c, node));
	for (; i && !ret; i = LLVMGetNextInstruction(i)) {
		if (is_of_debugger(i))
			continue;
		if (LLVMIsAPHINode(i)) {
			copy = LLVMBuildPhi(c->b, LLVMTypeOf(i), "");
		} else {
			copy = LLVMInstructionClone(i);
			LLVMInsertIntoBuilder(c->b, copy);
		}
		ret = add(c, i, copy, err);
	}
	return ret;
}

/* Redirect the operands and targets of a copied instruction to copies. */
static void lead(const struct copying *c, LLVMValueRef i)
{
	LLVMValueRef copy = copy_of(c, i);

	if (LLVMIsAPHINode(i)) {
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = copy_of(c, LLVMGetIncomingValue(i, k));
			LLVMBasicBlockRef from = copy_of_node(c, LLVMGetIncomingBlock(i, k));

			LLVMAddIncoming(copy, &value, &from, 1);
		}
		return;
	}
	for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
		LLVMSetOperand(copy, k, copy_of(c, LLVMGetOperand(i, k)));
}

/* Copy all nodes after the choice, which are also last in the function. */
static int copy_code(struct copying *c, struct err *err)
{
	LLVMValueRef function = c->kernel->function;
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	LLVMBasicBlockRef first = LLVMGetNextBasicBlock(c->kernel->choice), node, copy;
	LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, function, "");
	int ret = 0;

	for (node = first; !ret && node != end; node = LLVMGetNextBasicBlock(node)) {
		copy = LLVMAppendBasicBlockInContext(context, function, "warpline.copy");
		ret = add(c, LLVMBasicBlockAsValue(node), LLVMBasicBlockAsValue(copy), err);
	}
	for (node = first; !ret && node != end; node = LLVMGetNextBasicBlock(node))
		ret = copy_instructions(c, node, err);
	for (node = first; !ret && node != end; node = LLVMGetNextBasicBlock(node))
		for (LLVMValueRef i = LLVMGetFirstInstruction(node); i;
		     i = LLVMGetNextInstruction(i))
			if (!is_of_debugger(i))
				lead(c, i);
	LLVMDeleteBasicBlock(end);
	return ret;
}

static bool is_no_point(LLVMValueRef value)
{
	return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 32 &&
	       LLVMConstIntGetZExtValue(value) == PROBE_NO_POINT;
}

/* Remove probes that write nothing; in a slot each has words, which it clears instead. */
static void erase_probes(const struct copying *c, LLVMValueRef number)
{
	LLVMUseRef use;

	while (!c->kernel->table->item_words && (use = LLVMGetFirstUse(number)))
		LLVMInstructionEraseFromParent(LLVMGetUser(use));
}

/* Replace one use of the question by its answer. */
static void answer(const struct copying *c, LLVMValueRef user, bool is_in_sample)
{
	LLVMValueRef question = c->kernel->in_sample, value;

	if (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) == question) {
		value = LLVMGetOperand(user, is_in_sample ? 1 : 2);
		if (is_no_point(value))
			erase_probes(c, user);
		LLVMReplaceAllUsesWith(user, value);
		LLVMInstructionEraseFromParent(user);
		return;
	}
	value = LLVMConstInt(LLVMTypeOf(question), is_in_sample, 0);
	for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
		if (LLVMGetOperand(user, k) == question)
			LLVMSetOperand(user, k, value);
}

static void answer_all(const struct copying *c)
{
	LLVMUseRef use;

	while ((use = LLVMGetFirstUse(c->kernel->in_sample))) {
		LLVMValueRef user = LLVMGetUser(use);
		const void *node = LLVMBasicBlockAsValue(LLVMGetInstructionParent(user));

		answer(c, user, pointer_map_get(&c->numbers, node) != POINTER_MAP_NONE);
	}
}

/* Let the node branch to the code or the copy. */
static void choose(const struct copying *c)
{
	const struct kernel *k = c->kernel;
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(k->choice);
	LLVMValueRef call = LLVMGetOperand(k->in_sample, 0);
	LLVMBasicBlockRef code = LLVMGetSuccessor(jump, 0);

	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
	               LLVMGetNamedFunction(LLVMGetGlobalParent(k->function), ALIKE));
	LLVMInstructionEraseFromParent(jump);
	LLVMPositionBuilderAtEnd(c->b, k->choice);
	LLVMBuildCondBr(c->b, k->in_sample, code, copy_of_node(c, code));
}

static int copy_kernel(const struct kernel *k, struct err *err)
{
	struct copying c = { .kernel = k };
	int ret;

	c.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(k->function)));
	array_init(&c.copies, sizeof(LLVMValueRef), POINTER_MAP_NONE, "instructions");
	ret = copy_code(&c, err);
	if (!ret) {
		answer_all(&c);
		choose(&c);
	}
	LLVMDisposeBuilder(c.b);
	pointer_map_release(&c.numbers);
	array_release(&c.copies);
	return ret;
}

static bool is_large(const struct kernel *k)
{
	size_t count = 0;

	for (LLVMBasicBlockRef n = k->choice; n; n = LLVMGetNextBasicBlock(n))
		for (LLVMValueRef i = LLVMGetFirstInstruction(n); i; i = LLVMGetNextInstruction(i))
			count++;
	return count > INSTRUCTIONS_MOST;
}

int copy_samples(struct program *p, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && !p->keeps_flows && i < p->kernel_count; i++)
		if (p->kernels[i].choice && !is_large(&p->kernels[i]))
			ret = copy_kernel(&p->kernels[i], err);
	return ret;
}
