/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_library.h"

#include "err.h"
#include "program.h"
#include "ptx_bitcode.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

/* Functions of the library that are instructions of limited precision: under their names. */
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
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
		(const char *)ptx_bitcode, ptx_bitcode_bytes, "ptx_library", 0);
	int failed = LLVMParseBitcodeInContext2(p->context, buffer, library);

	LLVMDisposeMemoryBuffer(buffer);
	if (failed)
		return err_set(err, ERR_UNSUPPORTED, "the library of the PTX door does not parse");
	if (is_from_ptx(p))
		name_approximations(*library);
	return 0;
}

static int parse_file(struct program *p, LLVMModuleRef *library, struct err *err)
{
	const char *path = p->settings->libdevice;
	LLVMMemoryBufferRef buffer;
	char *message = NULL;
	int ret = 0;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
		ret = err_set(err, ERR_IO, "--libdevice: %s: %s", path, message);
	/* The buffer belongs to the parser from here on. */
	else if (LLVMParseIRInContext(p->context, buffer, library, &message))
		ret = err_set(err, ERR_FORMAT, "--libdevice: %s: LLVM 14 cannot read it: %.*s",
		              path, message ? (int)strcspn(message, "\n") : 0,
		              message ? message : "");
	LLVMDisposeMessage(message);
	return ret;
}

/* What the program declares must be what the library has. */
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
		/* One of the program's own, or of the library before. */
		if (!LLVMIsDeclaration(there))
			LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
	}
	return 0;
}

/* Each of its functions becomes one of ours. */
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
	/* The linker takes the library over in every case. */
	if (LLVMLinkModules2(p->module, library))
		return err_set(err, ERR_UNSUPPORTED, "libdevice's functions cannot be linked");
	make_internal(p->module);
	return 0;
}

int ptx_library_link(struct program *p, struct err *err)
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
