/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "builtin.h"
#include "err.h"
#include "ir_walk.h"
#include "kernel_table.h"
#include "llvm_api.h"
#include "mangle.h"
#include "mark.h"
#include "memory_space.h"
#include "program.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* wait_group_events(int, event_t *), with the events in private memory */
#define WAIT_PRIVATE "_Z17wait_group_eventsiP9ocl_event"

/* Replace `call` by one of `replacement` if its events are cast from `type`. */
static void wait_for_private(LLVMValueRef call, LLVMValueRef replacement, LLVMTypeRef type)
{
	LLVMValueRef arguments[] = { LLVMGetOperand(call, 0), LLVMGetOperand(call, 1) };
	LLVMValueRef cast = arguments[1], better;
	LLVMBuilderRef b;

	if (!LLVMIsAAddrSpaceCastInst(cast))
		return;
	arguments[1] = LLVMGetOperand(cast, 0);
	if (LLVMTypeOf(arguments[1]) != type)
		return;
	b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
	LLVMPositionBuilderBefore(b, call);
	better = LLVMBuildCall2(b, LLVMGlobalGetValueType(replacement), replacement, arguments, 2,
	                        "");
	LLVMSetInstructionCallConv(better, LLVMGetFunctionCallConv(replacement));
	LLVMInstructionSetDebugLoc(better, LLVMInstructionGetDebugLoc(call));
	LLVMInstructionEraseFromParent(call);
	if (!LLVMGetFirstUse(cast))
		LLVMInstructionEraseFromParent(cast);
	LLVMDisposeBuilder(b);
}

/*
 * clang declares wait_group_events() with a generic pointer to the events, which the libraries of
 * OpenCL 1.2 lack and which crashes some devices. Call it with the private pointer that was cast.
 */
static void replace_calls(struct program *p, LLVMValueRef function)
{
	LLVMTypeRef types[2], type;
	LLVMValueRef replacement;
	LLVMUseRef use, next;

	if (LLVMCountParams(function) != 2)
		return;
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	if (LLVMGetTypeKind(types[1]) != LLVMPointerTypeKind ||
	    LLVMGetPointerAddressSpace(types[1]) != 4)
		return;
	types[1] = llvm_pointer_in(types[1], 0);
	type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), types, 2, 0);
	replacement = LLVMGetNamedFunction(p->module, WAIT_PRIVATE);
	if (!replacement)
		replacement = LLVMAddFunction(p->module, WAIT_PRIVATE, type);
	LLVMSetFunctionCallConv(replacement, LLVMSPIRFUNCCallConv);
	for (use = LLVMGetFirstUse(function); use; use = next) {
		next = LLVMGetNextUse(use);
		wait_for_private(LLVMGetUser(use), replacement, types[1]);
	}
}

int make_events_private(struct program *p, struct err *err)
{
	LLVMValueRef f, next;

	(void)err;
	for (f = LLVMGetFirstFunction(p->module); f; f = next) {
		size_t length;

		next = LLVMGetNextFunction(f);
		if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) &&
		    builtin_find(LLVMGetValueName2(f, &length)).class == BUILTIN_WAIT)
			replace_calls(p, f);
	}
	return 0;
}

EMBEDDED(compat_bitcode_32);
EMBEDDED(compat_bitcode_64);

struct marking {
	LLVMModuleRef module;
	uint32_t spaces; /* recorded memories (memory_space.h) */
	bool has_copies; /* functions of compat.cl are called */
};

/* Whether accesses through a value, pointer or not, are recorded. */
static bool marking_takes(const struct marking *m, LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);

	return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
	       space_set_has(m->spaces, memory_space_of(m->module, pointer));
}

/* The number as i64. */
static LLVMValueRef marking_number(const struct marking *m, uint64_t value)
{
	return LLVMConstInt(LLVMInt64TypeInContext(LLVMGetModuleContext(m->module)), value, 0);
}

