/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_private.h"

#include "err.h"
#include "kernel_arguments.h"
#include "kernel_names.h"
#include "retarget_globals.h"

#include <string.h>

#define LIMIT_ARGUMENTS (1u << 14)

static int add_symbols(struct program *p, struct err *err)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module);

	for (LLVMValueRef v = LLVMGetFirstGlobal(p->module); v; v = LLVMGetNextGlobal(v)) {
		struct cuda_symbol *row;
		size_t length;
		const char *name = LLVMGetValueName2(v, &length);

		if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != NVPTX_GLOBAL ||
		    LLVMIsDeclaration(v) || cuda_table_symbol(p->cuda, name))
			continue;
		row = cuda_table_add_symbol(p->cuda, name, err);
		if (!row)
			return ERR_NOMEM;
		row->bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(v));
		row->align = LLVMPreferredAlignmentOfGlobal(layout, v);
	}
	return 0;
}

static void move_code(LLVMValueRef old, LLVMValueRef kernel)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(old));
	LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, kernel, ""), node;
	unsigned count = LLVMCountParams(old);

	while ((node = LLVMGetFirstBasicBlock(old)))
		LLVMMoveBasicBlockBefore(node, end);
	LLVMDeleteBasicBlock(end);
	for (unsigned i = 0; i < count; i++)
		LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(kernel, i));
}

/* The old arguments' names, and those of the hidden ones from `first` on. */
static int name_arguments(LLVMValueRef old, LLVMValueRef kernel, const struct retarget_globals *g,
                          struct err *err)
{
	const struct cuda_hidden *hidden = g->row->hidden.data;
	size_t there = g->row->args.count; /* arguments that are not hidden */
	struct kernel_table table = { 0 };
	struct kernel_names names;
	int ret = kernel_names_init(&names, kernel, err);

	if (!ret)
		ret = kernel_arguments_fill(&table, old, err);
	for (size_t i = 0; !ret && i < g->first; i++) {
		struct kernel_name name = { table.arguments[i].name, table.arguments[i].type };

		ret = kernel_names_set(&names, i, &name, err);
	}
	for (size_t i = g->first; !ret && i < names.count; i++)
		ret = kernel_names_set_hidden(&names, i, hidden[i - there].symbol, err);
	if (!ret)
		ret = kernel_names_apply(&names, err);
	kernel_names_release(&names);
	kernel_table_release(&table);
	return ret;
}

static LLVMValueRef create_like(struct program *p, LLVMValueRef old, const struct array *types)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), types->data,
	                                    (unsigned)types->count, 0);
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	LLVMValueRef kernel = LLVMAddFunction(p->module, "", type);
	LLVMAttributeRef attributes[16];
	unsigned count = LLVMGetAttributeCountAtIndex(old, at);

	LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
	LLVMSetSubprogram(kernel, LLVMGetSubprogram(old));
	if (count <= sizeof(attributes) / sizeof(attributes[0]))
		LLVMGetAttributesAtIndex(old, at, attributes);
	else
		count = 0;
	for (unsigned i = 0; i < count; i++)
		LLVMAddAttributeAtIndex(kernel, at, attributes[i]);
	return kernel;
}

/* The kernel with an argument more for each variable of `g`. */
static int append(struct retarget_globals *g, LLVMValueRef old, struct array *types,
                  struct err *err)
{
	LLVMTypeRef *slots = g->first ? array_push(types, g->first, err) : NULL;
	LLVMValueRef kernel;
	int ret;

	if (g->first && !slots)
		return ERR_LIMIT;
	if (g->first)
		LLVMGetParamTypes(LLVMGlobalGetValueType(old), slots);
	ret = retarget_globals_types(g, types, err);
	if (ret)
		return ret;
	kernel = create_like(g->program, old, types);
	move_code(old, kernel);
	ret = retarget_globals_replace(g, kernel, err);
	if (!ret)
		ret = name_arguments(old, kernel, g, err);
	LLVMDeleteFunction(old);
	LLVMSetValueName2(kernel, g->row->name, strlen(g->row->name));
	return ret;
}

static int lift_in(struct program *p, LLVMValueRef kernel, struct err *err)
{
	struct retarget_globals used = { .program = p, .is_late = true };
	struct array types;
	size_t length;
	int ret;

	used.row = cuda_table_kernel(p->cuda, LLVMGetValueName2(kernel, &length));
	if (!used.row)
		return 0;
	used.first = LLVMCountParams(kernel);
	array_init(&types, sizeof(LLVMTypeRef), LIMIT_ARGUMENTS, "arguments of a kernel");
	ret = retarget_globals_find(&used, kernel, err);
	if (!ret && used.list.count)
		ret = append(&used, kernel, &types, err);
	retarget_globals_release(&used);
	array_release(&types);
	return ret;
}

int retarget_lift_variables(struct program *p, struct err *err)
{
	LLVMValueRef last = LLVMGetLastFunction(p->module), f, next;
	int ret = add_symbols(p, err);

	for (f = LLVMGetFirstFunction(p->module); !ret && f; f = next) {
		next = f == last ? NULL : LLVMGetNextFunction(f);
		if (retarget_is_kernel(f))
			ret = lift_in(p, f, err);
	}
	return ret;
}
