/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "mark.h"
#include "marking.h"
#include "memory_space.h"
#include "program.h"
#include "space_set.h"

#include <llvm-c/Target.h>

#include <string.h>

bool marking_takes(const struct marking *m, LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);

	return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
	       space_set_has(m->spaces, memory_space_of(m->module, pointer));
}

LLVMValueRef marking_number(const struct marking *m, uint64_t value)
{
	return LLVMConstInt(LLVMInt64TypeInContext(LLVMGetModuleContext(m->module)), value, 0);
}

/* A mark tells the memory by its type, which need not be the pointer's own. */
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

void marking_put(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                 LLVMValueRef pointer, LLVMValueRef bytes)
{
	struct mark mark = { .kind = kind, .bytes = bytes };

	if (!marking_takes(m, pointer))
		return;
	mark.pointer = in_its_memory(m, access, pointer);
	mark_put(access, &mark);
}

void marking_put_typed(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                       LLVMValueRef pointer, LLVMTypeRef type)
{
	uint64_t bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(m->module), type);

	marking_put(m, access, kind, pointer, marking_number(m, bytes));
}

void marking_put_pointee(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                         LLVMValueRef pointer)
{
	if (marking_takes(m, pointer))
		marking_put_typed(m, access, kind, pointer,
		                  LLVMGetElementType(LLVMTypeOf(pointer)));
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

static int mark_instruction(struct marking *m, LLVMValueRef i, struct err *err)
{
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

/* The next instruction is taken first: marking may cut the node in two behind the instruction. */
static int mark_kernel(struct marking *m, LLVMValueRef function, struct err *err)
{
	LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(function);
	int ret = 0;

	for (; !ret && node; node = LLVMGetNextBasicBlock(node)) {
		LLVMValueRef i = LLVMGetFirstInstruction(node), next;

		for (; !ret && i; i = next) {
			next = LLVMGetNextInstruction(i);
			ret = mark_instruction(m, i, err);
		}
	}
	return ret;
}

int mark_accesses(struct program *p, struct err *err)
{
	struct marking m = { .module = p->module, .spaces = p->spaces };
	int ret = 0;

	for (size_t k = 0; !ret && k < p->kernel_count; k++)
		ret = mark_kernel(&m, p->kernels[k].function, err);
	if (!ret && m.has_copies)
		ret = program_run_passes(p, "always-inline,globaldce", err);
	return ret;
}