/* A mark shows the memory by its type, which may differ from the pointer's own. */
static LLVMValueRef in_its_memory(const struct marking *m, LLVMValueRef access,
                                  LLVMValueRef pointer)
{
	unsigned space = memory_space_of(m->module, pointer);
	LLVMBuilderRef b;

	if (space == memory_space_of_type(m->module, LLVMTypeOf(pointer)))
		return pointer;
	b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m->module));
	LLVMPositionBuilderBefore(b, access);
	pointer = memory_space_cast(b, m->module, pointer, space);
	LLVMDisposeBuilder(b);
	return pointer;
}

/* Insert a mark before `access` if its memory is recorded: for `bytes` bytes; for a value of
 * `type`. */
static void marking_put(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                        LLVMValueRef pointer, LLVMValueRef bytes)
{
	struct mark mark = { .kind = kind, .bytes = bytes };

	if (!marking_takes(m, pointer))
		return;
	mark.pointer = in_its_memory(m, access, pointer);
	mark_put(access, &mark);
}

static void marking_put_typed(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                              LLVMValueRef pointer, LLVMTypeRef type)
{
	uint64_t bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(m->module), type);

	marking_put(m, access, kind, pointer, marking_number(m, bytes));
}

/*
 * The element that pointer argument `index` of a built-in function points to: from the mangled
 * name, else (atomics of the CUDA library, intrinsics) the result's type; a byte if there is none.
 */
static struct mangle_parameter pointee_of(const struct marking *m, LLVMValueRef call,
                                          unsigned index)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	struct mangle_parameter p;
	size_t length;

	if (mangle_pointee(LLVMGetValueName2(LLVMGetCalledValue(call), &length), index, &p))
		return p;
	p.lanes = 1;
	p.element_bytes = 1;
	if (LLVMTypeIsSized(type))
		p.element_bytes =
			(unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(m->module), type);
	return p;
}

/* The distance between elements: three lanes take the room of four. */
static uint64_t stride_of(const struct marking *m, LLVMValueRef call, unsigned index)
{
	struct mangle_parameter p = pointee_of(m, call, index);

	return p.element_bytes * (p.lanes == 3 ? 4 : p.lanes);
}

/* Insert a mark before `access` for what pointer argument `index` of the call points to. */
static void marking_put_pointee(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                                LLVMValueRef call, unsigned index)
{
	LLVMValueRef pointer = LLVMGetOperand(call, index);
	struct mangle_parameter p;

	if (!marking_takes(m, pointer))
		return;
	p = pointee_of(m, call, index);
	marking_put(m, access, kind, pointer, marking_number(m, p.element_bytes * p.lanes));
}

static bool is_zero(LLVMValueRef value)
{
	return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
}

static void mark_intrinsic(const struct marking *m, LLVMValueRef call, const char *name)
{
	bool is_copy = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13);
	LLVMValueRef length;

	if (!is_copy && strncmp(name, "llvm.memset.", 12) != 0)
		return;
	length = LLVMGetOperand(call, 2);
	if (is_zero(length))
		return;
	if (is_copy)
		marking_put(m, call, SITE_READ, LLVMGetOperand(call, 1), length);
	marking_put(m, call, SITE_WRITE, LLVMGetOperand(call, 0), length);
}

static int marking_builtin(struct marking *m, LLVMValueRef call, const char *symbol,
                           struct err *err);

static int mark_call(struct marking *m, LLVMValueRef call, struct err *err)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
	const char *name;
	size_t length;

	if (!function)
		return 0;
	name = LLVMGetValueName2(function, &length);
	if (LLVMGetIntrinsicID(function) && strncmp(name, "llvm.nvvm.", 10) != 0)
		mark_intrinsic(m, call, name);
	else if (LLVMIsDeclaration(function))
		return marking_builtin(m, call, name, err);
	return 0;
}

static int mark_instruction(void *marking, LLVMValueRef i, struct err *err)
{
	struct marking *m = marking;
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

	if (opcode == LLVMLoad)
		marking_put_typed(m, i, SITE_READ, LLVMGetOperand(i, 0), LLVMTypeOf(i));
	else if (opcode == LLVMStore)
		marking_put_typed(m, i, SITE_WRITE, LLVMGetOperand(i, 1),
		                  LLVMTypeOf(LLVMGetOperand(i, 0)));
	else if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
		marking_put_typed(m, i, SITE_ATOMIC, LLVMGetOperand(i, 0),
		                  LLVMTypeOf(LLVMGetOperand(i, 1)));
	else if (opcode == LLVMCall)
		return mark_call(m, i, err);
	return 0;
}

