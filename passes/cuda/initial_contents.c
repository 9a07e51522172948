/* SPDX-License-Identifier: Apache-2.0 */
#include "initial_contents.h"

#include "cuda_table.h"
#include "err.h"

#include <llvm-c/Core.h>

#include <string.h>

#define LIMIT_BYTES ((uint64_t)1 << 28)

struct contents {
	struct cuda_symbol *row;
	LLVMTargetDataRef layout;
	struct err *err;
};

bool initial_contents_has_addresses(LLVMValueRef constant)
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

/* The bytes of a number, the lowest first; wider ones by their words. */
static int put_number(struct contents *c, uint64_t at, LLVMValueRef number)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(number));
	LLVMTypeRef type = LLVMTypeOf(number);

	for (unsigned shift = 0; shift < bits; shift += 64) {
		LLVMValueRef word = LLVMConstLShr(number, LLVMConstInt(type, shift, 0));
		uint64_t value, left = (bits - shift + 7) / 8;

		if (bits > 64)
			word = LLVMConstTrunc(word,
			                      LLVMInt64TypeInContext(LLVMGetTypeContext(type)));
		value = LLVMConstIntGetZExtValue(word);
		for (uint64_t i = 0; i < 8 && i < left; i++)
			c->row->initial[at + shift / 8 + i] = (uint8_t)(value >> (8 * i));
	}
	return 0;
}

/* Add the offset that constant indices make. */
static int add_indices(struct contents *c, LLVMValueRef gep, int64_t *offset)
{
	LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(gep, 0)));
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

/* A variable's address, perhaps with an offset; zero for a function's. */
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

static int put_list(struct contents *c, uint64_t at, LLVMValueRef constant, bool is_data)
{
	LLVMTypeRef type = LLVMTypeOf(constant), element = LLVMGetElementType(type);
	bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
	unsigned count = is_vector ? LLVMGetVectorSize(type) : LLVMGetArrayLength(type);
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++)
		ret = put(c, at + i * size_of(c, element),
		          is_data ? LLVMGetElementAsConstant(constant, i)
		                  : LLVMGetOperand(constant, i));
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
	if (LLVMIsAConstantDataArray(constant) || LLVMIsAConstantDataVector(constant))
		return put_list(c, at, constant, true);
	if (LLVMIsAConstantArray(constant) || LLVMIsAConstantVector(constant))
		return put_list(c, at, constant, false);
	if (LLVMIsAConstantStruct(constant))
		return put_structure(c, at, constant);
	if (size_of(c, type) == 8)
		return put_address(c, at, constant);
	return fail(c);
}

int initial_contents_read(struct cuda_symbol *row, LLVMTargetDataRef layout, LLVMValueRef constant,
                          struct err *err)
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
