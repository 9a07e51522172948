/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers are to bytes here, and their arithmetic is in bytes. */
#include "text_parts.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* A step through a type: what index `i` of a getelementptr adds, if it is constant. */
struct step {
	LLVMTypeRef type;   /* what is stepped through; afterwards what is there */
	uint64_t unit;      /* bytes of one, when the index is a variable */
	int64_t offset;     /* bytes, when it is a constant */
	LLVMValueRef index; /* NULL: constant */
};

static void take_step(struct text_function *f, struct step *s, LLVMValueRef index, bool is_first)
{
	bool is_struct = !is_first && LLVMGetTypeKind(s->type) == LLVMStructTypeKind;

	s->index = NULL;
	s->offset = 0;
	if (is_struct) {
		unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

		s->offset = (int64_t)LLVMOffsetOfElement(f->module->layout, s->type, field);
		s->type = LLVMStructGetTypeAtIndex(s->type, field);
		return;
	}
	if (!is_first)
		s->type = LLVMGetElementType(s->type);
	s->unit = text_size(f, s->type);
	if (LLVMIsAConstantInt(index))
		s->offset = (int64_t)((uint64_t)LLVMConstIntGetSExtValue(index) * s->unit);
	else if (!LLVMIsNull(index) && !LLVMIsUndef(index))
		s->index = index;
}

/* " + (long)(int)v3 * 4" */
static void write_term(struct text_function *f, const struct step *s, bool may_wrap)
{
	const char *word = f->module->pointer_bytes == 8 ? "long" : "int";

	text_put(f, may_wrap ? " + (size_t)(%s)" : " + (%s)", word);
	text_value_signed(f, s->index);
	if (s->unit != 1)
		text_put(f, " * %llu", (unsigned long long)s->unit);
}

static void write_element_pointer(struct text_function *f, LLVMValueRef v)
{
	struct step s = { .type = LLVMGetGEPSourceElementType(v) };
	unsigned count = (unsigned)LLVMGetNumOperands(v);
	bool may_wrap = !LLVMIsInBounds(v) || f->is_frozen;
	int64_t offset = 0;

	if (!text_is_pointer(LLVMTypeOf(v))) {
		text_refuse(f, "a vector of pointers");
		return;
	}
	if (may_wrap)
		text_put(f, "(%s)((size_t)", text_type(f, LLVMTypeOf(v)));
	text_value(f, LLVMGetOperand(v, 0));
	for (unsigned i = 1; i < count; i++) {
		take_step(f, &s, LLVMGetOperand(v, i), i == 1);
		if (s.index)
			write_term(f, &s, may_wrap);
		offset = (int64_t)((uint64_t)offset + (uint64_t)s.offset);
	}
	if (offset && may_wrap)
		text_put(f, " + (size_t)%lldl", (long long)offset);
	else if (offset)
		text_put(
			f, offset < 0 ? " - %llu" : " + %llu",
			(unsigned long long)(offset < 0 ? 0 - (uint64_t)offset : (uint64_t)offset));
	if (may_wrap)
		text_put(f, ")");
}

static void write_space_cast(struct text_function *f, LLVMValueRef v)
{
	unsigned from = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0)));
	unsigned to = LLVMGetPointerAddressSpace(LLVMTypeOf(v));

	if (from != 4 && to != 4)
		text_refuse(f, "a cast from address space %u to %u", from, to);
	text_template(f, "($R)$0", v);
}

bool text_pointer_operation(struct text_function *f, LLVMValueRef v)
{
	switch ((int)text_opcode(v)) {
	case LLVMGetElementPtr:
		write_element_pointer(f, v);
		return true;
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		text_template(f, "($R)(size_t)$0", v);
		return true;
	case LLVMAddrSpaceCast:
		write_space_cast(f, v);
		return true;
	case LLVMBitCast:
		/* In a constant: what it stands for. */
		if (!text_is_pointer(LLVMTypeOf(v)))
			return false;
		text_value(f, v);
		return true;
	default:
		return false;
	}
}
