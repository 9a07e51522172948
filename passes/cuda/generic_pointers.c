/* SPDX-License-Identifier: Apache-2.0 */
#include "generic_pointers.h"

#include "err.h"
#include "pointer_map.h"
#include "retarget_private.h"

#include <stdbool.h>
#include <stdlib.h>

#define LIMIT_POINTERS (1u << 24)

struct making {
	struct pointer_map map;  /* old value -> its number in `made` */
	struct array olds, made; /* LLVMValueRef */
	LLVMBuilderRef builder;
	struct err *err;
	int ret;
};

static bool is_special(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return retarget_is_pointer(type, NVPTX_CONSTANT) || retarget_is_pointer(type, NVPTX_LOCAL);
}

static LLVMTypeRef generic(LLVMTypeRef type)
{
	return LLVMPointerType(LLVMGetElementType(type), NVPTX_GENERIC);
}

static LLVMValueRef remember(struct making *m, LLVMValueRef old, LLVMValueRef value)
{
	LLVMValueRef *a = array_push(&m->olds, 1, m->err), *b = array_push(&m->made, 1, m->err);

	if (!a || !b || pointer_map_set(&m->map, old, (uint32_t)m->made.count - 1, m->err)) {
		m->ret = ERR_NOMEM;
		return value;
	}
	*a = old;
	*b = value;
	return value;
}

static LLVMValueRef make(struct making *m, LLVMValueRef old);

static LLVMValueRef make_phi(struct making *m, LLVMValueRef old)
{
	LLVMValueRef phi = LLVMBuildPhi(m->builder, generic(LLVMTypeOf(old)), "");
	unsigned count = LLVMCountIncoming(old);

	remember(m, old, phi);
	for (unsigned i = 0; i < count; i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, i);
		LLVMValueRef value = make(m, LLVMGetIncomingValue(old, i));

		LLVMAddIncoming(phi, &value, &from, 1);
	}
	return phi;
}

static LLVMValueRef make_gep(struct making *m, LLVMValueRef old, LLVMValueRef base)
{
	LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(old, 0)));
	unsigned count = (unsigned)LLVMGetNumOperands(old) - 1;
	LLVMValueRef *indices = array_alloc(count, sizeof(*indices), "indices", m->err);
	LLVMValueRef gep;

	if (!indices) {
		m->ret = ERR_NOMEM;
		return LLVMGetUndef(generic(LLVMTypeOf(old)));
	}
	for (unsigned i = 0; i < count; i++)
		indices[i] = LLVMGetOperand(old, i + 1);
	LLVMPositionBuilderBefore(m->builder, old);
	gep = LLVMBuildGEP2(m->builder, element, base, indices, count, "");
	LLVMSetIsInBounds(gep, LLVMIsInBounds(old));
	free(indices);
	return gep;
}

/* From SPIR's constant memory a cast to generic; from generic what it was. */
static LLVMValueRef make_cast(struct making *m, LLVMValueRef old, LLVMValueRef from)
{
	LLVMTypeRef type = generic(LLVMTypeOf(old));

	LLVMPositionBuilderBefore(m->builder, old);
	if (retarget_is_pointer(LLVMTypeOf(from), NVPTX_GENERIC))
		return LLVMBuildBitCast(m->builder, from, type, "");
	return LLVMBuildAddrSpaceCast(m->builder, from, type, "");
}

static LLVMValueRef make_instruction(struct making *m, LLVMValueRef old)
{
	LLVMTypeRef type = generic(LLVMTypeOf(old));
	LLVMValueRef first, second;

	switch ((int)LLVMGetInstructionOpcode(old)) {
	case LLVMGetElementPtr:
		return make_gep(m, old, make(m, LLVMGetOperand(old, 0)));
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
		return make_cast(m, old, make(m, LLVMGetOperand(old, 0)));
	case LLVMSelect:
		first = make(m, LLVMGetOperand(old, 1));
		second = make(m, LLVMGetOperand(old, 2));
		LLVMPositionBuilderBefore(m->builder, old);
		return LLVMBuildSelect(m->builder, LLVMGetOperand(old, 0), first, second, "");
	case LLVMIntToPtr:
		LLVMPositionBuilderBefore(m->builder, old);
		return LLVMBuildIntToPtr(m->builder, LLVMGetOperand(old, 0), type, "");
	case LLVMAlloca:
		LLVMPositionBuilderBefore(m->builder, old);
		first = LLVMBuildAlloca(m->builder, LLVMGetAllocatedType(old), "");
		LLVMSetAlignment(first, LLVMGetAlignment(old));
		return first;
	default: /* a cast behind it is all that can be said of it */
		LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(old));
		return LLVMBuildAddrSpaceCast(m->builder, old, type, "");
	}
}

