/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_calls.h"

#include "array.h"
#include "cuda_call.h"
#include "err.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "program.h"
#include "retarget_private.h"
#include "str.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EMBEDDED(cuda_bitcode_64);

enum { ALL_MEMORIES = 3 }; /* CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE */

/* The number of the call's arguments; 0 when there are too many. */
static unsigned arguments_of(const struct cuda_call *c, LLVMValueRef *arguments)
{
	unsigned count = cuda_call_count(c);

	if (count > CUDA_CALL_ARGUMENTS_MAX)
		return 0;
	for (unsigned i = 0; i < count; i++)
		arguments[i] = cuda_call_argument(c, i);
	return count;
}

/* Whether a type matches a letter in mangled names: i j have 32 bits, l m 64; f and d are float and
 * double. */
static bool is_of_letter(LLVMTypeRef type, char letter)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	switch (letter) {
	case 'i':
	case 'j':
		return kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
	case 'l':
	case 'm':
		return kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
	case 'f':
		return kind == LLVMFloatTypeKind;
	case 'd':
		return kind == LLVMDoubleTypeKind;
	default:
		return false;
	}
}

/*
 * Whether the arguments match a mangled name whose parameters are single letters. All functions in
 * the table return the type of their first parameter.
 */
static bool takes_arguments(const char *symbol, LLVMTypeRef result, LLVMValueRef *arguments,
                            unsigned count)
{
	char *name;
	size_t length = strtoul(symbol + 2, &name, 10);

	if (!count || strlen(name) != length + count || result != LLVMTypeOf(arguments[0]))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!is_of_letter(LLVMTypeOf(arguments[i]), name[length + i]))
			return false;
	return true;
}

static int cuda_kind_builtin(struct cuda_call *c)
{
	LLVMValueRef arguments[CUDA_CALL_ARGUMENTS_MAX], value;
	unsigned count = arguments_of(c, arguments);

	if (!takes_arguments(c->target, LLVMTypeOf(c->instruction), arguments, count))
		return cuda_call_refuse(c, "is called with argument types that it does not take");
	value = cuda_call_make(c, c->target, CUDA_PURE, LLVMTypeOf(c->instruction), arguments,
	                       count);
	return cuda_call_replace(c, value);
}

static int cuda_kind_library(struct cuda_call *c)
{
	LLVMValueRef arguments[CUDA_CALL_ARGUMENTS_MAX], value;
	unsigned count = arguments_of(c, arguments);

	value = cuda_call_library(c, c->target, CUDA_PURE, LLVMTypeOf(c->instruction), arguments,
	                          count);
	return cuda_call_replace(c, value);
}

static int cuda_kind_item(struct cuda_call *c)
{
	LLVMValueRef dimension = cuda_call_number(c, 32, (uint64_t)(c->target[0] - '0')), value;

	value = cuda_call_make(c, c->target + 1, CUDA_PURE, cuda_call_int(c, 64), &dimension, 1);
	return cuda_call_replace(c, value);
}

static int cuda_kind_number(struct cuda_call *c)
{
	return cuda_call_replace(c, cuda_call_number(c, 32, strtoul(c->target, NULL, 10)));
}

static int cuda_kind_value(struct cuda_call *c)
{
	if (!cuda_call_count(c))
		return cuda_call_refuse(c, "is called with arguments that it does not take");
	return cuda_call_replace(c, cuda_call_argument(c, 0));
}

static int cuda_kind_nothing(struct cuda_call *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);

	return cuda_call_replace(c, LLVMTypeIsSized(type) ? LLVMConstNull(type) : NULL);
}

/* OpenCL has only one barrier: the one numbered 0. */
static int cuda_kind_barrier(struct cuda_call *c)
{
	LLVMValueRef number = cuda_call_count(c) ? cuda_call_argument(c, 0) : NULL, flags;
	LLVMTypeRef nothing = LLVMVoidTypeInContext(c->program->context);

	if (number && (!LLVMIsAConstantInt(number) || LLVMConstIntGetZExtValue(number)))
		return cuda_call_refuse(c, "is a barrier with a number other than 0");
	flags = cuda_call_number(c, 32, ALL_MEMORIES);
	cuda_call_make(c, "_Z7barrierj", CUDA_TOGETHER, nothing, &flags, 1);
	return cuda_call_replace(c, NULL);
}

