/*
 * llvm_api - single calls for what takes several in LLVM's C interface. Everything that differs
 * between the supported versions of LLVM (19 and 22) belongs here.
 */
#ifndef LLVM_API_H
#define LLVM_API_H

#include "err.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <llvm/Config/llvm-config.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The type of the same pointer in address space `space`. */
static inline LLVMTypeRef llvm_pointer_in(LLVMTypeRef pointer, unsigned space)
{
	return LLVMPointerTypeInContext(LLVMGetTypeContext(pointer), space);
}

/* Whether a type is the event type. */
static inline bool llvm_is_event(LLVMTypeRef type)
{
	char *text = LLVMPrintTypeToString(type);
	bool is_event = !strcmp(text, "target(\"spirv.Event\")");

	LLVMDisposeMessage(text);
	return is_event;
}

enum llvm_effect { LLVM_TOUCHES_NOTHING, LLVM_WRITES_NOTHING, LLVM_ARGUMENTS_ONLY };

/* Two bits for each kind of memory, starting with the memory that arguments point to: 1 reads, 2
 * writes. */
static inline bool llvm_effect_is(LLVMAttributeRef attribute, enum llvm_effect effect)
{
	uint64_t bits;

	if (!attribute)
		return false;
	bits = LLVMGetEnumAttributeValue(attribute);
	if (effect == LLVM_TOUCHES_NOTHING)
		return !bits;
	return !(bits & (effect == LLVM_WRITES_NOTHING ? 0xaaaaaaaaaaaaaaaau : ~(uint64_t)3));
}

static inline unsigned llvm_memory_kind(void)
{
	return LLVMGetEnumAttributeKindForName("memory", 6);
}

/* Whether the attributes of a function, or of the call itself, promise it. */
static inline bool llvm_function_has(LLVMValueRef function, enum llvm_effect effect)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

	return llvm_effect_is(LLVMGetEnumAttributeAtIndex(function, at, llvm_memory_kind()),
	                      effect);
}

static inline bool llvm_call_has(LLVMValueRef call, enum llvm_effect effect)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

	return llvm_effect_is(LLVMGetCallSiteEnumAttribute(call, at, llvm_memory_kind()), effect);
}

/* Add the promise to a function's attributes. */
static inline void llvm_function_promise(LLVMValueRef function, enum llvm_effect effect)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
	unsigned kind = llvm_memory_kind();
	LLVMAttributeRef there = LLVMGetEnumAttributeAtIndex(function, at, kind);
	uint64_t bits = effect == LLVM_TOUCHES_NOTHING  ? 0
	                : effect == LLVM_WRITES_NOTHING ? 0x15
	                                                : 3;

	bits &= there ? LLVMGetEnumAttributeValue(there) : ~(uint64_t)0;
	LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(context, kind, bits));
}

/* Remove LLVM_ARGUMENTS_ONLY from a function. The promise that it writes nothing stays. */
static inline void llvm_function_unconfine(LLVMValueRef function)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	bool is_reader = llvm_function_has(function, LLVM_WRITES_NOTHING);

	LLVMRemoveEnumAttributeAtIndex(function, at, llvm_memory_kind());
	if (is_reader)
		llvm_function_promise(function, LLVM_WRITES_NOTHING);
}

/*
 * Describe variables by calls of llvm.dbg.declare and the like where the C interface cannot read
 * debug records. LLVM 22 has no such calls.
 */
static inline void llvm_debug_as_calls(LLVMModuleRef module)
{
#if LLVM_VERSION_MAJOR < 22
	LLVMSetIsNewDbgInfoFormat(module, 0);
#else
	(void)module;
#endif
}

/* The debug information of the variable that `at` declares to be in `storage`, or NULL. */
static inline LLVMValueRef llvm_declared_variable(LLVMValueRef at, LLVMValueRef storage)
{
#if LLVM_VERSION_MAJOR < 22
	LLVMValueRef function, value = NULL;
	size_t length;

	function = LLVMIsACallInst(at) ? LLVMIsAFunction(LLVMGetCalledValue(at)) : NULL;
	if (!function || strcmp(LLVMGetValueName2(function, &length), "llvm.dbg.declare") != 0)
		return NULL;
	if (LLVMGetMDNodeNumOperands(LLVMGetOperand(at, 0)) == 1)
		LLVMGetMDNodeOperands(LLVMGetOperand(at, 0), &value);
	return value == storage ? LLVMGetOperand(at, 1) : NULL;
#else
	for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(at); r; r = LLVMGetNextDbgRecord(r))
		if (LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare &&
		    LLVMDbgVariableRecordGetValue(r, 0) == storage)
			return LLVMMetadataAsValue(LLVMGetTypeContext(LLVMTypeOf(storage)),
			                           LLVMDbgVariableRecordGetVariable(r));
	return NULL;
#endif
}

/* The operand of a DIDerivedType that is the type it derives from. */
#define LLVM_TYPE_BASE (LLVM_VERSION_MAJOR < 22 ? 3 : 5)

/* The value of the case of a switch that leads to successor i > 0. */
static inline LLVMValueRef llvm_switch_case(LLVMValueRef jump, unsigned i)
{
#if LLVM_VERSION_MAJOR < 22
	return LLVMGetOperand(jump, 2 * i);
#else
	return LLVMGetSwitchCaseValue(jump, i);
#endif
}

/*
 * Link one of our libraries into a module; takes ownership of it in every case. Returns true on
 * failure. Both are for the same target, even though their data layouts may be written differently.
 */
static inline bool llvm_link(LLVMModuleRef module, LLVMModuleRef library)
{
	LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
	llvm_debug_as_calls(library);
	return LLVMLinkModules2(module, library);
}

/* A pass: promotes variables to registers and leaves the control flow unchanged. */
#define LLVM_SROA "sroa<preserve-cfg>"

/* Declares a file that the build embeds (embed.cmake): the array `name`, of `name`_bytes bytes. */
#define EMBEDDED(name)                                                                             \
	extern const unsigned char name[];                                                         \
	extern const size_t name##_bytes

/* Parse embedded bitcode, called `name` in the message. Returns 0 or ERR_UNSUPPORTED. */
static inline int llvm_parse_library(LLVMContextRef context, const unsigned char *bitcode,
                                     size_t bytes, const char *name, LLVMModuleRef *library,
                                     struct err *err)
{
	LLVMMemoryBufferRef buffer =
		LLVMCreateMemoryBufferWithMemoryRange((const char *)bitcode, bytes, name, 0);
	int failed = LLVMParseBitcodeInContext2(context, buffer, library);

	LLVMDisposeMemoryBuffer(buffer);
	return failed ? err_set(err, ERR_UNSUPPORTED, "the %s does not parse", name) : 0;
}

#endif
