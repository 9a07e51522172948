/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What phis get on an edge: copies that happen at once, put in an order in which no variable is
 * overwritten before it was read; where they go in a circle one value goes by a further variable.
 */
#include "text_parts.h"

#include "array.h"
#include "err.h"

#include <llvm-c/Core.h>

#include <stdlib.h>

struct copy {
	LLVMValueRef to;   /* NULL: done */
	LLVMValueRef from; /* NULL: the further variable `spare` */
	uint32_t spare;
};

static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef from)
{
	unsigned count = LLVMCountIncoming(phi);

	for (unsigned i = 0; i < count; i++)
		if (LLVMGetIncomingBlock(phi, i) == from)
			return text_alias(LLVMGetIncomingValue(phi, i));
	return phi;
}

static LLVMValueRef next_phi(LLVMValueRef i)
{
	return i && LLVMIsAPHINode(i) ? i : NULL;
}

bool text_has_copies(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef phi = next_phi(LLVMGetFirstInstruction(to));

	for (; phi; phi = next_phi(LLVMGetNextInstruction(phi)))
		if (LLVMGetFirstUse(phi) && value_from(phi, from) != phi)
			return true;
	return false;
}

static size_t collect(struct copy *copies, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef phi = next_phi(LLVMGetFirstInstruction(to));
	size_t count = 0;

	for (; phi; phi = next_phi(LLVMGetNextInstruction(phi))) {
		LLVMValueRef value = value_from(phi, from);

		if (!LLVMGetFirstUse(phi) || value == phi)
			continue;
		if (copies)
			copies[count] = (struct copy){ .to = phi, .from = value };
		count++;
	}
	return count;
}

static bool is_read(const struct copy *copies, size_t count, LLVMValueRef variable)
{
	for (size_t i = 0; i < count; i++)
		if (copies[i].to && copies[i].from == variable)
			return true;
	return false;
}

static void write_copy(struct text_function *f, struct copy *c)
{
	text_line(f);
	text_value(f, c->to);
	text_put(f, " = ");
	if (c->from)
		text_value(f, c->from);
	else
		text_put(f, "x%u", c->spare);
	text_put(f, ";\n");
	c->to = NULL;
}

/* Everything that is left reads something that is left: keep one value aside. */
static void write_aside(struct text_function *f, struct copy *copies, size_t count)
{
	LLVMValueRef kept = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!copies[i].to)
			continue;
		if (!kept)
			kept = copies[i].to;
		if (copies[i].from == kept) {
			copies[i].from = NULL;
			copies[i].spare = f->number_count;
		}
	}
	text_put_to(f, &f->declarations, "\t%s x%u;\n", text_value_type(f, kept), f->number_count);
	text_line(f);
	text_put(f, "x%u = ", f->number_count++);
	text_value(f, kept);
	text_put(f, ";\n");
}

void text_copies(struct text_function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	size_t count = collect(NULL, from, to), left = count;
	struct copy *copies;

	if (!count)
		return;
	copies = array_alloc(count, sizeof(*copies), "copies", f->err);
	if (!copies) {
		text_check(f, ERR_NOMEM);
		return;
	}
	collect(copies, from, to);
	while (left && !f->ret) {
		size_t before = left;

		for (size_t i = 0; i < count; i++)
			if (copies[i].to && !is_read(copies, count, copies[i].to)) {
				write_copy(f, &copies[i]);
				left--;
			}
		if (left == before)
			write_aside(f, copies, count);
	}
	free(copies);
}