int mark_accesses(struct program *p, struct err *err)
{
	struct marking m = { .module = p->module, .spaces = p->spaces };
	int ret = 0;

	for (size_t k = 0; !ret && k < p->kernel_count; k++)
		ret = ir_walk(p->kernels[k].function, mark_instruction, &m, err);
	if (!ret && m.has_copies)
		ret = program_run_passes(p, "always-inline,globaldce", err);
	return ret;
}

/* The functions of compat.cl in a module. Their bitcode is embedded in this program. */

static int parse(LLVMModuleRef module, LLVMModuleRef *library, struct err *err)
{
	const char *triple = LLVMGetTarget(module);
	bool is_wide = !strncmp(triple, "spir64-", 7);

	if (!is_wide && strncmp(triple, "spir-", 5) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir or spir64", triple);
	return llvm_parse_library(LLVMGetModuleContext(module),
	                          is_wide ? compat_bitcode_64 : compat_bitcode_32,
	                          is_wide ? compat_bitcode_64_bytes : compat_bitcode_32_bytes,
	                          "compat library", library, err);
}

/* The names that the library defines must be free, or be used by functions of no other module. */
static int link_library(LLVMModuleRef module, LLVMModuleRef library, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(library), there;

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		there = LLVMIsDeclaration(f) ? NULL : LLVMGetNamedFunction(module, name);
		if (there && LLVMGetLinkage(f) != LLVMInternalLinkage) {
			int ret = err_set(err, ERR_UNSUPPORTED,
			                  "the program has a function %s; names that begin with "
			                  "'warpline_' are reserved",
			                  name);

			LLVMDisposeModule(library);
			return ret;
		}
	}
	if (llvm_link(module, library))
		return err_set(err, ERR_UNSUPPORTED, "the compat library cannot be linked");
	return 0;
}

/*
 * Get the function with this name in compat.cl. The first call links all of them, private to the
 * module and always inlined. Returns 0; ERR_UNSUPPORTED when the module is neither spir nor spir64,
 * has a function of the same name, or linking fails.
 */
static int compat_function(LLVMModuleRef module, const char *name, LLVMValueRef *function,
                           struct err *err)
{
	LLVMModuleRef library = NULL;
	int ret;

	*function = LLVMGetNamedFunction(module, name);
	if (*function && LLVMGetLinkage(*function) == LLVMInternalLinkage)
		return 0;
	ret = parse(module, &library, err);
	if (!ret)
		ret = link_library(module, library, err);
	if (ret)
		return ret;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		size_t length;

		if (!LLVMIsDeclaration(f) &&
		    !strncmp(LLVMGetValueName2(f, &length), "warpline_", strlen("warpline_")))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	}
	*function = LLVMGetNamedFunction(module, name);
	if (!*function)
		return err_set(err, ERR_UNSUPPORTED, "the compat library has no %s", name);
	return 0;
}

static LLVMBuilderRef builder_before(LLVMValueRef instruction)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));

	LLVMPositionBuilderBefore(b, instruction);
	return b;
}

/* The element that vloadN and vstoreN move: the value's, or a half that is stored as another type
 * in registers. */
