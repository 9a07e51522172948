/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_reader.h"

#include "err.h"
#include "file.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "ptx_emit.h"
#include "ptx_value.h"
#include "str.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdlib.h>
#include <string.h>

/*
 * The last steps of reading PTX, once all functions are there: what cannot be read is refused,
 * device functions are inlined, registers become values and addresses pointers, and kernels get
 * their final parameters.
 */

#define INLINE_PASSES "always-inline,function(" LLVM_SROA ")"
#define CLEAN_PASSES  "function(adce),globaldce"

static struct ptx_function *function_at(const struct ptx_emitter *e, size_t i)
{
	return (struct ptx_function *)e->functions.data + i;
}

static struct ptx_function *function_of(const struct ptx_emitter *e, LLVMValueRef value)
{
	for (size_t i = 0; i < e->functions.count; i++)
		if (function_at(e, i)->value == value)
			return function_at(e, i);
	return NULL;
}

static int refuse(struct ptx_emitter *e, struct ptx_function *f, const char *reason)
{
	if (!f || f->refusal)
		return 0;
	f->refusal = str_copy(reason, e->err);
	return f->refusal ? 0 : ERR_NOMEM;
}

/* Refuse the callers of a refused function. Sets *is_changed if there were any. */
static int refuse_callers(struct ptx_emitter *e, const struct ptx_function *f, bool *is_changed)
{
	for (LLVMUseRef use = LLVMGetFirstUse(f->value); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		struct ptx_function *caller;

		if (!LLVMIsACallInst(user))
			continue;
		caller = function_of(e, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
		if (!caller || caller->refusal)
			continue;
		*is_changed = true;
		if (refuse(e, caller, f->refusal))
			return ERR_NOMEM;
	}
	return 0;
}

/* Refuse a function that is called and declared but not defined. */
static int refuse_missing(struct ptx_emitter *e, struct ptx_function *f)
{
	char *reason;
	int ret;

	if (f->head.has_body || f->head.is_entry || !LLVMGetFirstUse(f->value))
		return 0;
	reason = str_format(e->err, "%.100s:%zu: '%.*s' is called, whose body is not there",
	                    e->name, f->head.line, PTX_WORD_ARGS(f->head.name));
	ret = reason ? refuse(e, f, reason) : ERR_NOMEM;
	free(reason);
	return ret;
}

/* Refused device functions make their callers refused. Returns 0 or ERR_NOMEM. */
static int ptx_function_spread_refusals(struct ptx_emitter *e)
{
	bool is_changed = true;
	int ret = 0;

	for (size_t i = 0; i < e->functions.count && !ret; i++)
		ret = refuse_missing(e, function_at(e, i));
	while (is_changed && !ret) {
		is_changed = false;
		for (size_t i = 0; i < e->functions.count && !ret; i++)
			if (function_at(e, i)->refusal)
				ret = refuse_callers(e, function_at(e, i), &is_changed);
	}
	return ret;
}

static void drop_instructions(LLVMBasicBlockRef node)
{
	LLVMValueRef last;

	while ((last = LLVMGetLastInstruction(node))) {
		if (LLVMGetTypeKind(LLVMTypeOf(last)) != LLVMVoidTypeKind)
			LLVMReplaceAllUsesWith(last, LLVMGetUndef(LLVMTypeOf(last)));
		LLVMInstructionEraseFromParent(last);
	}
}

/* Make a refused function empty, with an attribute that says why. */
static void empty(struct ptx_emitter *e, struct ptx_function *f)
{
	LLVMBasicBlockRef node;

	if (!f->head.has_body)
		return;
	for (node = LLVMGetFirstBasicBlock(f->value); node; node = LLVMGetNextBasicBlock(node))
		drop_instructions(node);
	while ((node = LLVMGetFirstBasicBlock(f->value)))
		LLVMDeleteBasicBlock(node);
	node = LLVMAppendBasicBlockInContext(e->context, f->value, "");
	LLVMPositionBuilderAtEnd(e->b, node);
	LLVMSetCurrentDebugLocation2(e->b, NULL);
	LLVMBuildRetVoid(e->b);
	LLVMAddAttributeAtIndex(f->value, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateStringAttribute(e->context, PTX_REFUSAL_ATTRIBUTE,
	                                                  sizeof(PTX_REFUSAL_ATTRIBUTE) - 1,
	                                                  f->refusal,
	                                                  (unsigned)strlen(f->refusal)));
}

static int run_passes(struct ptx_emitter *e, const char *passes)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(e->module, passes, NULL, options);
	char *message;
	int ret = 0;

	LLVMDisposePassBuilderOptions(options);
	if (error) {
		message = LLVMGetErrorMessage(error);
		ret = err_set(e->err, ERR_UNSUPPORTED, "%s: %.200s", e->name, message);
		LLVMDisposeErrorMessage(message);
	}
	return ret;
}

