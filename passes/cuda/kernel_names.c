/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_names.h"

#include "array.h"
#include "cuda_table.h"
#include "err.h"
#include "llvm_api.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * A type of C or C++ as text, from debug information: "const float *".
 *
 * The C API tells of a type without a name its size alone: with one it is a pointer or a reference,
 * without a qualifier. So every qualifier is taken for const, of a pointer itself for none.
 */

#define LIMIT_DEPTH 64
#define LIMIT_TEXT  4096

static LLVMValueRef base_of(LLVMValueRef type, struct err *err)
{
	unsigned count = LLVMGetMDNodeNumOperands(type);
	LLVMValueRef *operands, base = NULL;

	operands = array_alloc(count, sizeof(LLVMValueRef), "debug information", err);
	if (!operands)
		return NULL;
	LLVMGetMDNodeOperands(type, operands);
	if (count > LLVM_TYPE_BASE)
		base = operands[LLVM_TYPE_BASE];
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

/*
 * The text, on the heap; `type` is a debug type as a value, NULL is void. NULL: ERR_NOMEM,
 * ERR_LIMIT.
 */
static char *debug_type_text(LLVMValueRef type, struct err *err)
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

enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3, VARIABLE_OPERANDS };

/* The variable in which a parameter lies, or the parameter itself. */
static LLVMValueRef storage_of(LLVMValueRef param)
{
	for (LLVMUseRef u = LLVMGetFirstUse(param); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAZExtInst(user) && storage_of(user) != user)
			return storage_of(user);
		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == param &&
		    LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
			return LLVMGetOperand(user, 1);
	}
	return param;
}

/* The debug information of the variable that lies in `storage`, or NULL. */
static LLVMValueRef variable_of(LLVMValueRef function, LLVMValueRef storage)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	LLVMValueRef variable = NULL, i = LLVMGetFirstInstruction(entry);

	for (; i && !variable; i = LLVMGetNextInstruction(i))
		variable = llvm_declared_variable(i, storage);
	return variable;
}

int kernel_name_find(struct kernel_name *n, LLVMValueRef param, struct err *err)
{
	LLVMValueRef function = LLVMGetParamParent(param), *operands;
	LLVMValueRef variable = variable_of(function, param);
	const char *name = NULL;
	size_t length;
	unsigned count, text_length;

	*n = (struct kernel_name){ NULL, NULL };
	if (!variable)
		variable = variable_of(function, storage_of(param));
	count = variable ? LLVMGetMDNodeNumOperands(variable) : 0;
	operands = array_alloc(count, sizeof(LLVMValueRef), "debug information", err);
	if (!operands)
		return ERR_NOMEM;
	if (count)
		LLVMGetMDNodeOperands(variable, operands);
	if (count >= VARIABLE_OPERANDS && operands[VARIABLE_NAME])
		name = LLVMGetMDString(operands[VARIABLE_NAME], &text_length);
	n->name = str_copy(name ? name : LLVMGetValueName2(param, &length), err);
	n->type = count >= VARIABLE_OPERANDS ? debug_type_text(operands[VARIABLE_TYPE], err)
	                                     : str_copy("", err);
	free(operands);
	return n->name && n->type ? 0 : ERR_NOMEM;
}

void kernel_name_release(struct kernel_name *n)
{
	free(n->name);
	free(n->type);
	*n = (struct kernel_name){ NULL, NULL };
}

int kernel_names_init(struct kernel_names *n, LLVMValueRef kernel, struct err *err)
{
	*n = (struct kernel_names){ .kernel = kernel, .count = LLVMCountParams(kernel) };
	n->arguments = array_alloc(n->count, sizeof(*n->arguments), "arguments", err);
	return n->arguments ? 0 : ERR_NOMEM;
}

void kernel_names_release(struct kernel_names *n)
{
	for (size_t i = 0; n->arguments && i < n->count; i++)
		kernel_name_release(&n->arguments[i]);
	free(n->arguments);
	*n = (struct kernel_names){ 0 };
}

