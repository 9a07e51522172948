/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "bypass_list.h"
#include "bypass_sites.h"
#include "err.h"
#include "mark.h"
#include "program.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

/* Strip casts, which do not change addresses here. */
static LLVMValueRef strip(LLVMValueRef pointer)
{
	while ((LLVMIsAInstruction(pointer) || LLVMIsAConstantExpr(pointer)) &&
	       (LLVMIsAInstruction(pointer) ? LLVMGetInstructionOpcode(pointer)
	                                    : LLVMGetConstOpcode(pointer)) == LLVMBitCast)
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

static bool is_load_of(LLVMValueRef i, LLVMValueRef pointer, uint64_t bytes)
{
	LLVMModuleRef module;

	if (!LLVMIsALoadInst(i) || strip(LLVMGetOperand(i, 0)) != pointer)
		return false;
	module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
	return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), LLVMTypeOf(i)) == bytes;
}

/* The load that a mark precedes: same pointer and size, with no other mark in between. NULL when
 * the access is not a load, was split, or is gone. */
static LLVMValueRef load_after(LLVMValueRef instruction)
{
	LLVMValueRef pointer;
	struct mark mark;
	uint64_t bytes;

	if (!mark_read(instruction, &mark) || !LLVMIsAConstantInt(mark.bytes))
		return NULL;
	pointer = strip(mark.pointer);
	bytes = LLVMConstIntGetZExtValue(mark.bytes);
	for (LLVMValueRef i = LLVMGetNextInstruction(instruction); i && !mark_read(i, &mark);
	     i = LLVMGetNextInstruction(i))
		if (is_load_of(i, pointer, bytes))
			return i;
	return NULL;
}

/* From which warp on all reads of the kernel bypass; UINT32_MAX: no rule. */
static uint32_t warps_of(const struct bypass_list *list, const struct kernel_table *t)
{
	uint32_t warps = UINT32_MAX;

	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *r = &list->rules[i];

		if (r->kind == BYPASS_WARPS && bypass_rule_is_of(r, t) && r->number < warps)
			warps = (uint32_t)r->number;
	}
	return warps;
}

static bool is_named(const struct bypass_list *list, const struct kernel_table *t, size_t site)
{
	for (size_t i = 0; i < list->count; i++)
		if (bypass_rule_names(&list->rules[i], t, site))
			return true;
	return false;
}

static void choose_in(struct kernel *k, const struct bypass_list *list)
{
	const struct kernel_table *t = k->table;
	uint32_t warps = warps_of(list, t);

	for (size_t s = 0; s < t->site_count; s++) {
		struct bypass_mark mark = { .site = (uint32_t)s, .warps = warps };
		LLVMValueRef load;

		if (t->sites[s].kind != SITE_READ || t->sites[s].space != SPACE_GLOBAL)
			continue;
		if (is_named(list, t, s))
			mark.warps = 0;
		load = mark.warps == UINT32_MAX ? NULL : load_after(k->marks[s]);
		if (load)
			bypass_mark_put(load, mark);
	}
}

int choose_bypasses(struct program *p, struct err *err)
{
	const char *apply = p->settings->apply;
	struct bypass_list list = { 0 };
	char *text = apply ? str_copy(apply, err) : NULL;
	int ret;

	if (!apply)
		return 0;
	ret = text ? bypass_list_read_text(&list, "--apply", text, strlen(text), err) : ERR_NOMEM;
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		choose_in(&p->kernels[i], &list);
	bypass_list_release(&list);
	free(text);
	return ret;
}
