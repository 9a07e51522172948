/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_table.h"
#include "err.h"
#include "retarget_private.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <string.h>

/* The initial contents of a device variable, as bytes and addresses of other variables. */

#define LIMIT_BYTES ((uint64_t)1 << 28)

struct contents {
	struct cuda_symbol *row;
	LLVMTargetDataRef layout;
	struct err *err;
};

/* Whether a constant contains addresses of variables or functions. */
static bool initial_contents_has_addresses(LLVMValueRef constant)
{
	int count = LLVMGetNumOperands(constant);

	if (LLVMIsAGlobalValue(constant))
		return true;
	for (int i = 0; i < count; i++)
		if (initial_contents_has_addresses(LLVMGetOperand(constant, (unsigned)i)))
			return true;
	return false;
}

static int fail(const struct contents *c)
{
	return err_set(c->err, ERR_UNSUPPORTED,
	               "the variable %s: its initial contents are of an unknown kind",
	               c->row->name);
}

static uint64_t size_of(const struct contents *c, LLVMTypeRef type)
{
	return LLVMABISizeOfType(c->layout, type);
}

/* Write the bytes of a number, lowest first; wider ones word by word. */
static int put_number(struct contents *c, uint64_t at, LLVMValueRef number)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(number));
	LLVMTypeRef type = LLVMTypeOf(number);
	LLVMContextRef context = LLVMGetTypeContext(type);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(context);

	for (unsigned shift = 0; shift < bits; shift += 64) {
		/* The builder folds constant operands. */
		LLVMValueRef word = LLVMBuildLShr(b, number, LLVMConstInt(type, shift, 0), "");
		uint64_t value, left = (bits - shift + 7) / 8;

		if (bits > 64)
			word = LLVMBuildTrunc(b, word, LLVMInt64TypeInContext(context), "");
		value = LLVMConstIntGetZExtValue(word);
		for (uint64_t i = 0; i < 8 && i < left; i++)
			c->row->initial[at + shift / 8 + i] = (uint8_t)(value >> (8 * i));
	}
	LLVMDisposeBuilder(b);
	return 0;
}

/* Add the offset of constant indices. */
static int add_indices(struct contents *c, LLVMValueRef gep, int64_t *offset)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	int count = LLVMGetNumOperands(gep);

	for (int i = 1; i < count; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		if (!LLVMIsAConstantInt(index))
			return fail(c);
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

			*offset += (int64_t)LLVMOffsetOfElement(c->layout, type, field);
			type = LLVMStructGetTypeAtIndex(type, field);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		*offset += LLVMConstIntGetSExtValue(index) * (int64_t)size_of(c, type);
	}
	return 0;
}

/* Write the address of a variable, perhaps with an offset; zero for a function. */
static int put_address(struct contents *c, uint64_t at, LLVMValueRef pointer)
{
	int64_t offset = 0;
	size_t length;
	int ret = 0;

	while (!ret && LLVMIsAConstantExpr(pointer)) {
		LLVMOpcode opcode = LLVMGetConstOpcode(pointer);

		if (opcode == LLVMGetElementPtr)
			ret = add_indices(c, pointer, &offset);
		else if (opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast &&
		         opcode != LLVMPtrToInt && opcode != LLVMIntToPtr)
			ret = fail(c);
		pointer = LLVMGetOperand(pointer, 0);
	}
	if (!ret && LLVMIsAConstantInt(pointer) && LLVMGetIntTypeWidth(LLVMTypeOf(pointer)) == 64)
		return put_number(c, at, pointer);
	if (ret || LLVMIsAFunction(pointer))
		return ret;
	if (!LLVMIsAGlobalVariable(pointer))
		return fail(c);
	return cuda_symbol_add_relocation(c->row, at, LLVMGetValueName2(pointer, &length), offset,
	                                  c->err);
}

static int put(struct contents *c, uint64_t at, LLVMValueRef constant);

static int put_list(struct contents *c, uint64_t at, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant), element = LLVMGetElementType(type);
	bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
	unsigned count = is_vector ? LLVMGetVectorSize(type) : LLVMGetArrayLength(type);
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++)
		ret = put(c, at + i * size_of(c, element), LLVMGetAggregateElement(constant, i));
	return ret;
}

static int put_structure(struct contents *c, uint64_t at, LLVMValueRef constant)
{
	int count = LLVMGetNumOperands(constant), ret = 0;

	for (int i = 0; !ret && i < count; i++)
		ret = put(c, at + LLVMOffsetOfElement(c->layout, LLVMTypeOf(constant), (unsigned)i),
		          LLVMGetOperand(constant, (unsigned)i));
	return ret;
}

static int put(struct contents *c, uint64_t at, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMContextRef context = LLVMGetTypeContext(type);

	if (LLVMIsNull(constant) || LLVMIsUndef(constant))
		return 0;
	if (LLVMIsAConstantInt(constant))
		return put_number(c, at, constant);
	if (LLVMIsAConstantFP(constant))
		return put_number(
			c, at,
			LLVMConstBitCast(
				constant,
				LLVMIntTypeInContext(context, 8 * (unsigned)size_of(c, type))));
	if (LLVMIsAConstantDataSequential(constant) || LLVMIsAConstantArray(constant) ||
	    LLVMIsAConstantVector(constant))
		return put_list(c, at, constant);
	if (LLVMIsAConstantStruct(constant))
		return put_structure(c, at, constant);
	if (size_of(c, type) == 8)
		return put_address(c, at, constant);
	return fail(c);
}

/*
 * Fill in the row's contents and relocations; its `bytes` are set. Undefined parts are zero, and so
 * are addresses of functions, which no kernel can call. Returns 0; ERR_NOMEM; ERR_LIMIT;
 * ERR_UNSUPPORTED, naming the variable, for an address that is not a variable plus an offset.
 */
static int initial_contents_read(struct cuda_symbol *row, LLVMTargetDataRef layout,
                                 LLVMValueRef constant, struct err *err)
{
	struct contents c = { .row = row, .layout = layout, .err = err };

	if (!constant || LLVMIsNull(constant) || LLVMIsUndef(constant))
		return 0;
	if (row->bytes > LIMIT_BYTES)
		return err_set(err, ERR_LIMIT,
		               "the variable %s has more than %llu bytes of initial contents",
		               row->name, (unsigned long long)LIMIT_BYTES);
	row->initial = array_alloc(row->bytes, 1, "initial contents", err);
	return row->initial ? put(&c, 0, constant) : ERR_NOMEM;
}

/* llvm.used and the like keep things alive that no kernel uses. */
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

/* Whether the program may look it up by name, or the kernels of several launches share it. */
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

/* Variables whose addresses are in initial contents need addresses: they become symbols too. */
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
