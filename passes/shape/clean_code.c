/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "err.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "mark.h"
#include "memory_space.h"
#include "pointer_origin.h"
#include "program.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <string.h>

/*
 * Marks of generic pointers become marks of the memory that they point to.
 *
 * If the origin of the pointer shows its memory, nothing is asked at run time. Otherwise the mark
 * becomes "if (to_global(p)) mark p in global memory", and the same for local memory if that is
 * recorded. Private memory is not recorded.
 */

/*
 * How to ask whether a generic pointer points to a memory: in SPIR the answer is the pointer or
 * NULL (named as by clang); in NVPTX it is true or false. NULL: generic pointers cannot point
 * there.
 */
static const struct {
	unsigned space;
	const char *spir, *nvptx;
} questions[] = {
	{ SPACE_GLOBAL, "__to_global", "llvm.nvvm.isspacep.global" },
	{ SPACE_LOCAL, "__to_local", "llvm.nvvm.isspacep.shared" },
	{ SPACE_CONSTANT, NULL, "llvm.nvvm.isspacep.const" },
};

#define QUESTION_COUNT (sizeof(questions) / sizeof(questions[0]))

static void add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name)
{
	LLVMAddAttributeAtIndex(
		function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(context,
	                                LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

static LLVMTypeRef byte_pointer(LLVMModuleRef module, unsigned space)
{
	return LLVMPointerType(LLVMInt8TypeInContext(LLVMGetModuleContext(module)),
	                       memory_space_number(module, space));
}

static LLVMValueRef question_function(LLVMModuleRef module, size_t q)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	bool is_nvptx = memory_space_is_nvptx(module);
	const char *name = is_nvptx ? questions[q].nvptx : questions[q].spir;
	LLVMTypeRef generic = byte_pointer(module, SPACE_GENERIC);
	LLVMTypeRef result = is_nvptx ? LLVMInt1TypeInContext(context)
	                              : byte_pointer(module, questions[q].space);
	LLVMValueRef function = LLVMGetNamedFunction(module, name);

	if (function)
		return function;
	function = LLVMAddFunction(module, name, LLVMFunctionType(result, &generic, 1, 0));
	if (is_nvptx)
		return function;
	LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
	llvm_function_promise(function, LLVM_TOUCHES_NOTHING);
	add_attribute(context, function, "nounwind");
	add_attribute(context, function, "willreturn");
	return function;
}

/* Insert a mark like this one before `at`, for a pointer into one memory. */
static void put_like(const struct mark *mark, LLVMValueRef instruction, LLVMValueRef at,
                     LLVMValueRef pointer)
{
	struct mark resolved = *mark;

	LLVMInstructionSetDebugLoc(at, LLVMInstructionGetDebugLoc(instruction));
	resolved.pointer = pointer;
	mark_put(at, &resolved);
}

/* The pointer's memory is known: nothing is asked. */
static void mark_known(const struct mark *mark, LLVMValueRef instruction, unsigned space,
                       LLVMModuleRef module)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

	LLVMPositionBuilderBefore(b, instruction);
	put_like(mark, instruction, instruction,
	         memory_space_cast(b, module, mark->pointer, space));
	LLVMDisposeBuilder(b);
}

/* Ask at run time whether the pointer points into `space`. */
static void mark_asked(const struct mark *mark, LLVMValueRef instruction, size_t q,
                       LLVMModuleRef module)
{
	LLVMValueRef function = question_function(module, q), pointer = mark->pointer, answer, jump;
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	LLVMTypeRef type;

	LLVMPositionBuilderBefore(b, instruction);
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), &type);
	pointer = LLVMBuildBitCast(b, pointer, type, "");
	answer = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, &pointer, 1, "");
	LLVMSetInstructionCallConv(answer, LLVMGetFunctionCallConv(function));
	LLVMInstructionSetDebugLoc(answer, LLVMInstructionGetDebugLoc(instruction));
	pointer = memory_space_is_nvptx(module)
	                  ? memory_space_cast(b, module, pointer, questions[q].space)
	                  : answer;
	jump = node_split(instruction, LLVMBuildICmp(b, LLVMIntNE, answer,
	                                             LLVMConstNull(LLVMTypeOf(answer)), ""));
	put_like(mark, instruction, jump, pointer);
	LLVMDisposeBuilder(b);
}

static int resolve(struct program *p, struct pointer_origin *origin, LLVMValueRef instruction,
                   const struct mark *mark, struct err *err)
{
	bool is_nvptx = memory_space_is_nvptx(p->module);
	int ret = pointer_origin_find(origin, mark->pointer, err);

	for (size_t q = 0; !ret && q < QUESTION_COUNT; q++) {
		unsigned space = questions[q].space;

		if (!space_set_has(p->spaces, space) || !(is_nvptx || questions[q].spir))
			continue;
		if (!origin->is_unknown && origin->spaces == 1u << space)
			mark_known(mark, instruction, space, p->module);
		else if (origin->is_unknown || origin->spaces >> space & 1)
			mark_asked(mark, instruction, q, p->module);
	}
	if (!ret)
		LLVMInstructionEraseFromParent(instruction);
	return ret;
}

static int resolve_kernel(struct program *p, LLVMValueRef function, struct err *err)
{
	struct pointer_origin origin;
	LLVMValueRef next;
	int ret = pointer_origin_init(&origin, function, err);

	for (LLVMValueRef i = ir_first(function); !ret && i; i = next) {
		struct mark mark;

		next = ir_next(i);
		if (mark_read(i, &mark) &&
		    memory_space_of_type(p->module, LLVMTypeOf(mark.pointer)) == SPACE_GENERIC)
			ret = resolve(p, &origin, i, &mark, err);
	}
	pointer_origin_release(&origin);
	return ret;
}

/* Resolve the marks of all kernels, whose variables are in registers. Returns 0 or ERR_NOMEM. */
static int generic_marks_resolve(struct program *p, struct err *err)
{
	int ret = 0;

	for (size_t k = 0; !ret && k < p->kernel_count; k++)
		ret = resolve_kernel(p, p->kernels[k].function, err);
	return ret;
}

/*
 * Gives a loop with several `continue`s one latch: loop-simplify would make nested loops of it
 * instead, but not if there are convergent calls, which marks are.
 */
#define PASSES "function(" LLVM_SROA ",simplifycfg<keep-loops>,loop-simplify)"
#define REDUCE "function(lower-switch,fix-irreducible,loop-simplify)"

static int read_flows(struct program *p, bool *is_irreducible, struct err *err)
{
	*is_irreducible = false;
	for (size_t i = 0; i < p->kernel_count; i++) {
		struct kernel *k = &p->kernels[i];
		int ret;

		kernel_flow_release(&k->flow);
		ret = kernel_flow_init(&k->flow, k->function, err);
		if (ret)
			return ret;
		*is_irreducible |= k->flow.forest.is_irreducible;
		k->table->is_irreducible |= k->flow.forest.is_irreducible;
	}
	return 0;
}

int clean_code(struct program *p, struct err *err)
{
	bool is_irreducible = false;
	int ret = program_run_passes(p, PASSES, err);

	if (!ret)
		ret = generic_marks_resolve(p, err);
	if (!ret)
		ret = read_flows(p, &is_irreducible, err);
	if (!ret && is_irreducible) {
		ret = program_run_passes(p, REDUCE, err);
		if (!ret)
			ret = read_flows(p, &is_irreducible, err);
	}
	return ret;
}
