/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "builtin.h"
#include "err.h"
#include "program.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static bool is_32_bit(LLVMValueRef function)
{
	LLVMTypeRef types[4], pointee;
	unsigned count = LLVMCountParams(function);

	if (count < 1 || count > 4)
		return false;
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	if (LLVMGetTypeKind(types[0]) != LLVMPointerTypeKind)
		return false;
	pointee = LLVMGetElementType(types[0]);
	return LLVMGetTypeKind(pointee) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(pointee) == 32;
}

/* The symbol with another source-level name in it, its parameters as they were. */
static char *symbol_with_name(const char *symbol, const char *name, struct err *err)
{
	size_t length;
	const char *rest = builtin_source_name(symbol, &length) + length;

	return str_format(err, "_Z%zu%s%s", strlen(name), name, rest);
}

/* Call `function` by another name, or what already has it. */
static int rename_to(struct program *p, LLVMValueRef function, const char *name, struct err *err)
{
	size_t length;
	char *symbol = symbol_with_name(LLVMGetValueName2(function, &length), name, err);
	LLVMValueRef there;

	if (!symbol)
		return ERR_NOMEM;
	there = LLVMGetNamedFunction(p->module, symbol);
	if (there)
		LLVMReplaceAllUsesWith(function, LLVMConstBitCast(there, LLVMTypeOf(function)));
	else
		LLVMSetValueName2(function, symbol, strlen(symbol));
	free(symbol);
	return 0;
}

int rename_builtins(struct program *p, struct err *err)
{
	LLVMValueRef f, next;
	int ret = 0;

	for (f = LLVMGetFirstFunction(p->module); !ret && f; f = next) {
		size_t length;
		struct builtin b;

		next = LLVMGetNextFunction(f);
		if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f))
			continue;
		b = builtin_find(LLVMGetValueName2(f, &length));
		if (b.class == BUILTIN_ATOMIC_ALIAS && is_32_bit(f))
			ret = rename_to(p, f, b.what, err);
	}
	return ret;
}
