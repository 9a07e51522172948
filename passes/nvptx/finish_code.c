/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "cuda_calls.h"
#include "define_operations.h"
#include "err.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "program.h"
#include "retarget.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

EMBEDDED(ptx_bitcode);

/*
 * For PTX output, the libdevice functions that CUDA device code calls: our own, of one or a few
 * instructions (ptx_functions.c), then those of a libdevice file.
 */

#define LIBDEVICE "__nv_"
#define APPROX    "warpline_approx_"

static bool begins(LLVMValueRef function, const char *prefix)
{
	size_t length;

	return !strncmp(LLVMGetValueName2(function, &length), prefix, strlen(prefix));
}

static bool is_missing(LLVMValueRef function)
{
	return LLVMIsDeclaration(function) && begins(function, LIBDEVICE) &&
	       LLVMGetFirstUse(function);
}

static bool lacks_any(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (is_missing(f))
			return true;
	return false;
}

/* Rename the library's limited-precision instructions to the functions that they replace. */
static void name_approximations(LLVMModuleRef library)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
		char name[64];
		size_t length;

		if (!begins(f, APPROX))
			continue;
		snprintf(name, sizeof(name), LIBDEVICE "%s",
		         LLVMGetValueName2(f, &length) + strlen(APPROX));
		LLVMSetValueName2(f, name, strlen(name));
	}
}

static bool is_from_ptx(const struct program *p)
{
	const char *end = strrchr(p->settings->source, '.');

	return end && !strcmp(end, ".ptx");
}

static int parse_own(struct program *p, LLVMModuleRef *library, struct err *err)
{
	int ret = llvm_parse_library(p->context, ptx_bitcode, ptx_bitcode_bytes, "PTX library",
	                             library, err);

	if (!ret && is_from_ptx(p))
		name_approximations(*library);
	return ret;
}

static int parse_file(struct program *p, LLVMModuleRef *library, struct err *err)
{
	const char *path = p->settings->libdevice;
	LLVMMemoryBufferRef buffer;
	char *message = NULL;
	int ret = 0;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
		ret = err_set(err, ERR_IO, "--libdevice: %s: %s", path, message);
	/* The parser takes ownership of the buffer. */
	else if (LLVMParseIRInContext(p->context, buffer, library, &message))
		ret = err_set(err, ERR_FORMAT, "--libdevice: %s: LLVM cannot read it: %.*s", path,
		              message ? (int)strcspn(message, "\n") : 0, message ? message : "");
	LLVMDisposeMessage(message);
	return ret;
}

/* What the program declares must match the library. */
static int check_types(struct program *p, LLVMModuleRef library, struct err *err)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);
		LLVMValueRef there = LLVMGetNamedFunction(p->module, name);

		if (LLVMIsDeclaration(f) || !there)
			continue;
		if (LLVMGlobalGetValueType(there) != LLVMGlobalGetValueType(f))
			return err_set(err, ERR_UNSUPPORTED,
			               "%s: the program has a function %s of other types",
			               p->settings->source, name);
		/* defined by the program, or by the previous library */
		if (!LLVMIsDeclaration(there))
			LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
	}
	return 0;
}

/* Make each function of the library private. */
static void keep_private(LLVMModuleRef library)
{
	LLVMContextRef context = LLVMGetModuleContext(library);
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	unsigned inlined = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
	unsigned apart = LLVMGetEnumAttributeKindForName("noinline", 8);

	for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		LLVMRemoveEnumAttributeAtIndex(f, at, apart);
		LLVMAddAttributeAtIndex(f, at, LLVMCreateEnumAttribute(context, inlined, 0));
	}
}

static void make_internal(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && (begins(f, LIBDEVICE) || begins(f, APPROX)))
			LLVMSetLinkage(f, LLVMInternalLinkage);
}

static int link_one(struct program *p,
                    int (*parse)(struct program *, LLVMModuleRef *, struct err *), struct err *err)
{
	LLVMModuleRef library = NULL;
	int ret = parse(p, &library, err);

	if (!ret)
		ret = check_types(p, library, err);
	if (ret) {
		if (library)
			LLVMDisposeModule(library);
		return ret;
	}
	keep_private(library);
	/* The linker takes ownership of the library in every case. */
	if (LLVMLinkModules2(p->module, library))
		return err_set(err, ERR_UNSUPPORTED, "libdevice's functions cannot be linked");
	make_internal(p->module);
	return 0;
}

