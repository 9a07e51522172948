/* SPDX-License-Identifier: Apache-2.0 */
#include "text_callee.h"

#include "err.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

LLVMTypeRef text_by_value(LLVMValueRef function, unsigned index)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(function, index + 1, kind);

	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static struct text_callee *callee_at(struct text_module *m, uint32_t number)
{
	return (struct text_callee *)m->callees.data + number;
}

/* A place for it under a name of its own, before it is written: it may call itself. */
static int add(struct text_function *f, LLVMValueRef function, uint32_t *number)
{
	struct text_module *m = f->module;
	struct text_callee *c = array_push(&m->callees, 1, f->err);

	*number = (uint32_t)m->callees.count - 1;
	if (!c)
		return ERR_NOMEM;
	c->name = str_format(f->err, "warpline_f%u", *number);
	if (!c->name)
		return ERR_NOMEM;
	return pointer_map_set(&m->callee_numbers, function, *number, f->err);
}

static void write(struct text_function *f, LLVMValueRef function, uint32_t number)
{
	struct text_module *m = f->module;
	struct err err = { 0 };
	struct str text;
	int ret;

	str_init(&text, m->functions.limit_bytes);
	ret = text_function_write(m, function, callee_at(m, number)->name, &text, &err);
	if (ret == ERR_UNSUPPORTED) {
		callee_at(m, number)->refusal = str_copy(err.msg, f->err);
		text_check(f, callee_at(m, number)->refusal ? 0 : ERR_NOMEM);
	} else if (ret) {
		text_check(f, err_set(f->err, (enum err_code)ret, "%s", err.msg));
	} else {
		text_append(f, &m->functions, &text);
	}
	str_release(&text);
}

const char *text_callee_name(struct text_function *f, LLVMValueRef function)
{
	struct text_module *m = f->module;
	uint32_t number = pointer_map_get(&m->callee_numbers, function);

	if (number == POINTER_MAP_NONE) {
		text_check(f, add(f, function, &number));
		if (f->ret)
			return "";
		write(f, function, number);
	}
	if (callee_at(m, number)->refusal)
		text_refuse(f, "%s, in a function that is not inlined",
		            callee_at(m, number)->refusal);
	return callee_at(m, number)->name;
}
