/*
 * llvm_api - what differs between the versions of LLVM that warpline-instrument is built with: 14,
 * whose pointers say what they point to, and 19 or 22, whose pointers do not. The only file of
 * passes/ that asks for the version.
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
#if LLVM_VERSION_MAJOR < 17
	return LLVMPointerType(LLVMGetElementType(pointer), space);
#else
	return LLVMPointerTypeInContext(LLVMGetTypeContext(pointer), space);
#endif
}

/* The same, but to bytes unless it points to a number of 8 to 64 bits. */
static inline LLVMTypeRef llvm_number_pointer_in(LLVMTypeRef pointer, unsigned space)
{
#if LLVM_VERSION_MAJOR < 17
	LLVMTypeRef to = LLVMGetElementType(pointer);
	LLVMTypeKind kind = LLVMGetTypeKind(to);

	if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind &&
	    (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(to) < 8 ||
	     LLVMGetIntTypeWidth(to) > 64))
		to = LLVMInt8TypeInContext(LLVMGetTypeContext(pointer));
	return LLVMPointerType(to, space);
#else
	return llvm_pointer_in(pointer, space);
#endif
}

/* Whether a type is an image, a sampler, an event, a pipe: nothing that has an address. */
static inline bool llvm_is_opencl_object(LLVMTypeRef type)
{
#if LLVM_VERSION_MAJOR < 17
	const char *name = NULL;

	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
	    LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMStructTypeKind)
		name = LLVMGetStructName(LLVMGetElementType(type));
	return name && !strncmp(name, "opencl.", 7);
#else
	return LLVMGetTypeKind(type) == LLVMTargetExtTypeKind;
#endif
}

/* Whether a type is one for events that no pointer stands for. */
static inline bool llvm_is_event(LLVMTypeRef type)
{
#if LLVM_VERSION_MAJOR < 17
	(void)type;
	return false;
#else
	char *text = LLVMPrintTypeToString(type);
	bool is_event = !strcmp(text, "target(\"spirv.Event\")");

	LLVMDisposeMessage(text);
	return is_event;
#endif
}

enum llvm_effect { LLVM_TOUCHES_NOTHING, LLVM_WRITES_NOTHING, LLVM_ARGUMENTS_ONLY };

#if LLVM_VERSION_MAJOR < 17
static inline unsigned llvm_effect_kind(enum llvm_effect effect)
{
	static const char *const names[] = { "readnone", "readonly", "argmemonly" };

	return LLVMGetEnumAttributeKindForName(names[effect], strlen(names[effect]));
}
#else
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
#endif

/* Whether the attributes of a function, or of a call itself, promise it. */
static inline bool llvm_function_has(LLVMValueRef function, enum llvm_effect effect)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
#if LLVM_VERSION_MAJOR < 17
	return LLVMGetEnumAttributeAtIndex(function, at, llvm_effect_kind(effect)) != NULL;
#else
	return llvm_effect_is(LLVMGetEnumAttributeAtIndex(function, at, llvm_memory_kind()),
	                      effect);
#endif
}

static inline bool llvm_call_has(LLVMValueRef call, enum llvm_effect effect)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
#if LLVM_VERSION_MAJOR < 17
	return LLVMGetCallSiteEnumAttribute(call, at, llvm_effect_kind(effect)) != NULL;
#else
	return llvm_effect_is(LLVMGetCallSiteEnumAttribute(call, at, llvm_memory_kind()), effect);
#endif
}

/* Promise it of a function, beside what is promised already. */
static inline void llvm_function_promise(LLVMValueRef function, enum llvm_effect effect)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
#if LLVM_VERSION_MAJOR < 17
	unsigned kind = llvm_effect_kind(effect);
	uint64_t bits = 0;
#else
	unsigned kind = llvm_memory_kind();
	LLVMAttributeRef there = LLVMGetEnumAttributeAtIndex(function, at, kind);
	uint64_t bits = effect == LLVM_TOUCHES_NOTHING ? 0
	                : effect == LLVM_WRITES_NOTHING ? 0x15
	                                                : 3;

	bits &= there ? LLVMGetEnumAttributeValue(there) : ~(uint64_t)0;
#endif

	LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(context, kind, bits));
}

/* Take back LLVM_ARGUMENTS_ONLY of a function; that it writes nothing stays. */
static inline void llvm_function_unconfine(LLVMValueRef function)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
#if LLVM_VERSION_MAJOR < 17
	LLVMRemoveEnumAttributeAtIndex(function, at, llvm_effect_kind(LLVM_ARGUMENTS_ONLY));
#else
	bool is_reader = llvm_function_has(function, LLVM_WRITES_NOTHING);

	LLVMRemoveEnumAttributeAtIndex(function, at, llvm_memory_kind());
	if (is_reader)
		llvm_function_promise(function, LLVM_WRITES_NOTHING);
#endif
}

/* Tell of variables by calls of llvm.dbg.declare and its like, not by records beside the code. */
static inline void llvm_debug_as_calls(LLVMModuleRef module)
{
#if LLVM_VERSION_MAJOR < 17
	(void)module;
#else
	LLVMSetIsNewDbgInfoFormat(module, 0);
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

/* Passes: variables into registers, the control flow as it is; branches instead of switches. */
#if LLVM_VERSION_MAJOR < 17
#define LLVM_SROA         "sroa"
#define LLVM_LOWER_SWITCH "lowerswitch"
#else
#define LLVM_SROA         "sroa<preserve-cfg>"
#define LLVM_LOWER_SWITCH "lower-switch"
#endif

/* Element `index` of a constant structure, array or vector; NULL if it has no such. */
static inline LLVMValueRef llvm_constant_element(LLVMValueRef constant, unsigned index)
{
#if LLVM_VERSION_MAJOR < 17
	if (LLVMIsAConstantDataSequential(constant))
		return LLVMGetElementAsConstant(constant, index);
	return LLVMIsAConstantExpr(constant) ? NULL : LLVMGetOperand(constant, index);
#else
	return LLVMGetAggregateElement(constant, index);
#endif
}

#endif