static LLVMTypeRef element_of(LLVMValueRef call, const struct builtin *b, unsigned pointer_index)
{
	LLVMTypeRef type = LLVMTypeOf(b->class == BUILTIN_LOAD ? call : LLVMGetOperand(call, 0));
	struct mangle_parameter p;
	size_t length;

	if (mangle_pointee(LLVMGetValueName2(LLVMGetCalledValue(call), &length), pointer_index,
	                   &p) &&
	    strstr(p.text, "half"))
		return LLVMHalfTypeInContext(LLVMGetTypeContext(type));
	return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

/* vloadN and vstoreN: `lanes` elements starting at pointer[offset * stride]. */
static void mark_vector(const struct marking *m, LLVMValueRef call, const struct builtin *b,
                        unsigned pointer_index)
{
	LLVMValueRef pointer = LLVMGetOperand(call, pointer_index);
	LLVMValueRef offset = LLVMGetOperand(call, pointer_index - 1);
	LLVMTypeRef element;
	LLVMBuilderRef builder;

	if (!marking_takes(m, pointer))
		return;
	element = element_of(call, b, pointer_index);
	builder = builder_before(call);
	offset = LLVMBuildMul(builder, offset, LLVMConstInt(LLVMTypeOf(offset), b->stride, 0), "");
	pointer = LLVMBuildGEP2(builder, element, pointer, &offset, 1, "");
	LLVMDisposeBuilder(builder);
	marking_put_typed(m, call, b->class == BUILTIN_LOAD ? SITE_READ : SITE_WRITE, pointer,
	                  LLVMArrayType(element, b->lanes));
}

/* A barrier or fence that orders memory according to `flags`. */
static void mark_sync(const struct marking *m, LLVMValueRef call, enum site_kind kind,
                      LLVMValueRef flags)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(m->module));
	unsigned global = memory_space_number(m->module, SPACE_GLOBAL);

	marking_put(m, call, kind, LLVMConstNull(LLVMPointerType(byte, global)), flags);
}

/* Flags that are not constant count as both memories; so do intrinsics, which have none. */
static LLVMValueRef flags_of(const struct marking *m, LLVMValueRef call)
{
	LLVMValueRef flags = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;

	if (LLVMGetIntrinsicID(LLVMGetCalledValue(call)))
		flags = NULL;
	return flags && LLVMIsAConstantInt(flags) ? flags : marking_number(m, 3);
}

/* A prefetch: `count` elements starting at the pointer. */
static void mark_prefetch(const struct marking *m, LLVMValueRef call)
{
	LLVMValueRef pointer = LLVMGetOperand(call, 0), bytes = LLVMGetOperand(call, 1);
	LLVMBuilderRef b;
	uint64_t element;

	if (!marking_takes(m, pointer))
		return;
	element = stride_of(m, call, 0);
	b = builder_before(call);
	bytes = LLVMBuildIntCast2(b, bytes, LLVMTypeOf(marking_number(m, 0)), 0, "");
	bytes = LLVMBuildMul(b, bytes, marking_number(m, element), "");
	LLVMDisposeBuilder(b);
	if (!LLVMIsNull(bytes))
		marking_put(m, call, SITE_PREFETCH, pointer, bytes);
}

/* One side of a work-group copy, argument `index`: calls the loop in compat.cl. `stride` is in
 * elements. */
static int mark_side(struct marking *m, LLVMValueRef call, enum site_kind kind, unsigned index,
                     LLVMValueRef stride, struct err *err)
{
	LLVMValueRef pointer = LLVMGetOperand(call, index);
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	uint64_t element = stride_of(m, call, index);
	LLVMTypeRef types[5], type = LLVMTypeOf(LLVMGetOperand(call, 2));
	LLVMValueRef function, arguments[5], loop;
	LLVMBuilderRef b;
	char name[32];
	int ret;

	if (!marking_takes(m, pointer) || (space != SPACE_GLOBAL && space != SPACE_LOCAL))
		return 0;
	mark_declare(m->module, SPACE_GLOBAL);
	mark_declare(m->module, SPACE_LOCAL);
	snprintf(name, sizeof(name), "warpline_copied_%u", space);
	ret = compat_function(m->module, name, &function, err);
	if (ret)
		return ret;
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	b = builder_before(call);
	arguments[0] = LLVMConstInt(types[0], kind, 0);
	arguments[1] = LLVMBuildBitCast(b, pointer, types[1], "");
	arguments[2] = LLVMGetOperand(call, 2);
	arguments[3] = LLVMConstInt(type, element, 0);
	if (stride)
		arguments[3] = LLVMBuildMul(b, stride, arguments[3], "");
	arguments[4] = marking_number(m, element);
	loop = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, 5, "");
	LLVMSetInstructionCallConv(loop, LLVMSPIRFUNCCallConv);
	LLVMInstructionSetDebugLoc(loop, LLVMInstructionGetDebugLoc(call));
	LLVMDisposeBuilder(b);
	m->has_copies = true;
	return 0;
}

/*
 * async_work_group_copy(to, from, count, event) and ..._strided_copy(to, from, count, stride, ...)
 */
