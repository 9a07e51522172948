/* SPDX-License-Identifier: Apache-2.0 */
#include "sync_library.h"

#include "cuda_sync_bitcode.h"
#include "err.h"
#include "site.h"
#include "str.h"
#include "sync_kind.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include <stddef.h>
#include <string.h>

#define PREFIX           "warpline_sync_"
#define BARRIER          "_Z7barrierj"
#define MEMORIES         3 /* CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE */
#define ALIGNMENT        8
#define LIMIT_NAME_BYTES (1u << 20)
#define ITEM_ARGUMENTS   4
#define MORE_MOST        8

static const struct {
	const char *name;
	size_t offset; /* of its field in struct sync_library */
} rows[] = {
#define SYNC_FUNCTION(name) { PREFIX #name, offsetof(struct sync_library, name) },
#include "sync_functions.def"
#undef SYNC_FUNCTION
};

static int parse(LLVMModuleRef module, LLVMModuleRef *library, struct err *err)
{
	const char *triple = LLVMGetTarget(module);
	LLVMMemoryBufferRef buffer;
	int failed;

	if (strncmp(triple, "spir64-", 7) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir64", triple);
	buffer = LLVMCreateMemoryBufferWithMemoryRange((const char *)cuda_sync_bitcode,
	                                               cuda_sync_bitcode_bytes, "cuda_sync", 0);
	failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer, library);
	LLVMDisposeMemoryBuffer(buffer);
	return failed ? err_set(err, ERR_UNSUPPORTED, "the sync library does not parse") : 0;
}

static LLVMValueRef declare_barrier(LLVMModuleRef module)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), &u32, 1, 0);
	LLVMValueRef barrier = LLVMGetNamedFunction(module, BARRIER);
	unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));

	if (barrier)
		return barrier;
	barrier = LLVMAddFunction(module, BARRIER, type);
	LLVMSetFunctionCallConv(barrier, LLVMSPIRFUNCCallConv);
	LLVMAddAttributeAtIndex(barrier, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(c, convergent, 0));
	return barrier;
}

int sync_library_link(struct sync_library *l, LLVMModuleRef module, struct err *err)
{
	LLVMModuleRef library = NULL;
	LLVMTypeRef types[ITEM_ARGUMENTS];
	int ret;

	if (LLVMGetNamedFunction(module, rows[0].name))
		return err_set(err, ERR_UNSUPPORTED,
		               "the program has a function %s; names that begin with 'warpline_' "
		               "are taken",
		               rows[0].name);
	ret = parse(module, &library, err);
	if (ret)
		return ret;
	/* The linker takes the library over in every case. */
	if (LLVMLinkModules2(module, library))
		return err_set(err, ERR_UNSUPPORTED, "the sync library cannot be linked");
	*l = (struct sync_library){ .module = module };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(module, rows[i].name);

		LLVMSetLinkage(f, LLVMInternalLinkage);
		*(LLVMValueRef *)(void *)((char *)l + rows[i].offset) = f;
	}
	LLVMGetParamTypes(LLVMGlobalGetValueType(l->begin), types);
	l->shared = LLVMGetElementType(types[0]);
	l->barrier = declare_barrier(module);
	return 0;
}

/* What is shared by calls of these kinds: the group's part of it, or all. */
static LLVMTypeRef shared_type(const struct sync_library *l, LLVMValueRef kinds)
{
	const uint64_t of_warps = ((uint64_t)1 << SYNC_GROUP_COUNT) - 1;

	return LLVMConstIntGetZExtValue(kinds) & of_warps ? l->shared
	                                                  : LLVMStructGetTypeAtIndex(l->shared, 0);
}

LLVMValueRef sync_library_shared(const struct sync_library *l, LLVMValueRef kernel,
                                 LLVMValueRef kinds, struct err *err)
{
	LLVMTypeRef type = shared_type(l, kinds);
	LLVMValueRef variable = NULL;
	struct str name;
	size_t length;

	str_init(&name, LIMIT_NAME_BYTES);
	if (!str_printf(&name, err, "%s.warpline_sync", LLVMGetValueName2(kernel, &length)))
		variable = LLVMAddGlobalInAddressSpace(l->module, type, name.text, SPACE_LOCAL);
	str_release(&name);
	if (!variable)
		return NULL;
	LLVMSetLinkage(variable, LLVMInternalLinkage);
	LLVMSetInitializer(variable, LLVMGetUndef(type));
	LLVMSetAlignment(variable, ALIGNMENT);
	return LLVMConstBitCast(variable, LLVMPointerType(l->shared, SPACE_LOCAL));
}

LLVMValueRef sync_library_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments,
                               unsigned count)
{
	LLVMValueRef call =
		LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, count, "");

	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
	return call;
}

LLVMValueRef sync_library_call_item(LLVMBuilderRef b, LLVMValueRef function,
                                    const struct sync_item *item, const LLVMValueRef *more,
                                    unsigned count)
{
	LLVMValueRef arguments[ITEM_ARGUMENTS + MORE_MOST] = { item->shared, item->number,
		                                               item->place, item->kinds };

	for (unsigned i = 0; i < count; i++)
		arguments[ITEM_ARGUMENTS + i] = more[i];
	return sync_library_call(b, function, arguments, ITEM_ARGUMENTS + count);
}

void sync_library_barrier(const struct sync_library *l, LLVMBuilderRef b)
{
	LLVMTypeRef u32 = LLVMInt32TypeInContext(LLVMGetModuleContext(l->module));
	LLVMValueRef memories = LLVMConstInt(u32, MEMORIES, 0);

	sync_library_call(b, l->barrier, &memories, 1);
}
