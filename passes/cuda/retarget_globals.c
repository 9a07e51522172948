/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_private.h"

#include "cuda_call.h"
#include "err.h"
#include "llvm_api.h"
#include "str.h"

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * Replaces variables in a kernel, including in constants that are built from their addresses, which
 * become instructions.
 */

struct expansion {
	const struct retarget_global *list;
	size_t count;
	LLVMBuilderRef builder;
	struct err *err;
	int ret;
};

static const struct retarget_global *find(const struct expansion *x, LLVMValueRef value)
{
	for (size_t i = 0; i < x->count; i++)
		if (x->list[i].variable == value)
			return &x->list[i];
	return NULL;
}

/* Whether a constant is built from one of the variables. */
static bool mentions(const struct expansion *x, LLVMValueRef value)
{
	int count;

	if (!LLVMIsAConstant(value) || LLVMIsAFunction(value))
		return false;
	if (LLVMIsAGlobalVariable(value))
		return find(x, value) != NULL;
	count = LLVMGetNumOperands(value);
	for (int i = 0; i < count; i++)
		if (mentions(x, LLVMGetOperand(value, (unsigned)i)))
			return true;
	return false;
}

static LLVMValueRef fail(struct expansion *x, LLVMValueRef constant)
{
	x->ret = err_set(x->err, ERR_UNSUPPORTED,
	                 "an address of a variable is part of a constant of an unknown kind");
	return LLVMGetUndef(LLVMTypeOf(constant));
}

static LLVMTypeRef moved(LLVMTypeRef type, LLVMValueRef operand)
{
	return llvm_pointer_in(type, LLVMGetPointerAddressSpace(LLVMTypeOf(operand)));
}

/* Cast to a pointer of the given type; returns the same pointer if it is in that memory. */
static LLVMValueRef cast(struct expansion *x, LLVMValueRef value, LLVMTypeRef type)
{
	if (LLVMTypeOf(value) == type)
		return value;
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == LLVMGetPointerAddressSpace(type))
		return LLVMBuildBitCast(x->builder, value, type, "");
	value = LLVMBuildBitCast(x->builder, value, moved(type, value), "");
	return LLVMBuildAddrSpaceCast(x->builder, value, type, "");
}

static LLVMValueRef expand(struct expansion *x, LLVMValueRef value);

static LLVMValueRef expand_gep(struct expansion *x, LLVMValueRef constant, LLVMValueRef base)
{
	LLVMTypeRef element = LLVMGetGEPSourceElementType(constant);
	LLVMValueRef indices[16];
	int count = LLVMGetNumOperands(constant) - 1;

	if (count > (int)(sizeof(indices) / sizeof(indices[0])))
		return fail(x, constant);
	for (int i = 0; i < count; i++)
		indices[i] = expand(x, LLVMGetOperand(constant, (unsigned)i + 1));
	if (LLVMIsInBounds(constant))
		return LLVMBuildInBoundsGEP2(x->builder, element, base, indices, (unsigned)count,
		                             "");
	return LLVMBuildGEP2(x->builder, element, base, indices, (unsigned)count, "");
}

static LLVMValueRef expand_binary(struct expansion *x, LLVMValueRef constant, LLVMOpcode opcode)
{
	LLVMValueRef a = expand(x, LLVMGetOperand(constant, 0));
	LLVMValueRef b = expand(x, LLVMGetOperand(constant, 1));

	return LLVMBuildBinOp(x->builder, opcode, a, b, "");
}

static LLVMValueRef expand_expression(struct expansion *x, LLVMValueRef constant)
{
	LLVMOpcode opcode = LLVMGetConstOpcode(constant);
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMValueRef first = expand(x, LLVMGetOperand(constant, 0));

	switch ((int)opcode) {
	case LLVMBitCast:
		return LLVMBuildBitCast(x->builder, first, moved(type, first), "");
	case LLVMAddrSpaceCast:
		return cast(x, first, type);
	case LLVMGetElementPtr:
		return expand_gep(x, constant, first);
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
		return LLVMBuildCast(x->builder, opcode, first, type, "");
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return expand_binary(x, constant, opcode);
	default:
		return fail(x, constant);
	}
}