static int cuda_kind_fence(struct cuda_call *c)
{
	cuda_call_library(c, "fence", CUDA_EFFECT, LLVMVoidTypeInContext(c->program->context), NULL,
	                  0);
	return cuda_call_replace(c, NULL);
}

static int cuda_kind_clock(struct cuda_call *c)
{
	LLVMValueRef clock = cuda_call_variable(c, CUDA_CLOCK, cuda_call_int(c, 64));

	return cuda_call_replace(
		c, cuda_call_library(c, "clock", CUDA_EFFECT, cuda_call_int(c, 64), &clock, 1));
}

static int cuda_kind_nan(struct cuda_call *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);

	if (LLVMGetTypeKind(type) != LLVMFloatTypeKind &&
	    LLVMGetTypeKind(type) != LLVMDoubleTypeKind)
		return cuda_call_refuse(c, "is called with argument types that it does not take");
	return cuda_call_replace(c, LLVMConstRealOfString(type, "nan"));
}

/* Call the function with that name (OpenCL's if mangled) on the arguments that are not pointers. */
static LLVMValueRef result(struct cuda_call *c, const char *name, LLVMTypeRef type)
{
	LLVMValueRef arguments[CUDA_CALL_ARGUMENTS_MAX];
	unsigned count = arguments_of(c, arguments), values = 0;

	while (values < count &&
	       LLVMGetTypeKind(LLVMTypeOf(arguments[values])) != LLVMPointerTypeKind)
		values++;
	if (name[0] != '_')
		return cuda_call_library(c, name, CUDA_PURE, type, arguments, values);
	return takes_arguments(name, type, arguments, values)
	               ? cuda_call_make(c, name, CUDA_PURE, type, arguments, values)
	               : NULL;
}

#define AN_INT "int:" /* prefix of a function whose result differs in type from its argument */

/* Store a result where argument `i` points. Returns 1 when that is impossible. */
static int store_result(struct cuda_call *c, const char *name, unsigned i)
{
	LLVMValueRef pointer, value;
	LLVMTypeRef type;
	unsigned space;

	if (i >= cuda_call_count(c) || !cuda_call_has_pointer(c, i))
		return 1;
	pointer = cuda_memory_is_private(cuda_call_argument(c, i))
	                  ? cuda_call_argument(c, i)
	                  : cuda_memory_pointer(c, cuda_call_argument(c, i), &space);
	type = LLVMTypeOf(cuda_call_argument(c, 0));
	if (!strncmp(name, AN_INT, strlen(AN_INT))) {
		name += strlen(AN_INT);
		type = cuda_call_int(c, 32);
	}
	value = result(c, name, type);
	if (!value)
		return 1;
	space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	LLVMBuildStore(c->b, value, cuda_call_cast(c, pointer, LLVMPointerType(type, space)));
	return 0;
}

/* The functions in the target: the first gives the result of the call, if it has one. */
static int cuda_kind_results(struct cuda_call *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);
	bool has_result = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
	unsigned pointers = has_result ? 1 : 2, first = cuda_call_count(c) - pointers;
	char names[2][64] = { "", "" };
	LLVMValueRef value = NULL;
	int failed = 0;

	if (sscanf(c->target, "%63s %63s", names[0], names[1]) != 2 ||
	    cuda_call_count(c) <= pointers)
		return cuda_call_refuse(c, "is called with arguments that it does not take");
	if (has_result)
		value = result(c, names[0], type);
	for (unsigned i = 0; i < pointers; i++)
		failed |= store_result(c, names[2 - pointers + i], first + i);
	if (!c->ret && (failed || (has_result && !value)))
		return cuda_call_refuse(c, "is called with argument types that it does not take");
	return cuda_call_replace(c, value);
}

static int cuda_kind_refused(struct cuda_call *c)
{
	return cuda_call_refuse(c, c->target);
}

