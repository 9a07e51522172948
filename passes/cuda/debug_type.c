/* SPDX-License-Identifier: Apache-2.0 */
#include "debug_type.h"

#include "array.h"
#include "err.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <stdlib.h>

#define LIMIT_DEPTH 64
#define LIMIT_TEXT  4096

enum { TYPE_BASE = 3 };

static LLVMValueRef base_of(LLVMValueRef type, struct err *err)
{
	unsigned count = LLVMGetMDNodeNumOperands(type);
	LLVMValueRef *operands, base = NULL;

	operands = array_alloc(count, sizeof(LLVMValueRef), "debug information", err);
	if (!operands)
		return NULL;
	LLVMGetMDNodeOperands(type, operands);
	if (count > TYPE_BASE)
		base = operands[TYPE_BASE];
	free(operands);
	return base;
}

static bool is_derived(LLVMValueRef type)
{
	return type &&
	       LLVMGetMetadataKind(LLVMValueAsMetadata(type)) == LLVMDIDerivedTypeMetadataKind;
}

static bool is_pointer(LLVMValueRef type)
{
	LLVMMetadataRef data = type ? LLVMValueAsMetadata(type) : NULL;
	size_t length = 0;

	if (!is_derived(type))
		return false;
	LLVMDITypeGetName(data, &length);
	return !length && LLVMDITypeGetSizeInBits(data);
}

/* Of void, of a type with a name, or of one that has none and no base. */
static const char *plain_name(LLVMValueRef type, size_t *length)
{
	const char *name;

	*length = 0;
	if (!type)
		return "void";
	name = LLVMDITypeGetName(LLVMValueAsMetadata(type), length);
	if (*length)
		return name;
	return is_derived(type) ? NULL : "struct";
}

char *debug_type_text(LLVMValueRef type, struct err *err)
{
	struct str stars, text;
	const char *name = NULL;
	bool is_const = false;
	size_t length;
	int ret = 0;
	char *out;

	str_init(&stars, LIMIT_TEXT);
	str_init(&text, LIMIT_TEXT);
	for (int depth = 0; !ret && depth < LIMIT_DEPTH; depth++) {
		name = plain_name(type, &length);
		if (name)
			break;
		if (is_pointer(type))
			ret = str_append(&stars, "*", 1, err);
		else if (!is_pointer(base_of(type, err)))
			is_const = true;
		type = base_of(type, err);
	}
	if (!ret)
		ret = str_printf(&text, err, "%s%s%s%s", is_const ? "const " : "",
		                 name ? name : "...", stars.length ? " " : "",
		                 stars.text ? stars.text : "");
	out = ret ? NULL : str_take(&text);
	str_release(&stars);
	str_release(&text);
	return out;
}
