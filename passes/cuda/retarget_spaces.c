/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_private.h"

#include "cuda_call.h"
#include "err.h"
#include "ir_walk.h"
#include "kernel_table.h"
#include "llvm_api.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PASSES  "function(infer-address-spaces)"
#define MACHINE "sm_75"
/* Metadata of accesses that were volatile, which the pass skips. */
#define NOTE "warpline.volatile"

static unsigned note_kind(LLVMValueRef i)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));

	return LLVMGetMDKindIDInContext(context, NOTE, sizeof(NOTE) - 1);
}

static int take_volatile(void *context, LLVMValueRef i, struct err *err)
{
	(void)err;
	if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i)) {
		LLVMSetVolatile(i, 0);
		LLVMSetMetadata(i, note_kind(i), LLVMMDNodeInContext(context, NULL, 0));
	}
	return 0;
}

static int give_volatile(void *context, LLVMValueRef i, struct err *err)
{
	(void)context;
	(void)err;
	if (LLVMHasMetadata(i) && LLVMGetMetadata(i, note_kind(i))) {
		LLVMSetVolatile(i, 1);
		LLVMSetMetadata(i, note_kind(i), NULL);
	}
	return 0;
}

/*
 * Keep pointers to variables generic, as the rest of retarget expects: LLVM 22's pass would move
 * them to NVPTX's local memory. It sees the result of a call instead of the variable.
 */
static int hide_variable(void *context, LLVMValueRef i, struct err *err)
{
	LLVMValueRef function = context, call, operand;
	LLVMBuilderRef b;

	(void)err;
	if (!LLVMIsAAllocaInst(i) || LLVMTypeOf(i) != LLVMTypeOf(LLVMGetParam(function, 0)))
		return 0;
	b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
	LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
	operand = LLVMGetUndef(LLVMTypeOf(i));
	call = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, &operand, 1, "");
	LLVMDisposeBuilder(b);
	LLVMReplaceAllUsesWith(i, call);
	LLVMSetOperand(call, 0, i);
	return 0;
}

/* Undo hide_variable() for all variables. */
static void show_variables(LLVMValueRef function)
{
	LLVMUseRef use;

	while ((use = LLVMGetFirstUse(function))) {
		LLVMValueRef call = LLVMGetUser(use);

		LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
		LLVMInstructionEraseFromParent(call);
	}
	LLVMDeleteFunction(function);
}

/* Declare the function whose calls stand for variables; it is never defined. */
static LLVMValueRef declare_hider(struct program *p)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(p->context, NVPTX_GENERIC);

	return LLVMAddFunction(p->module, "warpline.variable",
	                       LLVMFunctionType(pointer, &pointer, 1, 0));
}

static LLVMTargetMachineRef create_machine(struct err *err)
{
	LLVMTargetMachineRef machine;
	LLVMTargetRef target;
	char *message = NULL;

	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	if (LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, &message)) {
		err_set(err, ERR_UNSUPPORTED, "LLVM without NVPTX: %s", message);
		LLVMDisposeMessage(message);
		return NULL;
	}
	machine = LLVMCreateTargetMachine(target, "nvptx64-nvidia-cuda", MACHINE, "",
	                                  LLVMCodeGenLevelNone, LLVMRelocDefault,
	                                  LLVMCodeModelDefault);
	if (!machine)
		err_set(err, ERR_UNSUPPORTED, "LLVM without NVPTX");
	return machine;
}

static int run(struct program *p, LLVMTargetMachineRef machine, struct err *err)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(p->module, PASSES, machine, options);
	int ret = 0;

	if (error) {
		char *message = LLVMGetErrorMessage(error);

		ret = err_set(err, ERR_UNSUPPORTED, "LLVM passes '" PASSES "': %s", message);
		LLVMDisposeErrorMessage(message);
	}
	LLVMDisposePassBuilderOptions(options);
	return ret;
}

int infer_spaces(struct program *p, struct err *err)
{
	LLVMTargetMachineRef machine = create_machine(err);
	LLVMValueRef hider;
	int ret;

	if (!machine)
		return ERR_UNSUPPORTED;
	hider = declare_hider(p);
	ret = retarget_each_kernel(p->module, take_volatile, p->context, err);
	if (!ret)
		ret = retarget_each_kernel(p->module, hide_variable, hider, err);
	if (!ret)
		ret = run(p, machine, err);
	show_variables(hider);
	if (!ret)
		ret = retarget_each_kernel(p->module, give_volatile, NULL, err);
	LLVMDisposeTargetMachine(machine);
	return ret;
}