/* A structure, array or vector, element by element. */
static LLVMValueRef expand_aggregate(struct expansion *x, LLVMValueRef constant)
{
	LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(constant)));
	LLVMValueRef whole = LLVMGetUndef(LLVMTypeOf(constant));
	int count = LLVMGetNumOperands(constant);

	for (int i = 0; i < count; i++) {
		LLVMValueRef piece = LLVMGetOperand(constant, (unsigned)i);

		piece = cast(x, expand(x, piece), LLVMTypeOf(piece));
		whole = LLVMIsAConstantVector(constant)
		                ? LLVMBuildInsertElement(x->builder, whole, piece,
		                                         LLVMConstInt(number, (unsigned)i, 0), "")
		                : LLVMBuildInsertValue(x->builder, whole, piece, (unsigned)i, "");
	}
	return whole;
}

static LLVMValueRef expand(struct expansion *x, LLVMValueRef value)
{
	const struct retarget_global *found = find(x, value);

	if (found)
		return found->replacement;
	if (!mentions(x, value))
		return value;
	if (LLVMIsAConstantExpr(value))
		return expand_expression(x, value);
	if (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) ||
	    LLVMIsAConstantVector(value))
		return expand_aggregate(x, value);
	return fail(x, value);
}

/* The incoming value of a phi is built in the node that it comes from. */
static void place_builder(struct expansion *x, LLVMValueRef instruction, unsigned operand)
{
	if (LLVMIsAPHINode(instruction))
		instruction =
			LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, operand));
	LLVMPositionBuilderBefore(x->builder, instruction);
	LLVMSetCurrentDebugLocation2(x->builder, LLVMInstructionGetDebugLoc(instruction));
}

/* The value that already enters a phi from the same node; both must be equal. */
static LLVMValueRef twin(LLVMValueRef instruction, unsigned operand)
{
	LLVMBasicBlockRef from;

	if (!LLVMIsAPHINode(instruction))
		return NULL;
	from = LLVMGetIncomingBlock(instruction, operand);
	for (unsigned i = 0; i < operand; i++)
		if (LLVMGetIncomingBlock(instruction, i) == from)
			return LLVMGetIncomingValue(instruction, i);
	return NULL;
}

static int expand_operands(void *context, LLVMValueRef instruction, struct err *err)
{
	struct expansion *x = context;
	int count = LLVMGetNumOperands(instruction);

	(void)err;
	for (int i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i), value;

		if (LLVMIsABasicBlock(operand) || !mentions(x, operand))
			continue;
		place_builder(x, instruction, (unsigned)i);
		value = twin(instruction, (unsigned)i);
		if (!value)
			value = cast(x, expand(x, operand), LLVMTypeOf(operand));
		LLVMSetOperand(instruction, (unsigned)i, value);
	}
	return x->ret;
}

/*
 * Replace each `variable` of the list by its `replacement` throughout a function. Where the two are
 * in different memories, so are values derived from the address; an instruction that needs the old
 * memory gets a cast. Returns 0, or ERR_UNSUPPORTED for an address in a constant of an unknown
 * kind.
 */
static int constant_expand(LLVMValueRef function, const struct retarget_global *list, size_t count,
                           struct err *err)
{
	struct expansion x = { .list = list, .count = count, .err = err };
	int ret;

	x.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
	ret = ir_walk(function, expand_operands, &x, err);
	LLVMDisposeBuilder(x.builder);
	return ret;
}

#define LIMIT_GLOBALS (1u << 16)

/* Whether a function uses a value, including in constants. */
static bool is_used_in(LLVMValueRef value, LLVMValueRef function)
{
	for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAInstruction(user)) {
			if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
				return true;
		} else if (!LLVMIsAGlobalVariable(user) && LLVMIsAConstant(user) &&
		           is_used_in(user, function)) {
			return true;
		}
	}
	return false;
}

