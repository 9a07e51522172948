/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include "memory_space.h"

#include <llvm-c/Core.h>

LLVMOpcode text_opcode(LLVMValueRef v)
{
	return LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMGetConstOpcode(v);
}

static bool is_operation(LLVMValueRef v)
{
	return LLVMIsAInstruction(v) || LLVMIsAConstantExpr(v);
}

static bool moves_nothing(LLVMValueRef v)
{
	int count = LLVMGetNumOperands(v);

	for (int i = 1; i < count; i++)
		if (!LLVMIsNull(LLVMGetOperand(v, (unsigned)i)))
			return false;
	return true;
}

static bool stands_for_operand(LLVMValueRef v)
{
	switch ((int)text_opcode(v)) {
	case LLVMFreeze:
		return true;
	case LLVMBitCast:
		return text_is_pointer(LLVMTypeOf(v));
	case LLVMAddrSpaceCast:
		return LLVMGetPointerAddressSpace(LLVMTypeOf(v)) ==
		       LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0)));
	case LLVMGetElementPtr:
		return text_is_pointer(LLVMTypeOf(v)) && moves_nothing(v);
	default:
		return false;
	}
}

/*
 * The vector before it was narrowed and widened again: clang handles a vector of three in memory
 * that way. The lost lanes may be anything, including what they were.
 */
static LLVMValueRef uncut(LLVMValueRef wide)
{
	LLVMValueRef cut = LLVMGetOperand(wide, 0), whole;

	if (!LLVMIsAShuffleVectorInst(cut))
		return NULL;
	whole = LLVMGetOperand(cut, 0);
	if (LLVMTypeOf(whole) != LLVMTypeOf(wide))
		return NULL;
	for (unsigned lane = 0; lane < LLVMGetNumMaskElements(wide); lane++) {
		int from = LLVMGetMaskValue(wide, lane);

		if (from >= (int)LLVMGetNumMaskElements(cut))
			return NULL;
		if (from >= 0 && LLVMGetMaskValue(cut, (unsigned)from) != (int)lane)
			return NULL;
	}
	return whole;
}

LLVMValueRef text_alias(LLVMValueRef v)
{
	for (;;) {
		LLVMValueRef other = NULL;

		if (LLVMIsAShuffleVectorInst(v))
			other = uncut(v);
		else if (is_operation(v) && stands_for_operand(v))
			other = LLVMGetOperand(v, 0);
		if (!other)
			return v;
		v = other;
	}
}

void text_value(struct text_function *f, LLVMValueRef v)
{
	uint32_t number;

	v = text_alias(v);
	if (LLVMIsConstant(v)) {
		if (text_is_aggregate(LLVMTypeOf(v)))
			text_put(f, "(%s)", text_type(f, LLVMTypeOf(v)));
		text_constant(f, v);
		return;
	}
	if (text_inlined(f, v))
		return;
	if (text_is_sampler(v)) {
		text_sampler(f, v);
		return;
	}
	number = pointer_map_get(&f->numbers, v);
	if (number == POINTER_MAP_NONE)
		text_refuse(f, "a value that has no variable");
	else if (LLVMIsAArgument(v) && memory_space_by_value(v))
		text_put(f, "((warpline_private)&a%u)", number);
	else if (LLVMIsAArgument(v))
		text_put(f, "a%u", number);
	else if (LLVMIsAAllocaInst(v))
		text_put(f, "((warpline_private)&p%u)", number);
	else
		text_put(f, "v%u", number);
}

void text_value_signed(struct text_function *f, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	if (!text_is_integer(type)) {
		text_value(f, v);
	} else if (text_is_bool(type)) {
		/* A vector's lanes are 0 and -1 already. */
		text_put(f, text_lanes(type) > 1 ? "" : "-(int)");
		text_value(f, v);
	} else if (text_lanes(type) > 1) {
		text_put(f, "as_%s(", text_type_signed(f, type));
		text_value(f, v);
		text_put(f, ")");
	} else if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(type) <= 64) {
		text_constant_signed(f, v);
	} else {
		text_put(f, "(%s)", text_type_signed(f, type));
		text_value(f, v);
	}
}

/* Where C would promote a narrow number to int, which must not overflow. */
static void write_widened(struct text_function *f, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32)
		text_put(f, "(uint)");
	text_value(f, v);
}

const char *text_value_type(struct text_function *f, LLVMValueRef v)
{
	const char *object = text_object_type(f, v);

	return object ? object : text_type(f, LLVMTypeOf(v));
}

