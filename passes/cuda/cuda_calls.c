/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_calls.h"

#include "cuda_asm.h"
#include "cuda_atomics.h"
#include "cuda_call.h"
#include "cuda_kinds.h"
#include "err.h"
#include "inline_ptx.h"
#include "program.h"
#include "retarget_private.h"
#include "str.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *name; /* whole, or how it begins and '*' */
	int (*lower)(struct cuda_call *c);
	const char *target;
};

static const struct row rows[] = {
#define CUDA_CALL(name, kind, target) { name, cuda_kind_##kind, target },
#include "cuda_calls.def"
#include "libdevice_calls.def"
#undef CUDA_CALL
};

static bool matches(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return !strncmp(pattern, name, length - 1);
	return !strcmp(pattern, name);
}

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (matches(rows[i].name, name))
			return &rows[i];
	return NULL;
}

/*
 * The overloads for float that clang's headers declare and leave to others: _ZL4fmaxff is what
 * __nv_fmaxf is.
 */
static const struct row *find_overload(const char *symbol)
{
	char name[32], *begin;
	unsigned long length;

	if (strncmp(symbol, "_ZL", 3) != 0)
		return NULL;
	length = strtoul(symbol + 3, &begin, 10);
	if (length == 0 || length > 16 || strlen(begin) <= length ||
	    strspn(begin + length, "f") != strlen(begin + length))
		return NULL;
	snprintf(name, sizeof(name), "__nv_%.*sf", (int)length, begin);
	return find_row(name);
}

/* A declared function that is neither one of LLVM's own nor in the form of OpenCL already. */
static bool is_foreign(LLVMValueRef function, const char *name)
{
	return LLVMIsDeclaration(function) &&
	       LLVMGetFunctionCallConv(function) != LLVMSPIRFUNCCallConv &&
	       (!LLVMGetIntrinsicID(function) || !strncmp(name, "llvm.nvvm.", 10));
}

static int refuse_asm(struct cuda_call *c)
{
	char *why = inline_ptx_refusal(c->instruction, c->err);
	char *text = str_format(c->err, "is inline PTX that is not read%s%s", why ? ": " : "",
	                        why ? why : "");
	int ret = text ? cuda_call_refuse(c, text) : ERR_NOMEM;

	free(text);
	free(why);
	return ret;
}

/* Inline PTX of one of the texts in the table; all else is refused by its text. */
static int lower_asm(struct cuda_call *c)
{
	struct cuda_asm a = { 0 };
	const struct row *row;
	char *name = NULL;
	int ret = cuda_asm_init(&a, LLVMGetCalledValue(c->instruction), c->err);

	if (!ret) {
		name = str_format(c->err, "asm %.300s", a.text);
		ret = name ? 0 : ERR_NOMEM;
	}
	if (!ret) {
		c->name = name;
		row = find_row(name);
		c->target = row ? row->target : "";
		ret = row ? row->lower(c) : refuse_asm(c);
	}
	free(name);
	cuda_asm_release(&a);
	return ret;
}

static int lower_call(struct cuda_call *c)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(c->instruction));
	const struct row *row;
	size_t length;

	if (LLVMIsAInlineAsm(LLVMGetCalledValue(c->instruction)))
		return lower_asm(c);
	if (!function)
		return 0;
	c->name = LLVMGetValueName2(function, &length);
	row = LLVMIsDeclaration(function) ? find_row(c->name) : NULL;
	if (!row && LLVMIsDeclaration(function))
		row = find_overload(c->name);
	if (row) {
		c->target = row->target;
		return row->lower(c);
	}
	if (is_foreign(function, c->name))
		return cuda_call_refuse(c, "is a function that is not there");
	return 0;
}

static int lower_instruction(void *program, LLVMValueRef instruction, struct err *err)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	struct cuda_call c;
	int ret = 0;

	cuda_call_init(&c, program, instruction, err);
	if (opcode == LLVMCall)
		ret = lower_call(&c);
	else if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
		ret = cuda_atomic_instruction(&c);
	else if (opcode == LLVMFence)
		ret = cuda_kind_fence(&c);
	cuda_call_release(&c);
	return ret;
}

/* What nobody calls any more would be unknown to the devices. */
static void erase_unused(LLVMModuleRef module)
{
	LLVMValueRef function = LLVMGetFirstFunction(module), next;

	for (; function; function = next) {
		size_t length;

		next = LLVMGetNextFunction(function);
		if (LLVMIsDeclaration(function) && !LLVMGetFirstUse(function) &&
		    find_row(LLVMGetValueName2(function, &length)))
			LLVMDeleteFunction(function);
	}
}

int lower_cuda_calls(struct program *p, struct err *err)
{
	int ret = 0;

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); !ret && f;
	     f = LLVMGetNextFunction(f))
		ret = retarget_each(f, lower_instruction, p, err);
	if (!ret)
		erase_unused(p->module);
	return ret;
}