static int verify(struct ptx_emitter *e)
{
	char *message = NULL;
	int ret = 0;

	if (LLVMVerifyModule(e->module, LLVMReturnStatusAction, &message))
		ret = err_set(e->err, ERR_UNSUPPORTED, "%s: cannot generate code for it: %.200s",
		              e->name, message);
	LLVMDisposeMessage(message);
	return ret;
}

/* A remaining call of a function of the module: it calls itself, directly or not. */
static int refuse_recursion(struct ptx_emitter *e, struct ptx_function *f)
{
	for (LLVMValueRef i = ir_first(f->value); i; i = ir_next(i)) {
		LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
		char *reason;
		int ret;

		if (!called || !LLVMIsAFunction(called) || LLVMIsDeclaration(called))
			continue;
		reason = str_format(e->err, "%.100s:%zu: it calls a function that calls itself",
		                    e->name, f->head.line);
		ret = reason ? refuse(e, f, reason) : ERR_NOMEM;
		free(reason);
		return ret;
	}
	return 0;
}

/* The final function: parameters that are addresses become pointers. */
static void rebuild(struct ptx_emitter *e, struct ptx_function *f, const LLVMValueRef *bases,
                    LLVMTypeRef *types)
{
	LLVMValueRef old = f->value;
	unsigned count = LLVMCountParams(old);
	LLVMBasicBlockRef node, entry;
	char *name = str_format(e->err, "%.*s", (int)f->head.name.length, f->head.name.at);

	if (!name) {
		ptx_fail(e, ERR_NOMEM);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		types[i] = LLVMTypeOf(bases[i] ? bases[i] : LLVMGetParam(old, i));
	LLVMSetValueName2(old, "", 0);
	f->value = LLVMAddFunction(
		e->module, name,
		LLVMFunctionType(LLVMVoidTypeInContext(e->context), types, count, 0));
	free(name);
	LLVMSetSubprogram(f->value, LLVMGetSubprogram(old));
	while ((node = LLVMGetFirstBasicBlock(old))) {
		LLVMRemoveBasicBlockFromParent(node);
		LLVMAppendExistingBasicBlock(f->value, node);
	}
	entry = LLVMGetEntryBasicBlock(f->value);
	LLVMSetCurrentDebugLocation2(e->b, NULL);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef from = LLVMGetParam(old, i), to = LLVMGetParam(f->value, i);

		if (bases[i]) {
			LLVMReplaceAllUsesWith(bases[i], to);
			LLVMInstructionEraseFromParent(bases[i]);
			LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(entry));
			to = LLVMBuildPtrToInt(e->b, to, LLVMTypeOf(from), "");
		}
		LLVMReplaceAllUsesWith(from, to);
	}
	LLVMDeleteFunction(old);
}

static int finish_kernel(struct ptx_emitter *e, struct ptx_function *f)
{
	size_t count = LLVMCountParams(f->value);
	LLVMValueRef *bases = array_alloc(count, sizeof(*bases), "parameters", e->err);
	LLVMTypeRef *types = array_alloc(count, sizeof(*types), "parameters", e->err);
	LLVMValueRef refused = NULL;
	int ret = bases && types ? 0 : ERR_NOMEM;
	char *reason;

	if (!ret)
		ret = ptx_pointers_run(f->value, bases, &refused, e->err);
	if (!ret && refused) {
		reason = str_format(e->err,
		                    "%.100s:%zu: an address in shared memory is made of a number",
		                    e->name, f->head.line);
		ret = reason ? refuse(e, f, reason) : ERR_NOMEM;
		free(reason);
	}
	if (!ret) {
		rebuild(e, f, bases, types);
		ret = e->failed;
	}
	free(bases);
	free(types);
	return ret;
}

