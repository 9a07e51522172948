/*
 * llvm_api - what LLVM's C interface takes several calls for. What differs between the versions of
 * LLVM that warpline-instrument is built with (19 and 22) belongs here.
 */
#ifndef LLVM_API_H
#define LLVM_API_H

#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The type of the same pointer in address space `space`. */
static inline LLVMTypeRef llvm_pointer_in(LLVMTypeRef pointer, unsigned space)
{
	return LLVMPointerTypeInContext(LLVMGetTypeContext(pointer), space);
}

/* Whether a type is that of events. */
static inline bool llvm_is_event(LLVMTypeRef type)
{
	char *text = LLVMPrintTypeToString(type);
	bool is_event = !strcmp(text, "target(\"spirv.Event\")");

	LLVMDisposeMessage(text);
	return is_event;
}

enum llvm_effect { LLVM_TOUCHES_NOTHING, LLVM_WRITES_NOTHING, LLVM_ARGUMENTS_ONLY };

/* Two bits for each kind of memory, what arguments point to first: 1 reads, 2 writes. */
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

/* Whether the attributes of a function, or of a call itself, promise it. */
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

/* Promise it of a function, beside what is promised already. */
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

/* Take back LLVM_ARGUMENTS_ONLY of a function; that it writes nothing stays. */
static inline void llvm_function_unconfine(LLVMValueRef function)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	bool is_reader = llvm_function_has(function, LLVM_WRITES_NOTHING);

	LLVMRemoveEnumAttributeAtIndex(function, at, llvm_memory_kind());
	if (is_reader)
		llvm_function_promise(function, LLVM_WRITES_NOTHING);
}

/*
 * Put what is known of variables into calls of llvm.dbg.declare and its like where the interface
 * cannot read the records that stand beside the code. LLVM 22 has no such calls.
 */
static inline void llvm_debug_as_calls(LLVMModuleRef module)
{
#if LLVM_VERSION_MAJOR < 22
	LLVMSetIsNewDbgInfoFormat(module, 0);
#else
	(void)module;
#endif
}

/* The debug information of a variable that is declared at `at` to lie in `storage`, or NULL. */
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

/* The value of a switch's case, which leads to successor i > 0. */
static inline LLVMValueRef llvm_switch_case(LLVMValueRef jump, unsigned i)
{
#if LLVM_VERSION_MAJOR < 22
	return LLVMGetOperand(jump, 2 * i);
#else
	return LLVMGetSwitchCaseValue(jump, i);
#endif
}

/* Link a library of ours into a module, which takes it over in every case; true: it failed. Both
 * are for one target, though clang and who made the module may word its layout differently. */
static inline bool llvm_link(LLVMModuleRef module, LLVMModuleRef library)
{
	LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
	llvm_debug_as_calls(library);
	return LLVMLinkModules2(module, library);
}

/* A pass: variables into registers, the control flow unchanged. */
#define LLVM_SROA "sroa<preserve-cfg>"

#endif
