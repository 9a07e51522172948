/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_private.h"

#include "err.h"
#include "initial_contents.h"

#include <string.h>

/* llvm.used and its like keep alive what no kernel uses. */
static void drop_keepers(LLVMModuleRef module)
{
	LLVMValueRef v = LLVMGetFirstGlobal(module), next;

	for (; v; v = next) {
		size_t length;

		next = LLVMGetNextGlobal(v);
		if (!strncmp(LLVMGetValueName2(v, &length), "llvm.", 5))
			LLVMDeleteGlobal(v);
	}
}

static unsigned space_of(LLVMValueRef variable)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
}

/* Whether the program may ask for it by name, or the kernels of several launches share it. */
static bool is_symbol(LLVMValueRef variable)
{
	if (space_of(variable) == NVPTX_SHARED || LLVMIsDeclaration(variable))
		return false;
	return !LLVMIsGlobalConstant(variable) || LLVMIsExternallyInitialized(variable) ||
	       initial_contents_has_addresses(LLVMGetInitializer(variable));
}

static int add_symbol(struct program *p, LLVMValueRef variable, struct err *err)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module);
	size_t length;
	struct cuda_symbol *row;

	row = cuda_table_add_symbol(p->cuda, LLVMGetValueName2(variable, &length), err);
	if (!row)
		return ERR_NOMEM;
	row->space = space_of(variable) == NVPTX_CONSTANT ? CUDA_CONSTANT : CUDA_GLOBAL;
	row->align = LLVMGetAlignment(variable);
	if (!row->align)
		row->align = LLVMPreferredAlignmentOfGlobal(layout, variable);
	row->bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
	return initial_contents_read(row, layout, LLVMGetInitializer(variable), err);
}

/* What addresses in initial contents point to must have addresses: symbols too. */
static int add_targets(struct program *p, size_t row, struct err *err)
{
	const struct cuda_symbol *symbols = p->cuda->symbols.data;
	size_t count = symbols[row].relocations.count;
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		const struct cuda_relocation *list;
		LLVMValueRef variable;

		symbols = p->cuda->symbols.data;
		list = symbols[row].relocations.data;
		variable = LLVMGetNamedGlobal(p->module, list[i].symbol);
		if (variable && !LLVMIsDeclaration(variable) &&
		    !cuda_table_symbol(p->cuda, list[i].symbol))
			ret = add_symbol(p, variable, err);
	}
	return ret;
}

static const char *text_of(LLVMValueRef operand)
{
	unsigned length;

	return operand ? LLVMGetMDString(operand, &length) : NULL;
}

/* !nvvm.annotations = !{!{i32 addrspace(1)* @x, !"managed", i32 1}} */
static void note_managed(struct program *p)
{
	LLVMValueRef nodes[256], operands[3];
	unsigned count = LLVMGetNamedMetadataNumOperands(p->module, "nvvm.annotations");

	if (count > sizeof(nodes) / sizeof(nodes[0]))
		return;
	LLVMGetNamedMetadataOperands(p->module, "nvvm.annotations", nodes);
	for (unsigned i = 0; i < count; i++) {
		struct cuda_symbol *row;
		size_t length;

		if (LLVMGetMDNodeNumOperands(nodes[i]) != 3)
			continue;
		LLVMGetMDNodeOperands(nodes[i], operands);
		if (!operands[0] || !LLVMIsAGlobalVariable(operands[0]) || !text_of(operands[1]) ||
		    strcmp(text_of(operands[1]), "managed") != 0)
			continue;
		row = cuda_table_symbol(p->cuda, LLVMGetValueName2(operands[0], &length));
		if (row)
			row->space = CUDA_MANAGED;
	}
}

int retarget_find_symbols(struct program *p, struct err *err)
{
	LLVMValueRef v;
	int ret = 0;

	drop_keepers(p->module);
	for (v = LLVMGetFirstGlobal(p->module); !ret && v; v = LLVMGetNextGlobal(v))
		if (is_symbol(v))
			ret = add_symbol(p, v, err);
	for (size_t i = 0; !ret && i < p->cuda->symbols.count; i++)
		ret = add_targets(p, i, err);
	note_managed(p);
	return ret;
}