static int mark_copy(struct marking *m, LLVMValueRef call, struct err *err)
{
	LLVMValueRef to = LLVMGetOperand(call, 0);
	LLVMValueRef stride = LLVMGetNumArgOperands(call) == 5 ? LLVMGetOperand(call, 3) : NULL;
	bool is_store = LLVMGetPointerAddressSpace(LLVMTypeOf(to)) == SPACE_GLOBAL;
	int ret = mark_side(m, call, SITE_READ, 1, is_store ? NULL : stride, err);

	return ret ? ret : mark_side(m, call, SITE_WRITE, 0, is_store ? stride : NULL, err);
}

static bool is_variable(LLVMValueRef pointer)
{
	while (LLVMIsACastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAAllocaInst(pointer);
}

/* The expected value is read, and written if the comparison failed. */
static void mark_expected(const struct marking *m, LLVMValueRef call)
{
	LLVMValueRef expected = LLVMGetOperand(call, 1), next = LLVMGetNextInstruction(call);
	LLVMValueRef failed, jump;
	LLVMBuilderRef b;

	if (!marking_takes(m, expected) || is_variable(expected))
		return;
	marking_put_pointee(m, call, SITE_READ, call, 1);
	b = builder_before(next);
	failed = LLVMBuildICmp(b, LLVMIntEQ, call, LLVMConstNull(LLVMTypeOf(call)), "");
	LLVMDisposeBuilder(b);
	jump = node_split(next, failed);
	LLVMInstructionSetDebugLoc(jump, LLVMInstructionGetDebugLoc(call));
	marking_put_pointee(m, jump, SITE_WRITE, call, 1);
}

static void mark_atomic(const struct marking *m, LLVMValueRef call, enum builtin_class class)
{
	unsigned count = LLVMGetNumArgOperands(call);

	if (count >= 1)
		marking_put_pointee(m, call, class == BUILTIN_INIT ? SITE_WRITE : SITE_ATOMIC, call,
		                    0);
	if (class == BUILTIN_ATOMIC_COMPARE && count >= 3)
		mark_expected(m, call);
}

/* Insert the marks of a call of a declared function, by the table of built-in functions.
 * ERR_UNSUPPORTED. */
static int marking_builtin(struct marking *m, LLVMValueRef call, const char *symbol,
                           struct err *err)
{
	struct builtin b = builtin_find(symbol);
	unsigned count = LLVMGetNumArgOperands(call);

	switch (b.class) {
	case BUILTIN_ATOMIC:
	case BUILTIN_ATOMIC_COMPARE:
	case BUILTIN_INIT:
		mark_atomic(m, call, b.class);
		break;
	case BUILTIN_LOAD:
		if (count == 2)
			mark_vector(m, call, &b, 1);
		break;
	case BUILTIN_STORE:
		if (count == 3)
			mark_vector(m, call, &b, 2);
		break;
	case BUILTIN_RESULT:
		for (unsigned i = 0; i < count; i++)
			marking_put_pointee(m, call, SITE_WRITE, call, i);
		break;
	case BUILTIN_READ:
		if (count >= 1)
			marking_put_typed(m, call, SITE_READ, LLVMGetOperand(call, 0),
			                  LLVMTypeOf(call));
		break;
	case BUILTIN_COPY:
		return count >= 4 ? mark_copy(m, call, err) : 0;
	case BUILTIN_PREFETCH:
		if (count == 2)
			mark_prefetch(m, call);
		break;
	case BUILTIN_BARRIER:
		mark_sync(m, call, SITE_BARRIER, flags_of(m, call));
		break;
	case BUILTIN_BARRIER_FULL:
		mark_sync(m, call, SITE_BARRIER, marking_number(m, 3));
		break;
	case BUILTIN_COLLECTIVE:
		mark_sync(m, call, SITE_BARRIER, marking_number(m, 0));
		break;
	case BUILTIN_FENCE:
		mark_sync(m, call, SITE_FENCE, flags_of(m, call));
		break;
	case BUILTIN_NONE:
	case BUILTIN_WAIT:
	case BUILTIN_NOTHING:
	case BUILTIN_PASSED:
	case BUILTIN_EFFECT:
		break;
	}
	return 0;
}
