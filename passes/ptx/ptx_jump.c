/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_function.h"
#include "ptx_value.h"

void ptx_emit_bra(struct ptx_emitter *e, const struct ptx_step *s)
{
	struct ptx_operand guard = { .kind = PTX_NAME,
		                     .name = s->statement->guard,
		                     .is_negated = s->statement->is_guard_negated };
	LLVMBasicBlockRef target = ptx_label(e, s, s->operands[0]->name), next;

	if (!target)
		return;
	if (!guard.name.length) {
		LLVMBuildBr(e->b, target);
		e->is_reached = false;
		return;
	}
	next = ptx_node(e);
	LLVMBuildCondBr(e->b, ptx_read_predicate(e, &guard), target, next);
	ptx_continue_at(e, next);
}

/* brx.idx index, list: an index past the list is not defined, and goes to its last. */
void ptx_emit_brx(struct ptx_emitter *e, const struct ptx_step *s)
{
	const struct ptx_statement *list = ptx_targets(e, s, s->operands[1]->name);
	LLVMBasicBlockRef target = NULL;
	LLVMValueRef index, jump;
	uint64_t i = 0;

	if (!list || list->is_odd || !list->operand_count) {
		ptx_refuse(e, "there is no list of targets '%.*s'",
		           PTX_WORD_ARGS(s->operands[1]->name));
		return;
	}
	index = ptx_read(e, s->operands[0], PTX_u32);
	for (uint32_t o = list->first_operand; o != PTX_NONE; o = ptx_operand_at(e->code, o)->next)
		target = ptx_label(e, s, ptx_operand_at(e->code, o)->name);
	if (!target)
		return;
	jump = LLVMBuildSwitch(e->b, index, target, list->operand_count);
	for (uint32_t o = list->first_operand; o != PTX_NONE;
	     o = ptx_operand_at(e->code, o)->next, i++) {
		target = ptx_label(e, s, ptx_operand_at(e->code, o)->name);
		if (target)
			LLVMAddCase(jump, ptx_constant(e, 32, i), target);
	}
	e->is_reached = false;
}

void ptx_emit_exit(struct ptx_emitter *e, const struct ptx_step *s)
{
	if (!e->function->head.is_entry) {
		ptx_refuse(e, "'exit' in a device function is not read");
		return;
	}
	LLVMBuildRetVoid(e->b);
	e->is_reached = false;
}

void ptx_emit_trap(struct ptx_emitter *e, const struct ptx_step *s)
{
	ptx_call(e, "llvm.trap", LLVMVoidTypeInContext(e->context), NULL, 0);
	LLVMBuildUnreachable(e->b);
	e->is_reached = false;
}

/* Hints, and what a debugger or a profiler sees. */
void ptx_emit_nothing(struct ptx_emitter *e, const struct ptx_step *s)
{
}