/* Takes both texts over. */
static int set(struct kernel_names *n, size_t i, char *name, char *type)
{
	struct kernel_name *there = &n->arguments[i];

	there->name = name;
	there->type = type;
	return name && type ? 0 : ERR_NOMEM;
}

/*
 * The type of a value as OpenCL calls it. A runtime may tell an argument's size by the name, so
 * what the source says is no good where it names something else.
 */
static const char *value_type(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	if (kind == LLVMFloatTypeKind)
		return "float";
	if (kind == LLVMDoubleTypeKind)
		return "double";
	switch (kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0) {
	case 8:
		return "uchar";
	case 16:
		return "ushort";
	case 32:
		return "uint";
	default:
		return "ulong";
	}
}

static bool is_scalar_name(const char *type)
{
	static const char *const names[] = { "int",  "unsigned int",  "float", "double",
		                             "long", "unsigned long", "char",  "short" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(type, names[i]))
			return true;
	return false;
}

int kernel_names_set(struct kernel_names *n, size_t i, const struct kernel_name *name,
                     struct err *err)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(n->kernel, (unsigned)i));
	bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
	const char *text = *name->type ? name->type : "void *";

	if (!is_pointer && !is_scalar_name(text))
		text = value_type(type);
	return set(n, i, str_copy(name->name, err), str_copy(text, err));
}

int kernel_names_set_word(struct kernel_names *n, size_t i, const struct kernel_name *name,
                          const struct cuda_argument *word, struct err *err)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(n->kernel, (unsigned)i));

	return set(n, i, str_format(err, "%s+%llu", name->name, (unsigned long long)word->offset),
	           str_copy(value_type(type), err));
}

int kernel_names_set_hidden(struct kernel_names *n, size_t i, const char *symbol, struct err *err)
{
	return set(n, i, str_copy(symbol ? symbol : "dynamic shared memory", err),
	           str_copy("char *", err));
}

static LLVMMetadataRef text_node(LLVMContextRef context, const char *text)
{
	return LLVMMDStringInContext2(context, text, strlen(text));
}

static unsigned space_of(LLVMValueRef argument)
{
	LLVMTypeRef type = LLVMTypeOf(argument);

	return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(type) : 0;
}

enum column { SPACE, ACCESS, TYPE, BASE_TYPE, QUALIFIER, NAME, COLUMN_COUNT };

static const char *const columns[COLUMN_COUNT] = {
	"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
	"kernel_arg_base_type",  "kernel_arg_type_qual",   "kernel_arg_name",
};

static LLVMMetadataRef cell(const struct kernel_names *n, size_t i, enum column column)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(n->kernel));
	LLVMValueRef argument = LLVMGetParam(n->kernel, (unsigned)i);

	switch ((int)column) {
	case SPACE:
		return LLVMValueAsMetadata(
			LLVMConstInt(LLVMInt32TypeInContext(context), space_of(argument), 0));
	case ACCESS:
		return text_node(context, "none");
	case QUALIFIER:
		return text_node(context, "");
	case NAME:
		return text_node(context, n->arguments[i].name);
	default:
		return text_node(context, n->arguments[i].type);
	}
}

int kernel_names_apply(const struct kernel_names *n, struct err *err)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(n->kernel));
	LLVMMetadataRef *cells = array_alloc(n->count, sizeof(*cells), "metadata", err);

	if (!cells)
		return ERR_NOMEM;
	for (int c = SPACE; c < COLUMN_COUNT; c++) {
		unsigned length = (unsigned)strlen(columns[c]);

		for (size_t i = 0; i < n->count; i++)
			cells[i] = cell(n, i, (enum column)c);
		LLVMGlobalSetMetadata(n->kernel,
		                      LLVMGetMDKindIDInContext(context, columns[c], length),
		                      LLVMMDNodeInContext2(context, cells, n->count));
	}
	for (size_t i = 0; i < n->count; i++)
		LLVMSetValueName2(LLVMGetParam(n->kernel, (unsigned)i), n->arguments[i].name,
		                  strlen(n->arguments[i].name));
	free(cells);
	return 0;
}
