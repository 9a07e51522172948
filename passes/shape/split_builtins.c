/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "builtin.h"
#include "err.h"
#include "number.h"
#include "program.h"
#include "source_place.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Some CPU runtimes' SPIR libraries lose vectors that are wider than the registers of the device on
 * the way to functions that are not inlined there. A function of each element for itself is called
 * for both halves; of what else they lose the kernel is refused. And they read the arguments of
 * printf as the device's own calls have them, where vectors of less than 8 bytes are numbers.
 */
enum { PARAMETERS_MAX = 4, LANES_MAX = 16, PRINTED_BYTES_MIN = 8 };

/* Vectors in and out, but not element by element. */
static const char *const whole[] = { "convert_", "shuffle", "vload",  "as_",   "read_image",
	                             "async_",   "cross",   "normal", "fast_n" };

/* Of those, what gets lost. */
static const char *const lost[] = { "shuffle", "vstore_half", "vstorea_half" };

static bool begins_with(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}

static unsigned lanes_of(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
}

/* The lanes of the vectors that a function takes by value and that are too wide, or 0. */
static unsigned wide_lanes(const struct program *p, LLVMValueRef function, uint64_t limit_bytes)
{
	LLVMTypeRef types[PARAMETERS_MAX];
	unsigned count = LLVMCountParams(function);

	if (count > PARAMETERS_MAX)
		return 0;
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	for (unsigned i = 0; i < count; i++)
		if (lanes_of(types[i]) &&
		    LLVMABISizeOfType(LLVMGetModuleDataLayout(p->module), types[i]) > limit_bytes)
			return lanes_of(types[i]);
	return 0;
}

/* Whether a function makes each of `lanes` elements of its own elements. */
static bool is_by_element(LLVMValueRef function, unsigned lanes)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function), types[PARAMETERS_MAX];
	size_t length;
	const char *name = builtin_source_name(LLVMGetValueName2(function, &length), &length);

	if (lanes_of(LLVMGetReturnType(type)) != lanes || lanes % 2 || lanes > LANES_MAX ||
	    begins_with(name, whole, sizeof(whole) / sizeof(whole[0])))
		return false;
	LLVMGetParamTypes(type, types);
	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		bool is_pointer = LLVMGetTypeKind(types[i]) == LLVMPointerTypeKind;
		unsigned here = lanes_of(is_pointer ? LLVMGetElementType(types[i]) : types[i]);

		if ((is_pointer || here) && here != lanes)
			return false;
	}
	return true;
}

/* The symbol with vectors of half the lanes: "Dv16_" becomes "Dv8_". */
static int half_symbol(const char *symbol, unsigned lanes, struct str *out, struct err *err)
{
	char whole_lanes[8], half_lanes[8];
	size_t length;
	int ret = 0;

	snprintf(whole_lanes, sizeof(whole_lanes), "Dv%u_", lanes);
	snprintf(half_lanes, sizeof(half_lanes), "Dv%u_", lanes / 2);
	for (const char *next; !ret && (next = strstr(symbol, whole_lanes));
	     symbol = next + length) {
		length = strlen(whole_lanes);
		ret = str_append(out, symbol, (size_t)(next - symbol), err);
		if (!ret)
			ret = str_append(out, half_lanes, strlen(half_lanes), err);
	}
	return ret ? ret : str_append(out, symbol, strlen(symbol), err);
}

static LLVMTypeRef half_type(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMPointerType(half_type(LLVMGetElementType(type)),
		                       LLVMGetPointerAddressSpace(type));
	return lanes_of(type) ? LLVMVectorType(LLVMGetElementType(type), lanes_of(type) / 2) : type;
}

/* The function for half of the lanes, declared when it is not yet. */
static int half_function(struct program *p, LLVMValueRef function, unsigned lanes,
                         LLVMValueRef *half, struct err *err)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function), types[PARAMETERS_MAX];
	unsigned count = LLVMCountParams(function);
	size_t length;
	struct str symbol;
	int ret;

	str_init(&symbol, 4096);
	ret = half_symbol(LLVMGetValueName2(function, &length), lanes, &symbol, err);
	if (!ret) {
		LLVMGetParamTypes(type, types);
		for (unsigned i = 0; i < count; i++)
			types[i] = half_type(types[i]);
		type = LLVMFunctionType(half_type(LLVMGetReturnType(type)), types, count, 0);
		*half = LLVMGetNamedFunction(p->module, symbol.text);
		if (!*half)
			*half = LLVMAddFunction(p->module, symbol.text, type);
		LLVMSetFunctionCallConv(*half, LLVMGetFunctionCallConv(function));
	}
	str_release(&symbol);
	return ret;
}

/* Lanes first..first + count - 1, as a mask for shufflevector. */
static LLVMValueRef mask(LLVMContextRef context, unsigned first, unsigned count)
{
	LLVMValueRef lanes[LANES_MAX];

	for (unsigned i = 0; i < count; i++)
		lanes[i] = LLVMConstInt(LLVMInt32TypeInContext(context), first + i, 0);
	return LLVMConstVector(lanes, count);
}

