/* SPDX-License-Identifier: Apache-2.0 */
/* llvm.memcpy, memmove, memset: structs of bytes where the size is known, else loops. */
#include "text_parts.h"

#include <llvm-c/Core.h>

#include <string.h>

/* One call: operands destination, source or byte, size, is volatile. */
struct copy {
	LLVMValueRef to, from, size;
	unsigned to_alignment, from_alignment;
	bool is_volatile;
};

static unsigned alignment_of(LLVMValueRef call, unsigned index)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, index + 1, kind);
	uint64_t alignment = a ? LLVMGetEnumAttributeValue(a) : 1;

	return alignment < 1 ? 1 : (unsigned)(alignment > 16 ? 16 : alignment);
}

static const char *space_of(struct text_function *f, LLVMValueRef pointer)
{
	return text_space(f, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
}

static void write_struct(struct text_function *f, const struct copy *c, LLVMValueRef pointer,
                         unsigned alignment)
{
	const char *type = text_bytes_type(f, LLVMConstIntGetZExtValue(c->size), alignment);

	text_put(f, "*(%s%s%s %s *)", c->is_volatile ? "volatile " : "",
	         pointer == c->from ? "const " : "", space_of(f, pointer), type);
	text_value(f, pointer);
}

/* A copy of known size; memmove through a variable, for the two may overlap. */
static void write_known(struct text_function *f, const struct copy *c, bool is_move)
{
	unsigned alignment =
		c->to_alignment < c->from_alignment ? c->to_alignment : c->from_alignment;

	text_line(f);
	if (is_move) {
		text_put(f, "{ const %s warpline_moved = ",
		         text_bytes_type(f, LLVMConstIntGetZExtValue(c->size), alignment));
		write_struct(f, c, c->from, alignment);
		text_put(f, "; ");
	}
	write_struct(f, c, c->to, alignment);
	text_put(f, " = ");
	if (is_move)
		text_put(f, "warpline_moved; }\n");
	else {
		write_struct(f, c, c->from, alignment);
		text_put(f, ";\n");
	}
}

static void write_byte(struct text_function *f, const struct copy *c, LLVMValueRef pointer)
{
	text_put(f, "((%s%s uchar *)", c->is_volatile ? "volatile " : "", space_of(f, pointer));
	text_value(f, pointer);
	text_put(f, ")[warpline_i]");
}

static void write_up(struct text_function *f, const struct copy *c, bool is_set)
{
	text_line(f);
	text_put(f, "for (size_t warpline_i = 0; warpline_i < ");
	text_value(f, c->size);
	text_put(f, "; warpline_i++)\n\t");
	text_line(f);
	write_byte(f, c, c->to);
	text_put(f, " = ");
	if (is_set)
		text_value(f, c->from);
	else
		write_byte(f, c, c->from);
	text_put(f, ";\n");
}

/* Downwards when the destination is above the source. */
static void write_move(struct text_function *f, const struct copy *c)
{
	text_line(f);
	text_put(f, "if ((size_t)");
	text_value(f, c->to);
	text_put(f, " > (size_t)");
	text_value(f, c->from);
	text_put(f, ")\n\t");
	text_line(f);
	text_put(f, "for (size_t warpline_i = ");
	text_value(f, c->size);
	text_put(f, "; warpline_i-- > 0;)\n\t\t");
	text_line(f);
	write_byte(f, c, c->to);
	text_put(f, " = ");
	write_byte(f, c, c->from);
	text_put(f, ";\n");
	text_line(f);
	text_put(f, "else\n");
	f->indent++;
	write_up(f, c, false);
	f->indent--;
}

bool text_copy(struct text_function *f, LLVMValueRef call, const char *name)
{
	bool is_set = !strncmp(name, "llvm.memset.", 12);
	bool is_move = !strncmp(name, "llvm.memmove.", 13);
	bool is_known;
	struct copy c;

	if (!is_set && !is_move && strncmp(name, "llvm.memcpy.", 12) != 0)
		return false;
	c = (struct copy){
		.to = LLVMGetOperand(call, 0),
		.from = LLVMGetOperand(call, 1),
		.size = LLVMGetOperand(call, 2),
		.to_alignment = alignment_of(call, 0),
		.from_alignment = is_set ? 1 : alignment_of(call, 1),
		.is_volatile = !LLVMIsNull(LLVMGetOperand(call, 3)),
	};
	is_known = LLVMIsAConstantInt(c.size);
	if (is_known && LLVMIsNull(c.size))
		return true;
	if (is_set || (!is_known && !is_move))
		write_up(f, &c, is_set);
	else if (is_known)
		write_known(f, &c, is_move);
	else
		write_move(f, &c);
	return true;
}