/*
 * Which memory a generic pointer of device code points into, from its origins.
 *
 * Looks through address arithmetic, casts, phis and selects. Loads and calls are unknown; they have
 * been given a cast (below).
 */

#define WEB_LIMIT_COUNT 512

struct web {
	LLVMValueRef seen[WEB_LIMIT_COUNT];
	size_t count;
	unsigned spaces; /* as bits */
	bool is_unknown;
};

static void look_at(struct web *w, LLVMValueRef value)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->seen[i] == value)
			return;
	if (w->count == WEB_LIMIT_COUNT)
		w->is_unknown = true;
	else
		w->seen[w->count++] = value;
}

static bool is_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
	if (LLVMIsAInstruction(value))
		return LLVMGetInstructionOpcode(value) == opcode;
	return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == opcode;
}

static void look_through(struct web *w, LLVMValueRef value)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(value));

	if (space != SPACE_PRIVATE)
		w->spaces |= space < 32 ? 1u << space : 0;
	else if (LLVMIsAAllocaInst(value))
		w->spaces |= 1u << SPACE_PRIVATE;
	else if (LLVMIsAConstantPointerNull(value) || LLVMIsUndef(value))
		return;
	else if (is_opcode(value, LLVMGetElementPtr) || is_opcode(value, LLVMBitCast) ||
	         is_opcode(value, LLVMAddrSpaceCast) || is_opcode(value, LLVMFreeze))
		look_at(w, LLVMGetOperand(value, 0));
	else if (is_opcode(value, LLVMPHI) || is_opcode(value, LLVMSelect))
		for (unsigned i = is_opcode(value, LLVMSelect);
		     i < (unsigned)LLVMGetNumOperands(value); i++)
			look_at(w, LLVMGetOperand(value, i));
	else
		w->is_unknown = true;
}

/* All memories that it may point into, as bits; 0 when one is unknown, or it is only null. */
static unsigned pointer_bases_set(LLVMValueRef pointer)
{
	struct web w = { .count = 0 };

	look_at(&w, pointer);
	for (size_t i = 0; i < w.count && !w.is_unknown; i++)
		look_through(&w, w.seen[i]);
	return w.is_unknown ? 0 : w.spaces;
}

/*
 * The single memory (kernel_table.h) that the pointer points into, by any path; a null pointer fits
 * any. False when there are several, none or unknown ones, or too many paths.
 */
static bool pointer_bases_space(LLVMValueRef pointer, unsigned *space)
{
	unsigned spaces = pointer_bases_set(pointer);

	if (!spaces || (spaces & (spaces - 1)))
		return false;
	for (*space = 0; !(spaces >> *space & 1);)
		++*space;
	return true;
}

#define SHARED_STORED "a pointer to shared memory is stored in memory"

/*
 * Generic pointers come from arguments and variables, whose memory is known and which appear as a
 * cast from it; from loads, numbers and calls, which get a cast from global memory here; and from
 * the kernel's own variables, which are private. LLVM's infer-address-spaces then propagates the
 * memory to every use. Pointers are stored in memory as global ones.
 */
static LLVMTypeRef in_space(LLVMTypeRef type, unsigned space)
{
	return llvm_pointer_in(type, space);
}

static bool is_generic(LLVMTypeRef type)
{
	return retarget_is_pointer(type, NVPTX_GENERIC);
}

static LLVMBuilderRef builder_before(LLVMValueRef instruction)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));

	LLVMPositionBuilderBefore(b, instruction);
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(instruction));
	return b;
}

static void replace(LLVMValueRef old, LLVMValueRef value)
{
	LLVMReplaceAllUsesWith(old, value);
	LLVMInstructionEraseFromParent(old);
}