static unsigned space_of(LLVMValueRef variable)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
}

int retarget_globals_find(struct retarget_globals *g, LLVMValueRef function, struct err *err)
{
	LLVMValueRef v = LLVMGetFirstGlobal(g->program->module);

	array_init(&g->list, sizeof(struct retarget_global), LIMIT_GLOBALS, "variables");
	for (; v; v = LLVMGetNextGlobal(v)) {
		struct retarget_global *row;
		size_t length;

		if ((g->is_late && space_of(v) != NVPTX_GLOBAL) || !is_used_in(v, function))
			continue;
		row = array_push(&g->list, 1, err);
		if (!row)
			return ERR_NOMEM;
		row->variable = v;
		row->is_dynamic = space_of(v) == NVPTX_SHARED && LLVMIsDeclaration(v);
		row->is_argument =
			cuda_table_symbol(g->program->cuda, LLVMGetValueName2(v, &length));
		g->has_dynamic |= row->is_dynamic;
	}
	return 0;
}

void retarget_globals_release(struct retarget_globals *g)
{
	array_release(&g->list);
}

/* The memory that the argument for a variable points to. */
static unsigned argument_space(LLVMValueRef variable)
{
	return space_of(variable) == NVPTX_CONSTANT ? SPACE_CONSTANT : SPACE_GLOBAL;
}

static int add_type(LLVMContextRef context, unsigned space, struct array *types, struct err *err)
{
	LLVMTypeRef *slot = array_push(types, 1, err);

	if (!slot)
		return ERR_LIMIT;
	*slot = LLVMPointerType(LLVMInt8TypeInContext(context), space);
	return 0;
}

int retarget_globals_types(const struct retarget_globals *g, struct array *types, struct err *err)
{
	const struct retarget_global *list = g->list.data;
	LLVMContextRef context = g->program->context;
	size_t length;
	int ret = 0;

	if (g->has_dynamic)
		ret = add_type(context, SPACE_LOCAL, types, err);
	if (!ret && g->has_dynamic)
		ret = cuda_kernel_add_hidden(g->row, NULL, err);
	for (size_t i = 0; !ret && i < g->list.count; i++) {
		if (!list[i].is_argument)
			continue;
		ret = add_type(context, argument_space(list[i].variable), types, err);
		if (!ret)
			ret = cuda_kernel_add_hidden(
				g->row, LLVMGetValueName2(list[i].variable, &length), err);
	}
	return ret;
}

/* A copy of the variable `old` in another memory and under another name. */
static LLVMValueRef clone(struct program *p, LLVMValueRef old, unsigned space, const char *name)
{
	LLVMValueRef v =
		LLVMAddGlobalInAddressSpace(p->module, LLVMGlobalGetValueType(old), name, space);

	LLVMSetInitializer(v, LLVMGetInitializer(old));
	LLVMSetLinkage(v, LLVMInternalLinkage);
	LLVMSetGlobalConstant(v, LLVMIsGlobalConstant(old));
	LLVMSetAlignment(v, LLVMGetAlignment(old));
	return v;
}

static uint64_t bytes_of(struct program *p, LLVMValueRef variable)
{
	return LLVMABISizeOfType(LLVMGetModuleDataLayout(p->module),
	                         LLVMGlobalGetValueType(variable));
}

static LLVMValueRef clone_shared(struct program *p, LLVMValueRef variable, struct cuda_kernel *row,
                                 struct err *err)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module);
	unsigned align = LLVMGetAlignment(variable);
	LLVMValueRef v;
	size_t length;
	char *name = str_format(err, "%s.%s", row->name, LLVMGetValueName2(variable, &length));

	if (!name)
		return NULL;
	if (!align)
		align = LLVMPreferredAlignmentOfGlobal(layout, variable);
	row->static_shared_bytes = (row->static_shared_bytes + align - 1) / align * align;
	row->static_shared_bytes += bytes_of(p, variable);
	v = clone(p, variable, SPACE_LOCAL, name);
	LLVMSetInitializer(v, LLVMGetUndef(LLVMGlobalGetValueType(variable)));
	free(name);
	return v;
}

