/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_call.h"

#include "cuda_calls.h"
#include "cuda_format.h"
#include "err.h"
#include "ir_walk.h"
#include "program.h"
#include "site.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Constant strings of the program: found through a pointer, and copied to constant memory, where
 * OpenCL's printf() needs them.
 */

enum { CHOICES_MAX = 8 };

static bool is_opcode(LLVMValueRef v, LLVMOpcode opcode)
{
	if (LLVMIsAInstruction(v))
		return LLVMGetInstructionOpcode(v) == opcode;
	return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == opcode;
}

/* The byte offset of constant indices, or SIZE_MAX. Handles "pointer to the array, 0, n" and
 * "pointer to characters, n" only. */
static size_t offset_of(LLVMValueRef gep)
{
	unsigned count = LLVMGetNumIndices(gep);
	LLVMValueRef last = LLVMGetOperand(gep, count);

	for (unsigned i = 1; i <= count; i++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i)))
			return SIZE_MAX;
	if (count > 2 || (count == 2 && LLVMConstIntGetZExtValue(LLVMGetOperand(gep, 1))))
		return SIZE_MAX;
	if (count == 1 && LLVMGetTypeKind(LLVMGetGEPSourceElementType(gep)) != LLVMIntegerTypeKind)
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

/* The string that starts at byte `offset` of a character array. */
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

/*
 * The NUL-terminated string that a pointer to a constant variable points to, owned by the module;
 * NULL when it is not such a string, or not terminated.
 */
static const char *cuda_string_find(LLVMValueRef pointer)
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

/* A pointer to the string as a constant of the module (i8 addrspace(2)*). */
static LLVMValueRef cuda_string_make(struct cuda_call *c, const char *text)
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

/*
 * Copy a string to constant memory: a constant, or one of two that a condition selects. NULL for
 * anything else.
 */
static LLVMValueRef cuda_string_copy(struct cuda_call *c, LLVMValueRef pointer)
{
	return copy(c, pointer, CHOICES_MAX);
}

/*
 * vprintf(format, buffer) and __assertfail() as OpenCL's printf(); __trap(). The buffer is memory
 * of the work-item that the compiler stored the arguments in, one after another; what remains
 * unused of it disappears when variables become registers.
 */

/* Build printf(format, arguments...) of OpenCL. */
static LLVMValueRef print(struct cuda_call *c, LLVMValueRef *arguments, unsigned count)
{
	LLVMTypeRef types[] = { LLVMPointerType(cuda_call_int(c, 8), 2) };
	LLVMTypeRef type = LLVMFunctionType(cuda_call_int(c, 32), types, 1, 1);
	LLVMValueRef function = cuda_call_function(c, "printf", CUDA_EFFECT, type), call;

	if (!function)
		return NULL;
	call = LLVMBuildCall2(c->b, type, function, arguments, count, "");
	LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
	return call;
}

static bool has_pointers(const struct cuda_call *c, unsigned count)
{
	if (cuda_call_count(c) != count)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (LLVMGetTypeKind(LLVMTypeOf(cuda_call_argument(c, i))) != LLVMPointerTypeKind)
			return false;
	return true;
}

static LLVMTypeRef type_of(const struct cuda_call *c, enum cuda_printed what)
{
	switch (what) {
	case CUDA_PRINTED_INT:
		return cuda_call_int(c, 32);
	case CUDA_PRINTED_DOUBLE:
		return LLVMDoubleTypeInContext(c->program->context);
	case CUDA_PRINTED_LONG:
	case CUDA_PRINTED_STRING:
	case CUDA_PRINTED_POINTER:
		break;
	}
	return cuda_call_int(c, 64);
}

static LLVMValueRef at_offset(struct cuda_call *c, LLVMValueRef buffer, unsigned offset)
{
	LLVMTypeRef byte = cuda_call_int(c, 8);
	LLVMValueRef index = cuda_call_number(c, 64, offset);

	buffer = LLVMBuildBitCast(
		c->b, buffer, LLVMPointerType(byte, LLVMGetPointerAddressSpace(LLVMTypeOf(buffer))),
		"");
	return LLVMBuildGEP2(c->b, byte, buffer, &index, 1, "");
}

static LLVMValueRef load(struct cuda_call *c, LLVMValueRef pointer, LLVMTypeRef type)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

	pointer = LLVMBuildBitCast(c->b, pointer, LLVMPointerType(type, space), "");
	return LLVMBuildLoad2(c->b, type, pointer, "");
}

