/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_string.h"

#include "cuda_call.h"
#include "program.h"
#include "site.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdint.h>
#include <string.h>

enum { CHOICES_MAX = 8 };

static bool is_opcode(LLVMValueRef v, LLVMOpcode opcode)
{
	if (LLVMIsAInstruction(v))
		return LLVMGetInstructionOpcode(v) == opcode;
	return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == opcode;
}

/* The bytes that constant indices lead to, or SIZE_MAX. Only of "pointer to the array, 0, n" and of
 * "pointer to characters, n". */
static size_t offset_of(LLVMValueRef gep)
{
	unsigned count = LLVMGetNumIndices(gep);
	LLVMValueRef last = LLVMGetOperand(gep, count);

	for (unsigned i = 1; i <= count; i++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i)))
			return SIZE_MAX;
	if (count > 2 || (count == 2 && LLVMConstIntGetZExtValue(LLVMGetOperand(gep, 1))))
		return SIZE_MAX;
	if (count == 1 &&
	    LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(gep))) != LLVMIntegerTypeKind)
		return SIZE_MAX;
	return LLVMConstIntGetZExtValue(last) < UINT32_MAX ? LLVMConstIntGetZExtValue(last)
	                                                   : SIZE_MAX;
}

static LLVMValueRef without_casts(LLVMValueRef v)
{
	while (is_opcode(v, LLVMBitCast) || is_opcode(v, LLVMAddrSpaceCast) ||
	       is_opcode(v, LLVMIntToPtr) || is_opcode(v, LLVMPtrToInt))
		v = LLVMGetOperand(v, 0);
	return v;
}

/* From byte `offset` of an array of characters on. */
static const char *text_at(LLVMValueRef array, size_t offset)
{
	LLVMTypeRef type = LLVMTypeOf(array);
	const char *text;
	size_t length;

	if (LLVMIsNull(array))
		return LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
		                       offset < LLVMGetArrayLength(type)
		               ? ""
		               : NULL;
	if (!LLVMIsConstantString(array))
		return NULL;
	text = LLVMGetAsString(array, &length);
	return offset < length && memchr(text + offset, 0, length - offset) ? text + offset : NULL;
}

const char *cuda_string_find(LLVMValueRef pointer)
{
	LLVMValueRef v = without_casts(pointer), array;
	size_t offset = 0;

	while (is_opcode(v, LLVMGetElementPtr)) {
		size_t more = offset_of(v);

		if (more == SIZE_MAX)
			return NULL;
		offset += more;
		v = without_casts(LLVMGetOperand(v, 0));
	}
	if (!LLVMIsAGlobalVariable(v) || !LLVMIsGlobalConstant(v))
		return NULL;
	array = LLVMGetInitializer(v);
	return array ? text_at(array, offset) : NULL;
}

LLVMValueRef cuda_string_make(struct cuda_call *c, const char *text)
{
	LLVMValueRef array =
		LLVMConstStringInContext(c->program->context, text, (unsigned)strlen(text), 0);
	LLVMTypeRef type = LLVMTypeOf(array);
	LLVMValueRef variable =
		LLVMAddGlobalInAddressSpace(c->module, type, "cuda.string", SPACE_CONSTANT);
	LLVMValueRef indices[2] = { cuda_call_number(c, 64, 0), cuda_call_number(c, 64, 0) };

	LLVMSetInitializer(variable, array);
	LLVMSetGlobalConstant(variable, 1);
	LLVMSetLinkage(variable, LLVMInternalLinkage);
	LLVMSetUnnamedAddress(variable, LLVMGlobalUnnamedAddr);
	LLVMSetAlignment(variable, 1);
	return LLVMConstInBoundsGEP2(type, variable, indices, 2);
}

static LLVMValueRef copy(struct cuda_call *c, LLVMValueRef pointer, unsigned choices)
{
	const char *text = cuda_string_find(pointer);
	LLVMValueRef yes, no;

	if (text)
		return cuda_string_make(c, text);
	pointer = without_casts(pointer);
	if (!LLVMIsASelectInst(pointer) || !choices)
		return NULL;
	yes = copy(c, LLVMGetOperand(pointer, 1), choices - 1);
	no = copy(c, LLVMGetOperand(pointer, 2), choices - 1);
	return yes && no ? LLVMBuildSelect(c->b, LLVMGetOperand(pointer, 0), yes, no, "") : NULL;
}

LLVMValueRef cuda_string_copy(struct cuda_call *c, LLVMValueRef pointer)
{
	return copy(c, pointer, CHOICES_MAX);
}