/* One copy for all kernels. */
static LLVMValueRef clone_constant(struct program *p, LLVMValueRef variable, struct err *err)
{
	size_t length;
	char *name = str_format(err, "warpline.constant.%s", LLVMGetValueName2(variable, &length));
	LLVMValueRef v;

	if (!name)
		return NULL;
	v = LLVMGetNamedGlobal(p->module, name);
	if (!v)
		v = clone(p, variable, SPACE_CONSTANT, name);
	free(name);
	return v;
}

static LLVMValueRef cast_argument(LLVMBuilderRef b, LLVMValueRef argument, LLVMValueRef variable)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(argument));

	return LLVMBuildBitCast(b, argument,
	                        LLVMPointerType(LLVMGlobalGetValueType(variable), space), "");
}

/* An instruction that uses the variable, directly or not. */
static LLVMValueRef use_of(LLVMValueRef value, LLVMValueRef function)
{
	for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u), found = NULL;

		if (LLVMIsAInstruction(user))
			found = user;
		else if (!LLVMIsAGlobalVariable(user) && LLVMIsAConstant(user))
			found = use_of(user, function);
		if (found && LLVMGetBasicBlockParent(LLVMGetInstructionParent(found)) == function)
			return found;
	}
	return NULL;
}

/* clang's built-in variables, which have no memory: only their address is ever used. */
static bool is_builtin(LLVMValueRef variable)
{
	static const char *const names[] = { "threadIdx", "blockIdx", "blockDim", "gridDim" };
	size_t length;
	const char *name = LLVMGetValueName2(variable, &length);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static int refuse_foreign(const struct retarget_globals *g, LLVMValueRef variable, struct err *err)
{
	LLVMValueRef use = use_of(variable, g->kernel);
	size_t length;

	if (!use || g->row->refusal || is_builtin(variable))
		return 0;
	g->row->refusal = cuda_refusal_text(use, g->kernel, err, "the variable %s of another file",
	                                    LLVMGetValueName2(variable, &length));
	return g->row->refusal ? 0 : ERR_NOMEM;
}

/* Choose the replacement of a variable in the kernel; `next` is the hidden argument for the next
 * symbol. */
static int choose(struct retarget_globals *g, struct retarget_global *r, LLVMBuilderRef b,
                  size_t *next, struct err *err)
{
	LLVMValueRef v = r->variable;
	int ret = 0;

	if (r->is_dynamic) {
		r->replacement = cast_argument(b, LLVMGetParam(g->kernel, (unsigned)g->first), v);
	} else if (LLVMIsDeclaration(v)) {
		r->replacement = LLVMGetUndef(LLVMTypeOf(v));
		ret = refuse_foreign(g, v, err);
	} else if (r->is_argument) {
		r->replacement = cast_argument(b, LLVMGetParam(g->kernel, (unsigned)(*next)++), v);
	} else if (space_of(v) == NVPTX_SHARED) {
		r->replacement = clone_shared(g->program, v, g->row, err);
	} else {
		r->replacement = clone_constant(g->program, v, err);
	}
	if (space_of(v) == NVPTX_CONSTANT)
		g->row->constant_bytes += bytes_of(g->program, v);
	return r->replacement ? ret : ERR_NOMEM;
}

int retarget_globals_replace(struct retarget_globals *g, LLVMValueRef kernel, struct err *err)
{
	struct retarget_global *list = g->list.data;
	size_t next;
	LLVMBuilderRef b;
	int ret = 0;

	g->kernel = kernel;
	next = g->first + g->has_dynamic;
	b = LLVMCreateBuilderInContext(g->program->context);
	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
	for (size_t i = 0; !ret && i < g->list.count; i++)
		ret = choose(g, &list[i], b, &next, err);
	LLVMDisposeBuilder(b);
	return ret ? ret : constant_expand(kernel, list, g->list.count, err);
}