/* The bytes that the constant indices of a GEP skip, or -1. */
static int64_t skipped(const struct cuda_call *c, LLVMValueRef gep)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->module);
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	int64_t bytes = 0;

	for (unsigned i = 1; i <= LLVMGetNumIndices(gep); i++) {
		LLVMValueRef index = LLVMGetOperand(gep, i);
		int64_t n;

		if (!LLVMIsAConstantInt(index))
			return -1;
		n = LLVMConstIntGetSExtValue(index);
		if (n < 0 || n > INT32_MAX)
			return -1;
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			bytes += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)n);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		bytes += n * (int64_t)LLVMABISizeOfType(layout, type);
	}
	return bytes;
}

/* The base of a pointer that is `*bytes` past it, by constant offsets. */
static LLVMValueRef base_of(const struct cuda_call *c, LLVMValueRef pointer, int64_t *bytes)
{
	*bytes = 0;
	for (;;) {
		if (LLVMIsAGetElementPtrInst(pointer)) {
			int64_t more = skipped(c, pointer);

			if (more < 0)
				return pointer;
			*bytes += more;
		} else if (!LLVMIsABitCastInst(pointer) && !LLVMIsAAddrSpaceCastInst(pointer)) {
			return pointer;
		}
		pointer = LLVMGetOperand(pointer, 0);
	}
}

/* The value last stored at that offset of the buffer, in this node; or NULL. */
static LLVMValueRef stored(const struct cuda_call *c, unsigned offset)
{
	int64_t begin, at;
	LLVMValueRef buffer = base_of(c, cuda_call_argument(c, 1), &begin);
	LLVMValueRef i = LLVMGetPreviousInstruction(c->instruction);

	for (; i; i = LLVMGetPreviousInstruction(i))
		if (LLVMIsAStoreInst(i) && base_of(c, LLVMGetOperand(i, 1), &at) == buffer &&
		    at == begin + offset)
			return LLVMGetOperand(i, 0);
	return NULL;
}

/* An argument in the buffer, as OpenCL's printf() takes it; NULL when that is impossible. */
static LLVMValueRef argument(struct cuda_call *c, enum cuda_printed what, unsigned offset)
{
	LLVMValueRef value;

	if (what == CUDA_PRINTED_STRING) {
		value = stored(c, offset);
		return value ? cuda_string_copy(c, value) : NULL;
	}
	value = load(c, at_offset(c, cuda_call_argument(c, 1), offset), type_of(c, what));
	if (what == CUDA_PRINTED_POINTER)
		return LLVMBuildIntToPtr(c->b, value, LLVMPointerType(cuda_call_int(c, 8), 1), "");
	return value;
}

static int print_formatted(struct cuda_call *c, const struct cuda_format *f)
{
	LLVMValueRef arguments[CUDA_FORMAT_ARGUMENTS_MAX + 1];
	unsigned offset = 0;

	for (unsigned i = 0; i < f->count; i++) {
		unsigned bytes = cuda_printed_bytes(f->arguments[i]);

		offset = (offset + bytes - 1) / bytes * bytes;
		arguments[i + 1] = argument(c, f->arguments[i], offset);
		if (!arguments[i + 1])
			return cuda_call_refuse(c, "prints a string that is not constant");
		offset += bytes;
	}
	arguments[0] = cuda_string_make(c, f->text.text);
	if (!print(c, arguments, f->count + 1))
		return c->ret;
	return cuda_call_replace(c, cuda_call_number(c, 32, f->count));
}

/* vprintf(format, buffer): the result is the number of arguments. */
int cuda_kind_printf(struct cuda_call *c)
{
	const char *text, *why = NULL;
	struct cuda_format f;
	int ret;

	if (!has_pointers(c, 2))
		return cuda_call_refuse(c, "is called with argument types that it does not take");
	text = cuda_string_find(cuda_call_argument(c, 0));
	if (!text)
		return cuda_call_refuse(c, "has a format that is not constant");
	ret = cuda_format_init(&f, text, &why, c->err);
	if (!ret)
		ret = why ? cuda_call_refuse(c, why) : print_formatted(c, &f);
	cuda_format_release(&f);
	return ret;
}

static bool begins_with(const char *name, const char *begin)
{
	return !strncmp(name, begin, strlen(begin));
}

