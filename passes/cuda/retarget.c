/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget.h"

#include "cuda_call.h"
#include "cuda_calls.h"
#include "err.h"
#include "kernel_arguments.h"
#include "kernel_names.h"
#include "nvvm.h"
#include "retarget_private.h"
#include "steps.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define BOUNDS "nvvm.maxntid"

/* Read "nvvm.maxntid"="X,Y,Z", the launch bounds. */
static void read_bounds(struct cuda_kernel *row, LLVMValueRef function)
{
	LLVMAttributeRef bounds = LLVMGetStringAttributeAtIndex(
		function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, BOUNDS,
		(unsigned)strlen(BOUNDS));
	unsigned length = 0;
	const char *at = bounds ? LLVMGetStringAttributeValue(bounds, &length) : "";
	char *end;

	for (; *at; at = *end == ',' ? end + 1 : end) {
		uint64_t value = strtoull(at, &end, 10);

		if (end == at || !value || row->max_threads > UINT32_MAX / value)
			return;
		row->max_threads = (row->max_threads ? row->max_threads : 1) * value;
	}
}

/* Give each kernel SPIR's calling convention and a row of p->cuda. */
static int retarget_find_kernels(struct program *p, struct err *err)
{
	int ret = nvvm_annotations_apply(p->module, err);

	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); !ret && f;
	     f = LLVMGetNextFunction(f)) {
		struct cuda_kernel *row;
		size_t length;

		if (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) != LLVMPTXKernelCallConv)
			continue;
		LLVMSetFunctionCallConv(f, LLVMSPIRKERNELCallConv);
		row = cuda_table_add_kernel(p->cuda, LLVMGetValueName2(f, &length), err);
		if (!row)
			ret = err ? err->code : ERR_NOMEM;
		else
			read_bounds(row, f);
	}
	return ret;
}

static int check_call(void *context, LLVMValueRef instruction, struct err *err)
{
	struct program *p = context;
	LLVMValueRef callee, function;
	size_t length;

	if (LLVMIsAInvokeInst(instruction) || LLVMIsACallBrInst(instruction))
		return cuda_refuse(p, instruction, err, "a call that might not return");
	if (!LLVMIsACallInst(instruction))
		return 0;
	callee = LLVMGetCalledValue(instruction);
	function = LLVMIsAFunction(callee);
	if (LLVMIsAInlineAsm(callee))
		return 0;
	if (!function)
		return cuda_refuse(p, instruction, err,
		                   "a call through a pointer, or of a virtual function");
	if (LLVMIsDeclaration(function))
		return 0;
	return cuda_refuse(p, instruction, err, "a call of %s, which calls itself",
	                   LLVMGetValueName2(function, &length));
}

/* Refuse kernels that call what could not be inlined. */
static int retarget_check_calls(struct program *p, struct err *err)
{
	return retarget_each_kernel(p->module, check_call, p, err);
}

#define LIMIT_ARGUMENTS (1u << 14)

static int add_symbols(struct program *p, struct err *err)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module);

	for (LLVMValueRef v = LLVMGetFirstGlobal(p->module); v; v = LLVMGetNextGlobal(v)) {
		struct cuda_symbol *row;
		size_t length;
		const char *name = LLVMGetValueName2(v, &length);

		if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != NVPTX_GLOBAL ||
		    LLVMIsDeclaration(v) || cuda_table_symbol(p->cuda, name))
			continue;
		row = cuda_table_add_symbol(p->cuda, name, err);
		if (!row)
			return ERR_NOMEM;
		row->bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(v));
		row->align = LLVMPreferredAlignmentOfGlobal(layout, v);
	}
	return 0;
}

static void move_code(LLVMValueRef old, LLVMValueRef kernel)
{
	unsigned count = LLVMCountParams(old);

	ir_move_nodes(old, kernel);
	for (unsigned i = 0; i < count; i++)
		LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(kernel, i));
}

/* Name the old arguments, and the hidden ones from `first` on. */
static int name_arguments(LLVMValueRef old, LLVMValueRef kernel, const struct retarget_globals *g,
                          struct err *err)
{
	const struct cuda_hidden *hidden = g->row->hidden.data;
	size_t there = g->row->args.count; /* number of arguments that are not hidden */
	struct kernel_table table = { 0 };
	struct kernel_names names;
	int ret = kernel_names_init(&names, kernel, err);