/* The generic pointer for one that is not; any other value as it is. */
static LLVMValueRef make(struct making *m, LLVMValueRef old)
{
	uint32_t number;

	if (!is_special(old))
		return old;
	number = pointer_map_get(&m->map, old);
	if (number != POINTER_MAP_NONE)
		return ((LLVMValueRef *)m->made.data)[number];
	if (!LLVMIsAInstruction(old))
		return LLVMIsNull(old) ? LLVMConstNull(generic(LLVMTypeOf(old)))
		                       : LLVMConstAddrSpaceCast(old, generic(LLVMTypeOf(old)));
	if (LLVMIsAPHINode(old)) {
		LLVMPositionBuilderBefore(m->builder, old);
		return make_phi(m, old);
	}
	return remember(m, old, make_instruction(m, old));
}

static void use_instead(struct making *m, LLVMValueRef i)
{
	int count = LLVMGetNumOperands(i);

	for (int n = 0; n < count; n++) {
		LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);

		if (!LLVMIsABasicBlock(operand) && is_special(operand))
			LLVMSetOperand(i, (unsigned)n, make(m, operand));
	}
}

static void replace_cast(struct making *m, LLVMValueRef cast)
{
	LLVMValueRef made = make(m, LLVMGetOperand(cast, 0));

	if (made == cast)
		return;
	LLVMPositionBuilderBefore(m->builder, cast);
	LLVMReplaceAllUsesWith(cast, LLVMBuildBitCast(m->builder, made, LLVMTypeOf(cast), ""));
}

/* Accesses, comparisons and numbers take the generic pointers; casts to generic are those. */
static int visit(void *context, LLVMValueRef i, struct err *err)
{
	struct making *m = context;
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

	(void)err;
	if (is_special(i))
		make(m, i);
	else if (opcode == LLVMLoad || opcode == LLVMStore || opcode == LLVMPtrToInt ||
	         opcode == LLVMICmp || opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
		use_instead(m, i);
	else if (opcode == LLVMAddrSpaceCast && is_special(LLVMGetOperand(i, 0)))
		replace_cast(m, i);
	return m->ret;
}

/* What nothing uses any more, once the old ones do not use each other. */
static void drop_olds(const struct making *m)
{
	LLVMValueRef const *olds = m->olds.data, *made = m->made.data;

	for (size_t i = 0; i < m->olds.count; i++)
		if (!LLVMIsAAddrSpaceCastInst(made[i]) || LLVMGetOperand(made[i], 0) != olds[i])
			LLVMReplaceAllUsesWith(olds[i], LLVMGetUndef(LLVMTypeOf(olds[i])));
	for (size_t i = 0; i < m->olds.count; i++)
		if (!LLVMGetFirstUse(olds[i]))
			LLVMInstructionEraseFromParent(olds[i]);
}

int generic_pointers_make(LLVMValueRef function, struct err *err)
{
	struct making m = { .err = err };
	int ret;

	array_init(&m.olds, sizeof(LLVMValueRef), LIMIT_POINTERS, "pointers");
	array_init(&m.made, sizeof(LLVMValueRef), LIMIT_POINTERS, "pointers");
	m.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
	ret = retarget_each(function, visit, &m, err);
	if (!ret)
		drop_olds(&m);
	LLVMDisposeBuilder(m.builder);
	pointer_map_release(&m.map);
	array_release(&m.olds);
	array_release(&m.made);
	return ret;
}
