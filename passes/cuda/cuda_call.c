/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_call.h"

#include "cuda_table.h"
#include "err.h"
#include "llvm_api.h"
#include "program.h"
#include "site.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_WHAT 400

static const char *file_of(LLVMMetadataRef scope, unsigned *length)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;

	*length = 0;
	return file ? LLVMDIFileGetFilename(file, length) : NULL;
}

/* Among the positions that an instruction was inlined through, the innermost in the kernel's own
 * file. */
static LLVMMetadataRef place_in_program(LLVMValueRef instruction, LLVMValueRef kernel)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(kernel), at;
	LLVMMetadataRef innermost = LLVMInstructionGetDebugLoc(instruction);
	unsigned length, other;
	const char *own = file_of(scope, &length);

	for (at = innermost; own && at; at = LLVMDILocationGetInlinedAt(at)) {
		const char *file = file_of(LLVMDILocationGetScope(at), &other);

		if (file && other == length && !memcmp(file, own, length))
			return at;
	}
	return innermost;
}

static char *sentence(LLVMValueRef instruction, LLVMValueRef kernel, const char *what,
                      struct err *err)
{
	LLVMMetadataRef at = place_in_program(instruction, kernel);
	unsigned length;
	const char *file = at ? file_of(LLVMDILocationGetScope(at), &length) : NULL;

	if (!file)
		return str_copy(what, err);
	return str_format(err, "%.*s:%u: %s", (int)length, file, LLVMDILocationGetLine(at), what);
}

char *cuda_refusal_text(LLVMValueRef instruction, LLVMValueRef kernel, struct err *err,
                        const char *what, ...)
{
	char text[LIMIT_WHAT];
	va_list list;

	va_start(list, what);
	vsnprintf(text, sizeof(text), what, list);
	va_end(list);
	return sentence(instruction, kernel, text, err);
}

int cuda_refuse(struct program *p, LLVMValueRef instruction, struct err *err, const char *what, ...)
{
	LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	struct cuda_kernel *row;
	char text[LIMIT_WHAT];
	size_t length;
	va_list list;

	row = cuda_table_kernel(p->cuda, LLVMGetValueName2(kernel, &length));
	if (!row || row->refusal)
		return 0;
	va_start(list, what);
	vsnprintf(text, sizeof(text), what, list);
	va_end(list);
	row->refusal = sentence(instruction, kernel, text, err);
	return row->refusal ? 0 : ERR_NOMEM;
}

void cuda_call_init(struct cuda_call *c, struct program *p, LLVMValueRef instruction,
                    struct err *err)
{
	*c = (struct cuda_call){ .program = p,
		                 .err = err,
		                 .module = p->module,
		                 .instruction = instruction,
		                 .b = LLVMCreateBuilderInContext(p->context),
		                 .name = "",
		                 .target = "" };
	LLVMPositionBuilderBefore(c->b, instruction);
	LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(instruction));
}

void cuda_call_release(struct cuda_call *c)
{
	LLVMDisposeBuilder(c->b);
}

LLVMValueRef cuda_call_argument(const struct cuda_call *c, unsigned i)
{
	return LLVMGetOperand(c->instruction, i);
}

unsigned cuda_call_count(const struct cuda_call *c)
{
	return LLVMIsACallInst(c->instruction) ? LLVMGetNumArgOperands(c->instruction) : 0;
}

bool cuda_call_has_pointer(const struct cuda_call *c, unsigned i)
{
	return i < cuda_call_count(c) &&
	       LLVMGetTypeKind(LLVMTypeOf(cuda_call_argument(c, i))) == LLVMPointerTypeKind;
}

LLVMTypeRef cuda_call_int(const struct cuda_call *c, unsigned bits)
{
	return LLVMIntTypeInContext(c->program->context, bits);
}

LLVMValueRef cuda_call_number(const struct cuda_call *c, unsigned bits, uint64_t value)
{
	return LLVMConstInt(cuda_call_int(c, bits), value, 0);
}

static void add_attribute(LLVMValueRef function, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(context, kind, 0));
}

static LLVMValueRef declare(struct cuda_call *c, const char *symbol, enum cuda_effect effect,
                            LLVMTypeRef type)
{
	LLVMValueRef function = LLVMAddFunction(c->module, symbol, type);

	LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
	add_attribute(function, "nounwind");
	if (effect == CUDA_PURE) {
		llvm_function_promise(function, LLVM_TOUCHES_NOTHING);
		add_attribute(function, "willreturn");
	} else if (effect == CUDA_TOGETHER) {
		add_attribute(function, "convergent");
	}
	return function;
}

LLVMValueRef cuda_call_function(struct cuda_call *c, const char *symbol, enum cuda_effect effect,
                                LLVMTypeRef type)
{
	LLVMValueRef function = LLVMGetNamedFunction(c->module, symbol);

	if (function && LLVMIsDeclaration(function) && !LLVMGetFirstUse(function)) {
		LLVMDeleteFunction(function);
		function = NULL;
	}
	if (!function)
		return declare(c, symbol, effect, type);
	if (LLVMGlobalGetValueType(function) == type && LLVMIsDeclaration(function))
		return function;
	c->ret = err_set(c->err, ERR_UNSUPPORTED, "%s: the program has a function %s of its own",
	                 c->program->settings->source, symbol);
	return NULL;
}