/* The same load, of a pointer to global memory. */
static void load_global(LLVMValueRef load)
{
	LLVMBuilderRef b = builder_before(load);
	LLVMTypeRef type = in_space(LLVMTypeOf(load), SPACE_GLOBAL);
	LLVMValueRef pointer = LLVMGetOperand(load, 0), there, value;
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

	there = LLVMBuildBitCast(b, pointer, LLVMPointerType(type, space), "");
	value = LLVMBuildLoad2(b, type, there, "");
	LLVMSetAlignment(value, LLVMGetAlignment(load));
	LLVMSetVolatile(value, LLVMGetVolatile(load));
	LLVMSetOrdering(value, LLVMGetOrdering(load));
	replace(load, LLVMBuildAddrSpaceCast(b, value, LLVMTypeOf(load), ""));
	LLVMDisposeBuilder(b);
}

static void store_global(LLVMValueRef store)
{
	LLVMBuilderRef b = builder_before(store);
	LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1), there;
	LLVMTypeRef type = in_space(LLVMTypeOf(value), SPACE_GLOBAL);
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

	value = LLVMIsNull(value) ? LLVMConstNull(type)
	                          : LLVMBuildAddrSpaceCast(b, value, type, "");
	pointer = LLVMBuildBitCast(b, pointer, LLVMPointerType(type, space), "");
	there = LLVMBuildStore(b, value, pointer);
	LLVMSetAlignment(there, LLVMGetAlignment(store));
	LLVMSetVolatile(there, LLVMGetVolatile(store));
	LLVMSetOrdering(there, LLVMGetOrdering(store));
	LLVMInstructionEraseFromParent(store);
	LLVMDisposeBuilder(b);
}

/* A number that was a pointer is that pointer; any other is an address in global memory. */
static void point_at_number(LLVMValueRef cast)
{
	LLVMBuilderRef b = builder_before(cast);
	LLVMValueRef number = LLVMGetOperand(cast, 0), value;
	LLVMTypeRef type = LLVMTypeOf(cast);

	if (LLVMIsAPtrToIntInst(number) && is_generic(LLVMTypeOf(LLVMGetOperand(number, 0)))) {
		replace(cast, LLVMBuildBitCast(b, LLVMGetOperand(number, 0), type, ""));
	} else {
		value = LLVMBuildIntToPtr(b, number, in_space(type, SPACE_GLOBAL), "");
		replace(cast, LLVMBuildAddrSpaceCast(b, value, type, ""));
	}
	LLVMDisposeBuilder(b);
}

/* Cast to global memory and back: the first cast says what the pointer is, the second restores its
 * type. */
static LLVMValueRef round_trip(LLVMBuilderRef b, LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);

	pointer = LLVMBuildAddrSpaceCast(b, pointer, in_space(type, SPACE_GLOBAL), "");
	return LLVMBuildAddrSpaceCast(b, pointer, type, "");
}

static bool is_memory_intrinsic(LLVMValueRef call)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
	size_t length;
	const char *name = function ? LLVMGetValueName2(function, &length) : "";

	return !strncmp(name, "llvm.mem", 8) || !strncmp(name, "llvm.dbg.", 9) ||
	       !strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.assume", 11);
}

/* Arguments of a call get a cast to generic that shows their memory (see round_trip()). */
static void show_operands(LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);
	LLVMBuilderRef b;

	if (is_memory_intrinsic(call))
		return;
	b = builder_before(call);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(call, i);

		if (LLVMIsAInstruction(operand) && is_generic(LLVMTypeOf(operand)) &&
		    !retarget_variable(operand))
			LLVMSetOperand(call, i, round_trip(b, operand));
	}
	LLVMDisposeBuilder(b);
}

/* An unknown pointer that is the result of any other instruction. */
static void cast_result(LLVMValueRef instruction)
{
	LLVMValueRef next = LLVMGetNextInstruction(instruction), first, back;
	LLVMBuilderRef b = builder_before(next);
	LLVMTypeRef type = LLVMTypeOf(instruction);

	first = LLVMBuildAddrSpaceCast(b, instruction, in_space(type, SPACE_GLOBAL), "");
	back = LLVMBuildAddrSpaceCast(b, first, type, "");
	LLVMReplaceAllUsesWith(instruction, back);
	LLVMSetOperand(first, 0, instruction);
	LLVMDisposeBuilder(b);
}