/* Open the conversion from the signed type to the result's type. */
static void write_open(struct text_function *f, LLVMTypeRef type)
{
	if (text_lanes(type) == 1)
		text_put(f, "(%s)(", text_type(f, type));
	else if (text_is_integer(type) && !text_is_bool(type))
		text_put(f, "as_%s(", text_type(f, type));
	else
		text_put(f, "(");
}

static void write_operand(struct text_function *f, LLVMValueRef v, char form, unsigned index)
{
	LLVMValueRef operand = LLVMGetOperand(v, index);

	switch (form) {
	case 's':
		text_value_signed(f, operand);
		break;
	case 'w':
		write_widened(f, operand);
		break;
	case 'T':
		text_put(f, "%s", text_type(f, LLVMTypeOf(operand)));
		break;
	case 'M':
		text_put(f, "%s", text_type_mask(f, LLVMTypeOf(operand)));
		break;
	default:
		text_value(f, operand);
	}
}

static void write_result_word(struct text_function *f, LLVMTypeRef type, char form)
{
	switch (form) {
	case 'R':
		text_put(f, "%s", text_type(f, type));
		break;
	case 'S':
		text_put(f, "%s", text_type_signed(f, type));
		break;
	case 'M':
		text_put(f, "%s", text_type_mask(f, type));
		break;
	case '[':
		write_open(f, type);
		break;
	case 'B':
		text_put(f, "%u", LLVMGetIntTypeWidth(text_element(type)) - 1);
		break;
	default:
		text_put(f, ")");
	}
}

void text_template(struct text_function *f, const char *template, LLVMValueRef v)
{
	for (const char *t = template; *t; t++) {
		bool has_form;

		if (*t != '$') {
			text_put(f, "%c", *t);
			continue;
		}
		t++;
		has_form = *t < '0' || *t > '9';
		if (has_form && t[1] >= '0' && t[1] <= '9') {
			write_operand(f, v, t[0], (unsigned)(t[1] - '0'));
			t++;
		} else if (has_form) {
			write_result_word(f, LLVMTypeOf(v), *t);
		} else {
			write_operand(f, v, '0', (unsigned)(*t - '0'));
		}
	}
}

/* The node of a user; for a phi, the node where its value is copied. */
static LLVMBasicBlockRef node_of_use(LLVMValueRef user, LLVMValueRef v)
{
	unsigned count;

	if (!LLVMIsAPHINode(user))
		return LLVMGetInstructionParent(user);
	count = LLVMCountIncoming(user);
	for (unsigned i = 0; i < count; i++)
		if (LLVMGetIncomingValue(user, i) == v &&
		    LLVMGetIncomingBlock(user, i) != LLVMGetInstructionParent(v))
			return NULL;
	return LLVMGetInstructionParent(v);
}

static bool is_used_only_in(LLVMValueRef v, LLVMBasicBlockRef node);

/* is_used_only_in() for one user of `v`, including values made by `user` that stand for `v`. */
static bool is_used_only_in_by(LLVMValueRef user, LLVMValueRef v, LLVMBasicBlockRef node)
{
	if (!LLVMIsAInstruction(user) || node_of_use(user, v) != node)
		return false;
	if (text_alias(user) != user && !is_used_only_in(user, node))
		return false;
	if (!LLVMIsAShuffleVectorInst(user))
		return true;
	/* The vector from which a part was taken. */
	for (LLVMUseRef use = LLVMGetFirstUse(user); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef wide = LLVMGetUser(use);

		if (LLVMIsAShuffleVectorInst(wide) && uncut(wide) == v &&
		    !is_used_only_in(wide, node))
			return false;
	}
	return true;
}

static bool is_used_only_in(LLVMValueRef v, LLVMBasicBlockRef node)
{
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
		if (!is_used_only_in_by(LLVMGetUser(use), v, node))
			return false;
	return true;
}

bool text_is_node_local(LLVMValueRef instruction)
{
	return !LLVMIsAPHINode(instruction) && !LLVMIsAAllocaInst(instruction) &&
	       is_used_only_in(instruction, LLVMGetInstructionParent(instruction));
}

void text_assign(struct text_function *f, LLVMValueRef instruction)
{
	uint32_t number = pointer_map_get(&f->numbers, instruction);

	text_line(f);
	if (number == POINTER_MAP_NONE)
		return;
	if (text_is_node_local(instruction))
		text_put(f, "%s ", text_value_type(f, instruction));
	text_put(f, "v%u = ", number);
}