	if (!ret)
		ret = kernel_arguments_fill(&table, old, err);
	for (size_t i = 0; !ret && i < g->first; i++) {
		struct kernel_name name = { table.arguments[i].name, table.arguments[i].type };

		ret = kernel_names_set(&names, i, &name, err);
	}
	for (size_t i = g->first; !ret && i < names.count; i++)
		ret = kernel_names_set_hidden(&names, i, hidden[i - there].symbol, err);
	if (!ret)
		ret = kernel_names_apply(&names, err);
	kernel_names_release(&names);
	kernel_table_release(&table);
	return ret;
}

static LLVMValueRef create_like(struct program *p, LLVMValueRef old, const struct array *types)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), types->data,
	                                    (unsigned)types->count, 0);
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	LLVMValueRef kernel = LLVMAddFunction(p->module, "", type);
	LLVMAttributeRef attributes[16];
	unsigned count = LLVMGetAttributeCountAtIndex(old, at);

	LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
	LLVMSetSubprogram(kernel, LLVMGetSubprogram(old));
	if (count <= sizeof(attributes) / sizeof(attributes[0]))
		LLVMGetAttributesAtIndex(old, at, attributes);
	else
		count = 0;
	for (unsigned i = 0; i < count; i++)
		LLVMAddAttributeAtIndex(kernel, at, attributes[i]);
	return kernel;
}

/* Add an argument to the kernel for each variable in `g`. */
static int append(struct retarget_globals *g, LLVMValueRef old, struct array *types,
                  struct err *err)
{
	LLVMTypeRef *slots = g->first ? array_push(types, g->first, err) : NULL;
	LLVMValueRef kernel;
	int ret;

	if (g->first && !slots)
		return ERR_LIMIT;
	if (g->first)
		LLVMGetParamTypes(LLVMGlobalGetValueType(old), slots);
	ret = retarget_globals_types(g, types, err);
	if (ret)
		return ret;
	kernel = create_like(g->program, old, types);
	move_code(old, kernel);
	ret = retarget_globals_replace(g, kernel, err);
	if (!ret)
		ret = name_arguments(old, kernel, g, err);
	LLVMDeleteFunction(old);
	LLVMSetValueName2(kernel, g->row->name, strlen(g->row->name));
	return ret;
}

static int lift_in(struct program *p, LLVMValueRef kernel, struct err *err)
{
	struct retarget_globals used = { .program = p, .is_late = true };
	struct array types;
	size_t length;
	int ret;

	used.row = cuda_table_kernel(p->cuda, LLVMGetValueName2(kernel, &length));
	if (!used.row)
		return 0;
	used.first = LLVMCountParams(kernel);
	array_init(&types, sizeof(LLVMTypeRef), LIMIT_ARGUMENTS, "arguments of a kernel");
	ret = retarget_globals_find(&used, kernel, err);
	if (!ret && used.list.count)
		ret = append(&used, kernel, &types, err);
	retarget_globals_release(&used);
	array_release(&types);
	return ret;
}

/* The variables that lower_cuda_calls() created: they become symbols, and arguments after all
 * others. */
static int retarget_lift_variables(struct program *p, struct err *err)
{
	LLVMValueRef last = LLVMGetLastFunction(p->module), f, next;
	int ret = add_symbols(p, err);

	for (f = LLVMGetFirstFunction(p->module); !ret && f; f = next) {
		next = f == last ? NULL : LLVMGetNextFunction(f);
		if (retarget_is_kernel(f))
			ret = lift_in(p, f, err);
	}
	return ret;
}

#define TRIPLE "nvptx64-"
#define LAYOUT "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"

bool retarget_is_needed(LLVMModuleRef module)
{
	return !strncmp(LLVMGetTarget(module), TRIPLE, strlen(TRIPLE));
}

bool retarget_is_kernel(LLVMValueRef function)
{
	return program_is_kernel(function) && !LLVMIsDeclaration(function);
}

bool retarget_is_pointer(LLVMTypeRef type, unsigned space)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
	       LLVMGetPointerAddressSpace(type) == space;
}

LLVMValueRef retarget_variable(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
	       LLVMIsAAddrSpaceCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAAllocaInst(pointer);
}

int retarget_each_kernel(LLVMModuleRef module, ir_visit *visit, void *context, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);
	int ret = 0;

	for (; !ret && f; f = LLVMGetNextFunction(f))
		if (retarget_is_kernel(f))
			ret = ir_walk(f, visit, context, err);
	return ret;
}

