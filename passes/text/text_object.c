/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which values are events, images, samplers. Their types in the IR do not tell (they are pointers,
 * of LLVM 15 on all alike), so what they are handed to does: the parameters of builtins, by their
 * mangled names, and the kernel's own metadata.
 */
#include "text_parts.h"

#include "text_kernel_metadata.h"
#include "text_mangle.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <string.h>

static bool is_object(struct text_function *f, LLVMValueRef v)
{
	return pointer_map_get(&f->objects, v) != POINTER_MAP_NONE;
}

/* Note what `v` is; true when it was not known. */
static bool note(struct text_function *f, LLVMValueRef v, uint32_t object)
{
	v = text_alias(v);
	if (LLVMIsConstant(v) || is_object(f, v))
		return false;
	text_check(f, pointer_map_set(&f->objects, v, object, f->err));
	return !f->ret;
}

static bool note_text(struct text_function *f, LLVMValueRef v, const char *text)
{
	int number = text_mangle_object_number(text);

	return number >= 0 && note(f, v, (uint32_t)number);
}

static bool look_at_call(struct text_function *f, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
	struct text_mangle m;
	bool is_new = false;

	if (!strcmp(name, "__translate_sampler_initializer"))
		return note_text(f, call, "sampler_t");
	if (!text_mangle_read(&m, name))
		return false;
	for (unsigned i = 0; i < m.parameter_count && i < LLVMGetNumArgOperands(call); i++)
		if (m.parameters[i].kind == TEXT_PARAMETER_OBJECT)
			is_new |= note_text(f, LLVMGetOperand(call, i), m.parameters[i].text);
	if (!strncmp(m.name, "async_work_group_", strlen("async_work_group_")))
		is_new |= note_text(f, call, "event_t");
	return is_new;
}

/* Values that are the same thing by turns: all of them, if one is known. */
static bool look_at_choice(struct text_function *f, LLVMValueRef i, unsigned first)
{
	unsigned count = (unsigned)LLVMGetNumOperands(i);
	uint32_t object = pointer_map_get(&f->objects, i);
	bool is_new = false;

	for (unsigned n = first; object == POINTER_MAP_NONE && n < count; n++)
		object = pointer_map_get(&f->objects, text_alias(LLVMGetOperand(i, n)));
	if (object == POINTER_MAP_NONE)
		return false;
	f->at = i;
	if (strcmp(text_mangle_object(object), "event_t") != 0)
		text_refuse(f, "a %s that is chosen at run time", text_mangle_object(object));
	is_new = note(f, i, object);
	for (unsigned n = first; n < count; n++)
		is_new |= note(f, LLVMGetOperand(i, n), object);
	return is_new;
}

static bool look_at(struct text_function *f, LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMCall:
		return look_at_call(f, i);
	case LLVMPHI:
		return look_at_choice(f, i, 0);
	case LLVMSelect:
		return look_at_choice(f, i, 1);
	default:
		return false;
	}
}

/* "image2d_t" and "read_only" from the metadata: a kernel's parameter. */
static void look_at_parameter(struct text_function *f, unsigned index)
{
	char type[64], access[32], text[128];

	if (!text_kernel_metadata(f->function, "kernel_arg_base_type", index, type, sizeof(type)))
		return;
	if (!text_kernel_metadata(f->function, "kernel_arg_access_qual", index, access,
	                          sizeof(access)))
		return;
	if (strcmp(access, "none") != 0)
		snprintf(text, sizeof(text), "__%s %s", access, type);
	else
		snprintf(text, sizeof(text), "%s", type);
	note_text(f, LLVMGetParam(f->function, index), text);
}

void text_objects_find(struct text_function *f)
{
	unsigned count = LLVMCountParams(f->function);
	bool is_new = true;
	LLVMBasicBlockRef node;

	for (unsigned i = 0; f->is_kernel && i < count; i++)
		look_at_parameter(f, i);
	while (is_new && !f->ret) {
		is_new = false;
		for (node = LLVMGetFirstBasicBlock(f->function); node;
		     node = LLVMGetNextBasicBlock(node))
			for (LLVMValueRef i = LLVMGetFirstInstruction(node); i;
			     i = LLVMGetNextInstruction(i))
				is_new |= look_at(f, i);
	}
}

const char *text_object_type(struct text_function *f, LLVMValueRef v)
{
	uint32_t object = pointer_map_get(&f->objects, text_alias(v));

	return object == POINTER_MAP_NONE ? NULL : text_mangle_object(object);
}