static int find_sources(void *context, LLVMValueRef i, struct err *err)
{
	bool is_pointer = is_generic(LLVMTypeOf(i));

	(void)context;
	(void)err;
	if (LLVMIsACallInst(i))
		show_operands(i);
	if (LLVMIsAStoreInst(i) && is_generic(LLVMTypeOf(LLVMGetOperand(i, 0))))
		store_global(i);
	else if (is_pointer && LLVMIsALoadInst(i))
		load_global(i);
	else if (is_pointer && LLVMIsAIntToPtrInst(i))
		point_at_number(i);
	else if (is_pointer && (LLVMIsACallInst(i) || LLVMIsAExtractValueInst(i) ||
	                        LLVMIsAExtractElementInst(i) || LLVMIsAAtomicRMWInst(i)))
		cast_result(i);
	return 0;
}

/* A null pointer in a phi or select belongs to the memory of the others. */
static int settle_nulls(void *context, LLVMValueRef i, struct err *err)
{
	unsigned first = LLVMIsASelectInst(i) ? 1 : 0, count, space;
	LLVMTypeRef type = LLVMTypeOf(i);

	(void)context;
	(void)err;
	if ((!LLVMIsAPHINode(i) && !LLVMIsASelectInst(i)) || !is_generic(type) ||
	    !pointer_bases_space(i, &space) || space == SPACE_PRIVATE)
		return 0;
	count = (unsigned)LLVMGetNumOperands(i);
	for (unsigned n = first; n < count; n++) {
		LLVMValueRef operand = LLVMGetOperand(i, n);

		if (LLVMIsAConstantPointerNull(operand) || LLVMIsUndef(operand))
			LLVMSetOperand(
				i, n,
				LLVMConstAddrSpaceCast(LLVMConstNull(in_space(type, space)), type));
	}
	return 0;
}

static void place_builder(LLVMBuilderRef b, LLVMValueRef i, unsigned operand)
{
	if (LLVMIsAPHINode(i))
		LLVMPositionBuilderBefore(
			b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, operand)));
	else
		LLVMPositionBuilderBefore(b, i);
}

/* Where global and constant memory meet, treat both as global. */
static int join_constants(void *context, LLVMValueRef i, struct err *err)
{
	unsigned first = LLVMIsASelectInst(i) ? 1 : 0, count, space;
	LLVMBuilderRef b;

	(void)err;
	if ((!LLVMIsAPHINode(i) && !LLVMIsASelectInst(i)) || !is_generic(LLVMTypeOf(i)) ||
	    pointer_bases_set(i) != (1u << SPACE_GLOBAL | 1u << SPACE_CONSTANT))
		return 0;
	count = (unsigned)LLVMGetNumOperands(i);
	b = LLVMCreateBuilderInContext(context);
	for (unsigned n = first; n < count; n++) {
		LLVMValueRef operand = LLVMGetOperand(i, n);

		if (!pointer_bases_space(operand, &space) || space != SPACE_CONSTANT)
			continue;
		place_builder(b, i, n);
		LLVMSetOperand(i, n, round_trip(b, operand));
	}
	LLVMDisposeBuilder(b);
	return 0;
}

/* Remove a cast to a memory and back when the pointer turned out to be in another one. */
static bool drop_round_trip(LLVMValueRef i)
{
	LLVMValueRef first;

	if (!LLVMIsAAddrSpaceCastInst(i) || !is_generic(LLVMTypeOf(i)))
		return false;
	first = LLVMGetOperand(i, 0);
	if (!LLVMIsAAddrSpaceCastInst(first) || !is_generic(LLVMTypeOf(LLVMGetOperand(first, 0))) ||
	    LLVMTypeOf(LLVMGetOperand(first, 0)) != LLVMTypeOf(i))
		return false;
	replace(i, LLVMGetOperand(first, 0));
	return true;
}

/* Constant memory, cast to global through generic: cast directly. */
static bool shorten_cast(LLVMValueRef i)
{
	LLVMValueRef first;
	LLVMBuilderRef b;

	if (!LLVMIsAAddrSpaceCastInst(i) || !retarget_is_pointer(LLVMTypeOf(i), SPACE_GLOBAL))
		return false;
	first = LLVMGetOperand(i, 0);
	if (!LLVMIsAAddrSpaceCastInst(first) ||
	    !retarget_is_pointer(LLVMTypeOf(LLVMGetOperand(first, 0)), SPACE_CONSTANT))
		return false;
	b = builder_before(i);
	replace(i, LLVMBuildAddrSpaceCast(b, LLVMGetOperand(first, 0), LLVMTypeOf(i), ""));
	LLVMDisposeBuilder(b);
	return true;
}