/* A call that waits for other work-items, whether lowered or not. */
static bool waits(LLVMValueRef instruction)
{
	LLVMValueRef function;
	const char *name;
	size_t length;

	if (!LLVMIsACallInst(instruction))
		return false;
	function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
	if (!function)
		return LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
	name = LLVMGetValueName2(function, &length);
	return begins_with(name, "_Z7barrierj") || begins_with(name, "warpline_cuda_sync") ||
	       begins_with(name, "warpline_cuda_group_sync") ||
	       begins_with(name, "llvm.nvvm.bar") || begins_with(name, "llvm.nvvm.shfl") ||
	       begins_with(name, "llvm.nvvm.vote") || begins_with(name, "llvm.nvvm.match") ||
	       begins_with(name, "llvm.nvvm.redux");
}

static bool has_waits(LLVMValueRef function)
{
	for (LLVMValueRef i = ir_first(function); i; i = ir_next(i))
		if (waits(i))
			return true;
	return false;
}

static void build_return(struct cuda_call *c, LLVMValueRef function, LLVMValueRef before)
{
	LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));

	LLVMPositionBuilderBefore(c->b, before);
	if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(c->b);
	else
		LLVMBuildRet(c->b, LLVMGetUndef(type));
	LLVMInstructionEraseFromParent(before);
}

/*
 * Report to the host why, and return. In a function that waits for other work-items the work-item
 * continues instead, which changes nothing that a program may rely on: a return on some paths would
 * mean that some work-items may not reach its barriers.
 */
static int stop(struct cuda_call *c, enum cuda_trap why)
{
	LLVMValueRef next = LLVMGetNextInstruction(c->instruction);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(next));
	LLVMValueRef arguments[2] = { cuda_call_variable(c, CUDA_TRAP, cuda_call_int(c, 32)),
		                      cuda_call_number(c, 32, why) };
	LLVMTypeRef nothing = LLVMVoidTypeInContext(c->program->context);
	int ret;

	cuda_call_make(c, CUDA_LIBRARY_PREFIX "trap", CUDA_EFFECT, nothing, arguments, 2);
	ret = cuda_call_replace(c, NULL);
	if (ret)
		return ret;
	if (LLVMIsAUnreachableInst(next))
		build_return(c, function, next);
	else if (!has_waits(function))
		build_return(c, function, node_split(next, cuda_call_number(c, 1, 1)));
	return 0;
}

int cuda_kind_trap(struct cuda_call *c)
{
	return stop(c, CUDA_TRAP_STOP);
}

/* A string of the program, escaped for a format. */
static const char *shown(const struct cuda_call *c, unsigned i)
{
	const char *text = cuda_string_find(cuda_call_argument(c, i));

	return text && !strchr(text, '%') ? text : "?";
}

/* Append the three values of a work-item function. */
static void append_position(struct cuda_call *c, const char *symbol, LLVMValueRef *arguments)
{
	for (unsigned i = 0; i < 3; i++) {
		LLVMValueRef dimension = cuda_call_number(c, 32, i);
		LLVMValueRef id =
			cuda_call_make(c, symbol, CUDA_PURE, cuda_call_int(c, 64), &dimension, 1);

		arguments[i] = id ? LLVMBuildTrunc(c->b, id, cuda_call_int(c, 32), "") : NULL;
	}
}

/* (message, file, line, function, size of a character) */
int cuda_kind_assert(struct cuda_call *c)
{
	LLVMValueRef arguments[8];
	char *text;

	if (cuda_call_count(c) != 5 || LLVMTypeOf(cuda_call_argument(c, 2)) != cuda_call_int(c, 32))
		return cuda_call_refuse(c, "is called with argument types that it does not take");
	text = str_format(c->err,
	                  "%s:%%u: %s: group [%%u,%%u,%%u], work-item [%%u,%%u,%%u] "
	                  "assertion `%s` failed.\n",
	                  shown(c, 1), shown(c, 3), shown(c, 0));
	if (!text)
		return ERR_NOMEM;
	arguments[0] = cuda_string_make(c, text);
	free(text);
	arguments[1] = cuda_call_argument(c, 2);
	append_position(c, "_Z12get_group_idj", arguments + 2);
	append_position(c, "_Z12get_local_idj", arguments + 5);
	if (c->ret || !print(c, arguments, 8))
		return c->ret;
	return stop(c, CUDA_TRAP_ASSERT);
}