/* Copy a refusal by lower_cuda_calls() to the kernel's row. */
static int take_refusal(struct cuda_kernel *row, LLVMValueRef kernel, struct err *err)
{
	LLVMAttributeRef said = LLVMGetStringAttributeAtIndex(
		kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, CUDA_REFUSAL,
		sizeof(CUDA_REFUSAL) - 1);
	unsigned length;

	if (!said || row->refusal)
		return 0;
	row->refusal = str_copy(LLVMGetStringAttributeValue(said, &length), err);
	return row->refusal ? 0 : ERR_NOMEM;
}

/* Remove the refused kernels from the code. */
static int drop_refused(struct program *p, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(p->module), next;

	for (; f; f = next) {
		struct cuda_kernel *row;
		size_t length;

		next = LLVMGetNextFunction(f);
		if (!retarget_is_kernel(f))
			continue;
		row = cuda_table_kernel(p->cuda, LLVMGetValueName2(f, &length));
		if (row && take_refusal(row, f, err))
			return ERR_NOMEM;
		if (row && row->refusal)
			LLVMDeleteFunction(f);
	}
	return 0;
}

static void note_version(struct program *p, const char *name, unsigned major, unsigned minor)
{
	LLVMTypeRef type = LLVMInt32TypeInContext(p->context);
	LLVMValueRef numbers[] = { LLVMConstInt(type, major, 0), LLVMConstInt(type, minor, 0) };

	if (!LLVMGetNamedMetadataNumOperands(p->module, name))
		LLVMAddNamedMetadataOperand(p->module, name,
		                            LLVMMDNodeInContext(p->context, numbers, 2));
}

/* Remove variables that hidden arguments have replaced. */
static void drop_symbols(struct program *p)
{
	const struct cuda_symbol *symbols = p->cuda->symbols.data;

	for (size_t i = 0; i < p->cuda->symbols.count; i++) {
		LLVMValueRef v = LLVMGetNamedGlobal(p->module, symbols[i].name);

		if (!v)
			continue;
		LLVMSetLinkage(v, LLVMInternalLinkage);
		LLVMSetInitializer(v, LLVMGetUndef(LLVMGlobalGetValueType(v)));
	}
}

/* Variables that stay in memory count as CUDA local memory. */
static int count_local(void *context, LLVMValueRef i, struct err *err)
{
	struct program *p = context;
	LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
	struct cuda_kernel *row;
	size_t length;

	(void)err;
	if (!LLVMIsAAllocaInst(i))
		return 0;
	row = cuda_table_kernel(p->cuda, LLVMGetValueName2(kernel, &length));
	if (row)
		row->local_bytes += LLVMABISizeOfType(LLVMGetModuleDataLayout(p->module),
		                                      LLVMGetAllocatedType(i));
	return 0;
}

static int name_target(struct program *p, struct err *err)
{
	if (retarget_each_kernel(p->module, count_local, p, err))
		return ERR_NOMEM;
	drop_symbols(p);
	LLVMSetTarget(p->module, "spir64-unknown-unknown");
	LLVMSetDataLayout(p->module, LAYOUT);
	note_version(p, "opencl.ocl.version", 1, 2);
	note_version(p, "opencl.spir.version", 1, 2);
	LLVMAddNamedMetadataOperand(p->module, "warpline.cuda",
	                            LLVMMDNodeInContext(p->context, NULL, 0));
	return program_run_passes(p, "globaldce", err);
}

static int (*const stages[])(struct program *, struct err *) = {
	retarget_find_kernels,
	retarget_find_symbols,
	inline_ptx_read,
	inline_calls,
	retarget_check_calls,
	drop_refused,
	retarget_rebuild_kernels,
	drop_refused,
	retarget_private_memory,
	retarget_spaces,
	drop_refused,
	lower_cuda_calls,
	drop_refused,
	retarget_lift_variables,
	name_target,
};

int retarget(struct program *p, struct err *err)
{
	int ret = 0;

	if (!retarget_is_needed(p->module) || setting_is(p->settings->door, "ptx"))
		return 0;
	p->cuda = array_alloc(1, sizeof(*p->cuda), "the table of CUDA kernels", err);
	if (!p->cuda)
		return ERR_NOMEM;
	cuda_table_init(p->cuda);
	for (size_t i = 0; !ret && i < sizeof(stages) / sizeof(stages[0]); i++)
		ret = stages[i](p, err);
	return ret;
}