#define LIMIT_CALLS (1u << 30)

struct row {
	const char *name; /* whole, or a prefix followed by '*' */
	int (*lower)(struct cuda_call *c);
	const char *target;
};

static const struct row rows[] = {
#define CUDA_CALL(name, kind, target) { name, cuda_kind_##kind, target },
#include "cuda_calls.def"
#include "libdevice_calls.def"
#undef CUDA_CALL
};

static bool matches(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return !strncmp(pattern, name, length - 1);
	return !strcmp(pattern, name);
}

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (matches(rows[i].name, name))
			return &rows[i];
	return NULL;
}

/* Overloads for float that clang's headers declare without a body: _ZL4fmaxff is __nv_fmaxf. */
static const struct row *find_overload(const char *symbol)
{
	char name[32], *begin;
	unsigned long length;

	if (strncmp(symbol, "_ZL", 3) != 0)
		return NULL;
	length = strtoul(symbol + 3, &begin, 10);
	if (length == 0 || length > 16 || strlen(begin) <= length ||
	    strspn(begin + length, "f") != strlen(begin + length))
		return NULL;
	snprintf(name, sizeof(name), "__nv_%.*sf", (int)length, begin);
	return find_row(name);
}

/* A declared function that is neither LLVM's own nor already in OpenCL form. */
static bool is_foreign(LLVMValueRef function, const char *name)
{
	return LLVMIsDeclaration(function) &&
	       LLVMGetFunctionCallConv(function) != LLVMSPIRFUNCCallConv &&
	       (!LLVMGetIntrinsicID(function) || !strncmp(name, "llvm.nvvm.", 10));
}

static int refuse_asm(struct cuda_call *c)
{
	char *why = inline_ptx_refusal(c->instruction, c->err);
	char *text = str_format(c->err, "is inline PTX that is not supported%s%s", why ? ": " : "",
	                        why ? why : "");
	int ret = text ? cuda_call_refuse(c, text) : ERR_NOMEM;

	free(text);
	free(why);
	return ret;
}

/* Inline PTX whose source is in the table; anything else is refused. */
static int lower_asm(struct cuda_call *c)
{
	struct cuda_asm a = { 0 };
	const struct row *row;
	char *name = NULL;
	int ret = cuda_asm_init(&a, LLVMGetCalledValue(c->instruction), c->err);

	if (!ret) {
		name = str_format(c->err, "asm %.300s", a.text);
		ret = name ? 0 : ERR_NOMEM;
	}
	if (!ret) {
		c->name = name;
		row = find_row(name);
		c->target = row ? row->target : "";
		ret = row ? row->lower(c) : refuse_asm(c);
	}
	free(name);
	cuda_asm_release(&a);
	return ret;
}

static int lower_call(struct cuda_call *c)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(c->instruction));
	const struct row *row;
	size_t length;

	if (LLVMIsAInlineAsm(LLVMGetCalledValue(c->instruction)))
		return lower_asm(c);
	if (!function)
		return 0;
	c->name = LLVMGetValueName2(function, &length);
	row = LLVMIsDeclaration(function) ? find_row(c->name) : NULL;
	if (!row && LLVMIsDeclaration(function))
		row = find_overload(c->name);
	if (row) {
		c->target = row->target;
		return row->lower(c);
	}
	if (is_foreign(function, c->name))
		return cuda_call_refuse(c, "is not defined");
	return 0;
}

static int lower_instruction(struct program *p, LLVMValueRef instruction, struct err *err)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	struct cuda_call c;
	int ret = 0;

	cuda_call_init(&c, p, instruction, err);
	if (opcode == LLVMCall)
		ret = lower_call(&c);
	else if (opcode == LLVMFence)
		ret = cuda_kind_fence(&c);
	else
		ret = cuda_atomic_instruction(&c);
	cuda_call_release(&c);
	return ret;
}

static bool may_be_lowered(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

	return opcode == LLVMCall || opcode == LLVMFence || opcode == LLVMAtomicRMW ||
	       opcode == LLVMAtomicCmpXchg;
}

