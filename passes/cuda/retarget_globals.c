/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_globals.h"

#include "constant_expand.h"
#include "cuda_refusal.h"
#include "err.h"
#include "retarget_private.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_GLOBALS (1u << 16)

/* Whether a function uses a value, also inside of constants. */
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

/* A variable like `old` in another memory and under another name. */
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

/* One for all kernels. */
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

/* An instruction that uses the variable somehow. */
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

/* clang's built-in variables, which have no memory: only their address is ever taken. */
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

/* What stands for a variable in the kernel; `next` is the hidden argument for the next symbol. */
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
