/* SPDX-License-Identifier: Apache-2.0 */
#include "pointer_origin.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "memory_space.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

/* If more pointers than this are involved, the origin is unknown. */
#define WEB_LIMIT_COUNT 2048

int pointer_origin_init(struct pointer_origin *o, LLVMValueRef function, struct err *err)
{
	memset(o, 0, sizeof(*o));
	o->module = LLVMGetGlobalParent(function);
	o->argument_count = LLVMCountParams(function);
	o->from = array_alloc(o->argument_count, sizeof(*o->from), "kernel arguments", err);
	return o->from ? 0 : ERR_NOMEM;
}

void pointer_origin_release(struct pointer_origin *o)
{
	free(o->from);
	memset(o, 0, sizeof(*o));
}

struct web {
	struct pointer_origin *origin;
	struct array seen; /* LLVMValueRef; those from `next` on are still to be visited */
	size_t next;
};

static int look_at(struct web *w, LLVMValueRef value, struct err *err)
{
	LLVMValueRef *seen = w->seen.data;

	for (size_t i = 0; i < w->seen.count; i++)
		if (seen[i] == value)
			return 0;
	if (w->seen.count == WEB_LIMIT_COUNT) {
		w->origin->is_unknown = true;
		return 0;
	}
	seen = array_push(&w->seen, 1, err);
	if (!seen)
		return ERR_NOMEM;
	*seen = value;
	return 0;
}

/* A pointer into one memory cannot come from one into another. */
static bool may_be_from(const struct pointer_origin *o, LLVMValueRef base)
{
	unsigned space = memory_space_of(o->module, base);

	return space == o->space || space == SPACE_GENERIC || o->space == SPACE_GENERIC;
}

static void note_base(struct pointer_origin *o, LLVMValueRef base)
{
	if (!may_be_from(o, base))
		return;
	o->has_bases |= o->base != NULL;
	o->base = base;
}

static void note_argument(struct pointer_origin *o, LLVMValueRef argument)
{
	LLVMValueRef function = LLVMGetParamParent(argument);

	if (!may_be_from(o, argument))
		return;
	for (unsigned i = 0; i < o->argument_count; i++)
		if (LLVMGetParam(function, i) == argument)
			o->from[i] = true;
}

static void note_space(struct pointer_origin *o, LLVMValueRef pointer)
{
	unsigned space = memory_space_of(o->module, pointer);

	o->spaces |= space < 32 ? 1u << space : 0;
	/* A generic argument may point anywhere. */
	o->is_unknown |= space == SPACE_GENERIC;
}

/* to_global() and the like: return the pointer itself, or null. */
static bool is_question(LLVMValueRef value)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(value));
	size_t length;

	return function && LLVMGetNumArgOperands(value) == 1 &&
	       !strncmp(LLVMGetValueName2(function, &length), "__to_", 5);
}

static int step_instruction(struct web *w, LLVMValueRef value, LLVMOpcode opcode, struct err *err)
{
	unsigned first = opcode == LLVMSelect ? 1 : 0, last = opcode == LLVMSelect ? 2 : 0;
	int ret = 0;

	switch ((int)opcode) {
	case LLVMGetElementPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMFreeze:
	case LLVMSelect:
		for (unsigned i = first; !ret && i <= last; i++)
			ret = look_at(w, LLVMGetOperand(value, i), err);
		return ret;
	case LLVMPHI:
		for (unsigned i = 0; !ret && i < LLVMCountIncoming(value); i++)
			ret = look_at(w, LLVMGetIncomingValue(value, i), err);
		return ret;
	case LLVMCall:
		if (is_question(value))
			return look_at(w, LLVMGetOperand(value, 0), err);
		w->origin->is_unknown = true;
		return 0;
	case LLVMAlloca:
		note_space(w->origin, value);
		note_base(w->origin, value);
		return 0;
	default:
		w->origin->is_unknown = true;
		return 0;
	}
}

static int step(struct web *w, LLVMValueRef value, struct err *err)
{
	if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind) {
		w->origin->is_unknown = true;
		return 0;
	}
	if (LLVMIsAConstantExpr(value))
		return step_instruction(w, value, LLVMGetConstOpcode(value), err);
	if (LLVMIsAInstruction(value))
		return step_instruction(w, value, LLVMGetInstructionOpcode(value), err);
	if (LLVMIsAArgument(value)) {
		note_argument(w->origin, value);
		note_space(w->origin, value);
		note_base(w->origin, value);
	} else if (LLVMIsAGlobalVariable(value)) {
		note_space(w->origin, value);
		note_base(w->origin, value);
		w->origin->is_global_known |=
			memory_space_of(w->origin->module, value) == SPACE_GLOBAL;
	} else if (!LLVMIsNull(value) && !LLVMIsUndef(value)) {
		w->origin->is_unknown = true;
	}
	return 0;
}

int pointer_origin_find(struct pointer_origin *o, LLVMValueRef pointer, struct err *err)
{
	struct web w = { .origin = o };
	int ret;

	memset(o->from, 0, o->argument_count * sizeof(*o->from));
	o->is_global_known = o->is_unknown = o->has_bases = false;
	o->spaces = 0;
	o->base = NULL;
	if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind)
		o->space = memory_space_of_type(o->module, LLVMTypeOf(pointer));
	array_init(&w.seen, sizeof(LLVMValueRef), WEB_LIMIT_COUNT, "pointers");
	ret = look_at(&w, pointer, err);
	while (!ret && w.next < w.seen.count)
		ret = step(&w, ((LLVMValueRef *)w.seen.data)[w.next++], err);
	array_release(&w.seen);
	return ret;
}

LLVMValueRef pointer_origin_base(const struct pointer_origin *o)
{
	return o->is_unknown || o->has_bases ? NULL : o->base;
}

int32_t pointer_origin_argument(const struct pointer_origin *o)
{
	int32_t argument = -1;

	if (o->is_unknown || o->is_global_known)
		return -1;
	for (size_t i = 0; i < o->argument_count; i++) {
		if (o->from[i] && argument >= 0)
			return -1;
		if (o->from[i])
			argument = (int32_t)i;
	}
	return argument;
}