/* Calls are listed first: one that stops the program removes the instruction after it. */
static int lower_function(struct program *p, LLVMValueRef function, struct err *err)
{
	const LLVMValueRef *at;
	struct array found;
	int ret = 0;

	array_init(&found, sizeof(LLVMValueRef), LIMIT_CALLS, "calls");
	for (LLVMValueRef i = ir_first(function); !ret && i; i = ir_next(i)) {
		LLVMValueRef *kept = may_be_lowered(i) ? array_push(&found, 1, err) : NULL;

		if (kept)
			*kept = i;
		else if (may_be_lowered(i))
			ret = err->code;
	}
	at = found.data;
	for (size_t i = 0; !ret && i < found.count; i++)
		ret = lower_instruction(p, at[i], err);
	array_release(&found);
	return ret;
}

/* Declarations without callers would be unknown to devices. */
static void erase_unused(LLVMModuleRef module)
{
	LLVMValueRef function = LLVMGetFirstFunction(module), next;

	for (; function; function = next) {
		size_t length;

		next = LLVMGetNextFunction(function);
		if (LLVMIsDeclaration(function) && !LLVMGetFirstUse(function) &&
		    find_row(LLVMGetValueName2(function, &length)))
			LLVMDeleteFunction(function);
	}
}

int lower_cuda_calls(struct program *p, struct err *err)
{
	int ret = 0;

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); !ret && f;
	     f = LLVMGetNextFunction(f))
		ret = lower_function(p, f, err);
	if (!ret)
		erase_unused(p->module);
	return ret;
}

static bool is_ours(LLVMValueRef function)
{
	size_t length;

	return !strncmp(LLVMGetValueName2(function, &length), CUDA_LIBRARY_PREFIX,
	                strlen(CUDA_LIBRARY_PREFIX));
}

static bool is_needed(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && is_ours(f) && LLVMGetFirstUse(f))
			return true;
	return false;
}

static int parse(struct program *p, LLVMModuleRef *library, struct err *err)
{
	const char *triple = LLVMGetTarget(p->module);

	if (strncmp(triple, "spir64-", 7) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir64", triple);
	return llvm_parse_library(p->context, cuda_bitcode_64, cuda_bitcode_64_bytes,
	                          "CUDA library", library, err);
}

/* Not in the library, despite the name: lower_syncs() replaces them (sync_kind.h). */
static bool is_sync(const char *name)
{
	return !strcmp(name, "warpline_cuda_sync") || !strcmp(name, "warpline_cuda_group_sync");
}

/* Everything that the program calls must exist. */
static int check_names(struct program *p, LLVMModuleRef library, struct err *err)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		if (is_ours(f) && LLVMGetFirstUse(f) && !is_sync(name) &&
		    !LLVMGetNamedFunction(library, name))
			return err_set(err, ERR_UNSUPPORTED,
			               "%s: the program calls %s, which is not defined",
			               p->settings->source, name);
	}
	return 0;
}

/* Everything that the program declares must match the library. */
static int check_types(struct program *p, LLVMModuleRef library, struct err *err)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);
		LLVMValueRef there = LLVMGetNamedFunction(p->module, name);

		if (!there || LLVMIsDeclaration(f))
			continue;
		if (!LLVMIsDeclaration(there) ||
		    LLVMGlobalGetValueType(there) != LLVMGlobalGetValueType(f))
			return err_set(err, ERR_UNSUPPORTED,
			               "%s: the program has a function %s with other types",
			               p->settings->source, name);
	}
	return 0;
}

int cuda_library_link(struct program *p, struct err *err)
{
	LLVMModuleRef library = NULL;
	int ret;

	if (!is_needed(p->module))
		return 0;
	ret = parse(p, &library, err);
	if (!ret)
		ret = check_names(p, library, err);
	if (!ret)
		ret = check_types(p, library, err);
	if (ret) {
		if (library)
			LLVMDisposeModule(library);
		return ret;
	}
	if (llvm_link(p->module, library))
		return err_set(err, ERR_UNSUPPORTED, "the CUDA library cannot be linked");
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (is_ours(f) && !LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	return 0;
}