static void annotate(struct ptx_emitter *e, LLVMValueRef function, const char *what, uint64_t value)
{
	LLVMMetadataRef all[3];

	all[0] = LLVMValueAsMetadata(function);
	all[1] = LLVMMDStringInContext2(e->context, what, strlen(what));
	all[2] = LLVMValueAsMetadata(ptx_constant(e, 32, value));
	LLVMAddNamedMetadataOperand(
		e->module, "nvvm.annotations",
		LLVMMetadataAsValue(e->context, LLVMMDNodeInContext2(e->context, all, 3)));
}

static void name_kernel(struct ptx_emitter *e, const struct ptx_function *f)
{
	static const char *const most[3] = { "maxntidx", "maxntidy", "maxntidz" };
	static const char *const required[3] = { "reqntidx", "reqntidy", "reqntidz" };

	annotate(e, f->value, "kernel", 1);
	for (unsigned i = 0; i < 3; i++) {
		if (f->head.max_threads[0])
			annotate(e, f->value, most[i], f->head.max_threads[i]);
		if (f->head.required_threads[0])
			annotate(e, f->value, required[i], f->head.required_threads[i]);
	}
	if (f->head.min_groups)
		annotate(e, f->value, "minctasm", f->head.min_groups);
	for (uint32_t i = 0; i < f->head.parameter_count; i++) {
		const struct ptx_variable *v = ptx_function_parameter(e, f, i);

		LLVMSetValueName2(LLVMGetParam(f->value, i), v->name.at, v->name.length);
		ptx_function_describe_parameter(e, f, i);
	}
}

/* Finish all kernels; device functions are then gone. */
static int finish_kernels(struct ptx_emitter *e)
{
	int ret = 0;

	for (size_t i = 0; i < e->functions.count && !ret; i++) {
		struct ptx_function *f = function_at(e, i);

		if (!f->head.is_entry || !f->head.has_body)
			continue;
		if (!f->refusal)
			ret = refuse_recursion(e, f);
		if (!ret && !f->refusal)
			ret = finish_kernel(e, f);
		if (ret)
			return ret;
		if (f->refusal)
			empty(e, f);
		name_kernel(e, f);
	}
	return ret;
}

/* Make refused functions empty. */
static int empty_refused(struct ptx_emitter *e)
{
	int ret = ptx_function_spread_refusals(e);

	for (size_t i = 0; !ret && i < e->functions.count; i++)
		if (function_at(e, i)->refusal)
			empty(e, function_at(e, i));
	if (!ret)
		ptx_debug_finish(&e->debug);
	return ret ? ret : verify(e);
}

/* Returns 0, ERR_NOMEM, or ERR_UNSUPPORTED when LLVM rejects the module: the PTX is invalid. */
static int ptx_finish(struct ptx_emitter *e)
{
	int ret = empty_refused(e);

	for (size_t i = 0; !ret && i < e->functions.count; i++) {
		struct ptx_function *f = function_at(e, i);

		if (!f->head.is_entry && f->head.has_body)
			LLVMSetLinkage(f->value, LLVMInternalLinkage);
	}
	if (!ret)
		ret = run_passes(e, INLINE_PASSES);
	if (!ret)
		ret = finish_kernels(e);
	if (!ret)
		ret = run_passes(e, CLEAN_PASSES);
	return ret ? ret : verify(e);
}

/* The same for device functions, which stay and lose their source positions. */
static int ptx_finish_functions(struct ptx_emitter *e)
{
	int ret = empty_refused(e);

	if (!ret)
		LLVMStripModuleDebugInfo(e->module);
	return ret;
}

#define FUNCTIONS_MOST ((size_t)1 << 20)
#define DATA_LAYOUT    "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