/* The number of a generic pointer is that of the pointer that it was cast from. */
static bool shorten_number(LLVMValueRef i)
{
	LLVMValueRef cast = LLVMIsAPtrToIntInst(i) ? LLVMGetOperand(i, 0) : NULL;

	if (!cast || !LLVMIsAAddrSpaceCastInst(cast) || !is_generic(LLVMTypeOf(cast)))
		return false;
	LLVMSetOperand(i, 0, LLVMGetOperand(cast, 0));
	return true;
}

static bool is_pure(LLVMValueRef i)
{
	return LLVMIsACastInst(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsAInsertValueInst(i) ||
	       LLVMIsAPHINode(i) || LLVMIsASelectInst(i);
}

static int tidy(void *context, LLVMValueRef i, struct err *err)
{
	bool *is_changed = context;

	(void)err;
	ir_settle_nulls(i);
	if (drop_round_trip(i) || shorten_cast(i) || shorten_number(i)) {
		*is_changed = true;
	} else if (is_pure(i) && !LLVMGetFirstUse(i)) {
		LLVMInstructionEraseFromParent(i);
		*is_changed = true;
	}
	return 0;
}

/* The memory that a pointer is known to be in, from a cast. */
static bool is_shared(LLVMValueRef pointer)
{
	unsigned space;

	return pointer_bases_space(pointer, &space) && space == SPACE_LOCAL;
}

static int check_stored(struct program *p, LLVMValueRef cast, struct err *err)
{
	LLVMValueRef pointer = LLVMGetOperand(cast, 0);
	unsigned space;

	if (is_shared(pointer))
		return cuda_refuse(p, cast, err, SHARED_STORED);
	if (pointer_bases_space(pointer, &space) && space == SPACE_PRIVATE)
		return cuda_refuse(p, cast, err,
		                   "a pointer to a variable of the kernel is stored "
		                   "in memory");
	return cuda_refuse(p, cast, err,
	                   "a pointer that may point into several memories is stored");
}

static LLVMValueRef accessed(LLVMValueRef i)
{
	if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
		return LLVMGetOperand(i, 0);
	return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

/* Whether a stored constant is the address of a shared variable. */
static bool is_shared_constant(LLVMValueRef i)
{
	LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;

	while (value && LLVMIsAConstantExpr(value))
		value = LLVMGetOperand(value, 0);
	return value && LLVMIsAGlobalVariable(value) &&
	       retarget_is_pointer(LLVMTypeOf(value), SPACE_LOCAL);
}

static int check(void *context, LLVMValueRef i, struct err *err)
{
	struct program *p = context;
	LLVMValueRef pointer = accessed(i);
	unsigned space;

	if (LLVMIsAAddrSpaceCastInst(i) && is_generic(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
	    retarget_is_pointer(LLVMTypeOf(i), SPACE_GLOBAL))
		return check_stored(p, i, err);
	if (is_shared_constant(i))
		return cuda_refuse(p, i, err, SHARED_STORED);
	if (!pointer || !is_generic(LLVMTypeOf(pointer)))
		return 0;
	if (pointer_bases_space(pointer, &space) && space == SPACE_PRIVATE)
		return 0;
	return cuda_refuse(p, i, err, "a pointer that may point into several memories");
}

int retarget_spaces(struct program *p, struct err *err)
{
	bool is_changed = true;
	int ret = retarget_each_kernel(p->module, find_sources, NULL, err);

	if (!ret)
		ret = retarget_each_kernel(p->module, join_constants, p->context, err);
	if (!ret)
		ret = retarget_each_kernel(p->module, settle_nulls, NULL, err);
	if (!ret)
		ret = infer_spaces(p, err);
	while (!ret && is_changed) {
		is_changed = false;
		ret = retarget_each_kernel(p->module, tidy, &is_changed, err);
	}
	return ret ? ret : retarget_each_kernel(p->module, check, p, err);
}