/*
 * Link what the program declares and a library has, private to the program and to be inlined; does
 * nothing for other outputs. The names that the PTX reader uses for limited-precision instructions
 * (__nv_sinf for sin.approx) mean those only in a program that was read from PTX. Returns 0;
 * ERR_UNSUPPORTED when a function has other types; ERR_IO, ERR_FORMAT for --libdevice.
 */
static int ptx_library_link(struct program *p, struct err *err)
{
	int ret = 0;

	if (!setting_is(p->settings->door, "ptx"))
		return 0;
	if (lacks_any(p->module))
		ret = link_one(p, parse_own, err);
	if (!ret && p->settings->libdevice && lacks_any(p->module))
		ret = link_one(p, parse_file, err);
	return ret;
}

#define PASSES      "always-inline,function(" LLVM_SROA ",simplifycfg),globaldce"
#define KEEPS_FLOWS "always-inline,function(sroa),globaldce"

/*
 * Inserted calls have no source position, but in a function with positions every call needs one:
 * they get its line 0.
 */
static void place_calls(LLVMContextRef c, LLVMValueRef function)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(function), nowhere;

	if (!scope)
		return;
	nowhere = LLVMDIBuilderCreateDebugLocation(c, 0, 0, scope, NULL);
	for (LLVMValueRef i = ir_first(function); i; i = ir_next(i))
		if (LLVMIsACallInst(i) && !LLVMInstructionGetDebugLoc(i))
			LLVMInstructionSetDebugLoc(i, nowhere);
}

/* Remove optimiser hints that the inliner leaves, and that some devices take for functions. */
static void drop_notes(LLVMModuleRef module)
{
	static const char name[] = "llvm.experimental.noalias.scope.decl";
	LLVMValueRef function = LLVMGetNamedFunction(module, name);
	LLVMUseRef use;

	if (!function)
		return;
	while ((use = LLVMGetFirstUse(function)))
		LLVMInstructionEraseFromParent(LLVMGetUser(use));
	LLVMDeleteFunction(function);
}

/* Move a call of a built-in function to the start of its kernel. */
static void raise_call(LLVMBuilderRef b, LLVMValueRef call)
{
	LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));

	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	if (at == call)
		return;
	LLVMInstructionRemoveFromParent(call);
	LLVMPositionBuilderBefore(b, at);
	LLVMInsertIntoBuilder(b, call);
}

/*
 * Read at the start of kernels what all work-items of a group share. When it is read in a loop
 * between barriers, POCL 3.1 may leave it without a value: the kernel's library then lacks a
 * symbol, and the program aborts.
 */
static void raise_ids(LLVMModuleRef module)
{
	static const char *const names[] = { "_Z12get_group_idj", "_Z14get_num_groupsj",
		                             "_Z14get_local_sizej", "_Z15get_global_sizej",
		                             "_Z17get_global_offsetj" };
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
		LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;

		for (; use; use = LLVMGetNextUse(use)) {
			LLVMValueRef call = LLVMGetUser(use);

			if (LLVMIsACallInst(call) && LLVMIsAConstant(LLVMGetOperand(call, 0)))
				raise_call(b, call);
		}
	}
	LLVMDisposeBuilder(b);
}

/* Only OpenCL C output needs source positions, for its refusals. */
static void finish_places(struct program *p)
{
	if (setting_is(p->settings->door, "ptx")) {
		LLVMStripModuleDebugInfo(p->module);
		return;
	}
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		place_calls(p->context, f);
}

int finish_code(struct program *p, struct err *err)
{
	char *message = NULL;
	int ret = cuda_library_link(p, err);

	if (!ret)
		ret = ptx_library_link(p, err);

	finish_places(p);
	if (program_is_cuda(p) || retarget_is_needed(p->module)) {
		define_values(p->module);
		define_overflow(p->module);
	}
	if (!ret)
		ret = program_run_passes(p, p->keeps_flows ? KEEPS_FLOWS : PASSES, err);
	if (!ret)
		drop_notes(p->module);
	if (!ret && program_is_cuda(p))
		raise_ids(p->module);
	if (!ret && LLVMVerifyModule(p->module, LLVMReturnStatusAction, &message))
		ret = err_set(err, ERR_UNSUPPORTED, "%s: the instrumented code is not valid: %.*s",
		              p->settings->source, (int)strcspn(message, "\n"), message);
	LLVMDisposeMessage(message);
	return ret;
}