LLVMValueRef cuda_call_make(struct cuda_call *c, const char *symbol, enum cuda_effect effect,
                            LLVMTypeRef result, LLVMValueRef *arguments, unsigned count)
{
	LLVMTypeRef types[CUDA_CALL_ARGUMENTS_MAX], type;
	LLVMValueRef function, call;

	if (count > CUDA_CALL_ARGUMENTS_MAX) {
		c->ret = err_set(c->err, ERR_UNSUPPORTED,
		                 "%s is called with %u arguments, expected at most %d", c->name,
		                 count, CUDA_CALL_ARGUMENTS_MAX);
		return NULL;
	}
	for (unsigned i = 0; i < count; i++)
		types[i] = LLVMTypeOf(arguments[i]);
	type = LLVMFunctionType(result, types, count, 0);
	function = cuda_call_function(c, symbol, effect, type);
	if (!function)
		return NULL;
	call = LLVMBuildCall2(c->b, type, function, arguments, count, "");
	LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
	return call;
}

LLVMValueRef cuda_call_library(struct cuda_call *c, const char *name, enum cuda_effect effect,
                               LLVMTypeRef result, LLVMValueRef *arguments, unsigned count)
{
	char *symbol = str_format(c->err, CUDA_LIBRARY_PREFIX "%s", name);
	LLVMValueRef value = NULL;

	if (!symbol)
		c->ret = ERR_NOMEM;
	else
		value = cuda_call_make(c, symbol, effect, result, arguments, count);
	free(symbol);
	return value;
}

LLVMValueRef cuda_call_variable(struct cuda_call *c, const char *name, LLVMTypeRef type)
{
	LLVMValueRef v = LLVMGetNamedGlobal(c->module, name);

	if (v)
		return v;
	v = LLVMAddGlobalInAddressSpace(c->module, type, name, SPACE_GLOBAL);
	LLVMSetInitializer(v, LLVMConstNull(type));
	LLVMSetExternallyInitialized(v, 1);
	return v;
}

LLVMValueRef cuda_call_cast(struct cuda_call *c, LLVMValueRef value, LLVMTypeRef type)
{
	LLVMTypeRef from = value ? LLVMTypeOf(value) : NULL;
	LLVMTypeKind kind, from_kind;

	if (!value || from == type)
		return value;
	kind = LLVMGetTypeKind(type);
	from_kind = LLVMGetTypeKind(from);
	if (kind == LLVMIntegerTypeKind && from_kind == LLVMIntegerTypeKind)
		return LLVMBuildIntCast2(c->b, value, type, 0, "");
	if (kind == LLVMPointerTypeKind && from_kind == LLVMPointerTypeKind)
		return LLVMBuildPointerCast(c->b, value, type, "");
	if (kind == LLVMPointerTypeKind && from_kind == LLVMIntegerTypeKind)
		return LLVMBuildIntToPtr(c->b, value, type, "");
	if (kind == LLVMIntegerTypeKind && from_kind == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(c->b, value, type, "");
	if (!LLVMTypeIsSized(type) || !LLVMTypeIsSized(from) || kind == LLVMStructTypeKind ||
	    from_kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
	    from_kind == LLVMArrayTypeKind ||
	    LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(c->module), type) !=
	            LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(c->module), from))
		return NULL;
	return LLVMBuildBitCast(c->b, value, type, "");
}

int cuda_call_replace(struct cuda_call *c, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);

	if (c->ret)
		return c->ret;
	if (LLVMGetFirstUse(c->instruction)) {
		value = cuda_call_cast(c, value, type);
		if (!value)
			return cuda_call_refuse(
				c, "is called with argument types that it does not take");
		LLVMReplaceAllUsesWith(c->instruction, value);
	}
	LLVMInstructionEraseFromParent(c->instruction);
	return 0;
}

int cuda_call_refuse(struct cuda_call *c, const char *why)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(c->instruction));
	char *text = cuda_refusal_text(c->instruction, function, c->err, "%s %s", c->name, why);

	if (!text)
		return ERR_NOMEM;
	if (!cuda_call_refusal(function))
		LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		                        LLVMCreateStringAttribute(c->program->context, CUDA_REFUSAL,
		                                                  (unsigned)strlen(CUDA_REFUSAL),
		                                                  text, (unsigned)strlen(text)));
	free(text);
	if (LLVMGetFirstUse(c->instruction))
		LLVMReplaceAllUsesWith(c->instruction, LLVMGetUndef(LLVMTypeOf(c->instruction)));
	LLVMInstructionEraseFromParent(c->instruction);
	return 0;
}

const char *cuda_call_refusal(LLVMValueRef function)
{
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(
		function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, CUDA_REFUSAL,
		(unsigned)strlen(CUDA_REFUSAL));
	unsigned length;

	return a ? LLVMGetStringAttributeValue(a, &length) : NULL;
}