/* Half `which` of an argument: its lanes, where they lie, or the scalar itself. */
static LLVMValueRef half_argument(LLVMBuilderRef b, LLVMValueRef value, unsigned which)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned lanes = lanes_of(type);
	LLVMValueRef index =
		LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), which, 0);

	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
		value = LLVMBuildBitCast(b, value, half_type(type), "");
		return LLVMBuildGEP2(b, half_type(LLVMGetElementType(type)), value, &index, 1, "");
	}
	if (!lanes)
		return value;
	return LLVMBuildShuffleVector(b, value, LLVMGetUndef(type),
	                              mask(LLVMGetTypeContext(type), which * lanes / 2, lanes / 2),
	                              "");
}

static void split_call(LLVMValueRef call, LLVMValueRef half, unsigned lanes)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
	LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
	LLVMValueRef results[2], arguments[PARAMETERS_MAX], result;
	unsigned count = LLVMGetNumArgOperands(call);

	LLVMPositionBuilderBefore(b, call);
	for (unsigned which = 0; which < 2; which++) {
		for (unsigned i = 0; i < count; i++)
			arguments[i] = half_argument(b, LLVMGetOperand(call, i), which);
		results[which] =
			LLVMBuildCall2(b, LLVMGlobalGetValueType(half), half, arguments, count, "");
		LLVMSetInstructionCallConv(results[which], LLVMGetInstructionCallConv(call));
		LLVMInstructionSetDebugLoc(results[which], LLVMInstructionGetDebugLoc(call));
	}
	result = LLVMBuildShuffleVector(b, results[0], results[1], mask(context, 0, lanes), "");
	LLVMReplaceAllUsesWith(call, result);
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(b);
}

static int split_calls(struct program *p, LLVMValueRef function, unsigned lanes, struct err *err)
{
	LLVMValueRef half = NULL;
	LLVMUseRef use, next;
	int ret = half_function(p, function, lanes, &half, err);

	for (use = LLVMGetFirstUse(function); !ret && use; use = next) {
		LLVMValueRef user = LLVMGetUser(use);

		next = LLVMGetNextUse(use);
		if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
			split_call(user, half, lanes);
	}
	return ret;
}

/* "spir: WHAT at FILE:LINE", for the kernel of a call. */
static int refuse_call(struct program *p, LLVMValueRef call, const char *what, struct err *err)
{
	LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	struct place place = { 0 };
	int ret = source_place(call, &place, NULL, NULL, err);

	for (size_t k = 0; !ret && k < p->kernel_count; k++) {
		if (p->kernels[k].function != kernel || p->tables[k].refusal)
			continue;
		p->tables[k].refusal = str_format(err, "spir: %s at %s:%u", what,
		                                  place.file ? place.file : "?", place.line);
		ret = p->tables[k].refusal ? 0 : ERR_NOMEM;
	}
	free(place.file);
	return ret;
}

static int refuse_wide(struct program *p, LLVMValueRef function, uint64_t limit_bytes,
                       struct err *err)
{
	size_t length;
	const char *name = builtin_source_name(LLVMGetValueName2(function, &length), &length);
	char *what = str_format(err, "%.*s of vectors wider than %u bytes", (int)length, name,
	                        (unsigned)limit_bytes);
	int ret = what ? 0 : ERR_NOMEM;

	for (LLVMUseRef u = LLVMGetFirstUse(function); !ret && u; u = LLVMGetNextUse(u))
		if (LLVMIsACallInst(LLVMGetUser(u)))
			ret = refuse_call(p, LLVMGetUser(u), what, err);
	free(what);
	return ret;
}

/* Whether a call has a vector that the library takes for a number. */
static bool has_narrow(const struct program *p, LLVMValueRef call)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));

		if (lanes_of(type) && LLVMStoreSizeOfType(layout, type) < PRINTED_BYTES_MIN)
			return true;
	}
	return false;
}

static int refuse_narrow(struct program *p, LLVMValueRef printf, struct err *err)
{
	int ret = 0;

	for (LLVMUseRef u = LLVMGetFirstUse(printf); !ret && u; u = LLVMGetNextUse(u))
		if (LLVMIsACallInst(LLVMGetUser(u)) && has_narrow(p, LLVMGetUser(u)))
			ret = refuse_call(p, LLVMGetUser(u),
			                  "printf of a vector of less than 8 bytes", err);
	return ret;
}

int split_builtins(struct program *p, struct err *err)
{
	const char *given = p->settings->vector_bytes;
	uint64_t limit_bytes = 0;
	int ret = given ? number_parse(given, "--vector-bytes", 0, 1024, &limit_bytes, err) : 0;

	if (!limit_bytes || setting_is(p->settings->door, "text"))
		return ret;
	/* Functions of half the width come at the end of the list, and have their turn too. */
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); !ret && f;
	     f = LLVMGetNextFunction(f)) {
		unsigned lanes;
		size_t length;
		const char *name;

		if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f))
			continue;
		if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f))) {
			ret = refuse_narrow(p, f, err);
			continue;
		}
		lanes = wide_lanes(p, f, limit_bytes);
		name = builtin_source_name(LLVMGetValueName2(f, &length), &length);
		if (lanes && is_by_element(f, lanes))
			ret = split_calls(p, f, lanes, err);
		else if (lanes && begins_with(name, lost, sizeof(lost) / sizeof(lost[0])))
			ret = refuse_wide(p, f, limit_bytes, err);
	}
	return ret;
}