static int read_item(struct ptx_emitter *e, struct ptx_scan *s, const struct ptx_item *item)
{
	if (item->kind == PTX_ITEM_STRAY)
		return ptx_scan_fail(s, item->first, "a directive of PTX");
	if (item->kind == PTX_ITEM_FUNCTION)
		return ptx_function_read(e, s, &item->head);
	if (item->kind != PTX_ITEM_VARIABLE)
		return 0;
	e->line = item->variable.line;
	ptx_global_add(e, &item->variable, &e->items.initials);
	return e->failed;
}

static int read_text(struct ptx_emitter *e, struct ptx_scan *s)
{
	struct ptx_token first = ptx_scan_peek(s);
	struct ptx_item item;
	int ret;

	/* Embedded PTX may end in zeros. */
	if (!ptx_token_is(s->lexer.text, first, ".version"))
		return ptx_scan_fail(s, first, "PTX, which begins with '.version'");
	do {
		ret = ptx_items_next(&e->items, s, &item);
		if (!ret && e->items.address_bits != 64)
			ret = ptx_scan_fail(s, item.first, "an address size of 64 bits");
		if (!ret)
			ret = read_item(e, s, &item);
	} while (!ret && item.kind != PTX_ITEM_END);
	return ret;
}

static int init(struct ptx_emitter *e, LLVMContextRef context, const char *name,
                const struct ptx_scan *s)
{
	int ret = ptx_symbols_init(&e->symbols, e->err);

	if (!ret)
		ret = ptx_symbols_init(&e->labels, e->err);
	array_init(&e->functions, sizeof(struct ptx_function), FUNCTIONS_MOST, "functions of PTX");
	ptx_items_init(&e->items);
	e->context = context;
	e->module = LLVMModuleCreateWithNameInContext(name, context);
	LLVMSetTarget(e->module, "nvptx64-nvidia-cuda");
	LLVMSetDataLayout(e->module, DATA_LAYOUT);
	LLVMSetSourceFileName(e->module, name, strlen(name));
	e->b = LLVMCreateBuilderInContext(context);
	return ret ? ret : ptx_debug_init(&e->debug, e->module, name, s, e->err);
}

static void release(struct ptx_emitter *e)
{
	struct ptx_function *functions = e->functions.data;

	for (size_t i = 0; i < e->functions.count; i++)
		ptx_function_release(&functions[i]);
	ptx_debug_release(&e->debug);
	LLVMDisposeBuilder(e->b);
	array_release(&e->functions);
	ptx_items_release(&e->items);
	ptx_symbols_release(&e->symbols);
	ptx_symbols_release(&e->labels);
}

static int run(LLVMContextRef context, const struct str *text, const char *name,
               int (*finish)(struct ptx_emitter *e), LLVMModuleRef *module, struct err *err)
{
	struct ptx_emitter e = { .name = name, .err = err };
	struct ptx_scan scan;
	int ret;

	*module = NULL;
	/* Embedded PTX may be followed by a zero. */
	ptx_scan_init(&scan, e.name, text->text ? text->text : "",
	              text->text ? strnlen(text->text, text->length) : 0, err);
	ret = init(&e, context, e.name, &scan);
	if (!ret)
		ret = read_text(&e, &scan);
	if (!ret)
		ret = finish(&e);
	release(&e);
	if (ret)
		LLVMDisposeModule(e.module);
	else
		*module = e.module;
	return ret;
}

int ptx_reader_run(LLVMContextRef context, const char *path, const char *name,
                   LLVMModuleRef *module, struct err *err)
{
	struct str text;
	int ret;

	*module = NULL;
	str_init(&text, PTX_TEXT_LIMIT_BYTES);
	ret = file_read(path, &text, err);
	if (!ret)
		ret = run(context, &text, name ? name : path, ptx_finish, module, err);
	str_release(&text);
	return ret;
}

int ptx_reader_functions(LLVMContextRef context, const struct str *text, const char *name,
                         LLVMModuleRef *module, struct err *err)
{
	return run(context, text, name, ptx_finish_functions, module, err);
}
