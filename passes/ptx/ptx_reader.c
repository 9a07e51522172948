/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_reader.h"

#include "err.h"
#include "file.h"
#include "ptx_finish.h"
#include "ptx_function.h"
#include "ptx_global.h"

#include <llvm-c/Core.h>

#include <string.h>

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

	/* What was embedded may end in zeros. */
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
	/* An embedded text may have a zero behind it. */
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
