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

static int read_variable(struct ptx_emitter *e, struct ptx_scan *s, struct ptx_variable v)
{
	int ret = ptx_variable_read(s, &v, &e->initials);

	if (!ret)
		ret = ptx_scan_expect(s, ";");
	if (ret)
		return ret;
	e->line = v.line;
	ptx_global_add(e, &v, &e->initials);
	return e->failed;
}

/* The rest of its line: .version 8.0, .target sm_80, texmode_independent */
static void skip_line(struct ptx_scan *s)
{
	const char *at = s->lexer.text + s->lexer.at;
	const char *end = memchr(at, '\n', s->lexer.length - s->lexer.at);

	s->lexer.at = end ? (size_t)(end - s->lexer.text) : s->lexer.length;
}

static int check_address_size(struct ptx_scan *s)
{
	struct ptx_token t = ptx_scan_peek(s);
	uint64_t bits = 0;
	int ret = ptx_scan_integer(s, UINT32_MAX, &bits);

	if (!ret && bits != 64)
		return ptx_scan_fail(s, t, "an address size of 64 bits");
	return ret;
}

/* .section .debug_info { ... } */
static int skip_section(struct ptx_scan *s)
{
	ptx_scan_next(s);
	return ptx_scan_skip_nested(s);
}

static int read_item(struct ptx_emitter *e, struct ptx_scan *s, struct ptx_token first)
{
	struct ptx_word word = ptx_scan_word(s, first);
	struct ptx_variable v = { 0 };

	while (ptx_word_is_in(word, ".extern .visible .weak .common")) {
		v.is_extern |= ptx_word_is(word, ".extern");
		v.is_visible = true;
		first = ptx_scan_next(s);
		word = ptx_scan_word(s, first);
	}
	if (ptx_word_is(word, ".entry") || ptx_word_is(word, ".func"))
		return ptx_function_read(e, s, ptx_word_is(word, ".entry"));
	v.space = ptx_space_of(word);
	if (v.space != PTX_GENERIC)
		return read_variable(e, s, v);
	if (ptx_word_is(word, ".section"))
		return skip_section(s);
	if (ptx_word_is_in(word, ".pragma .alias .callprototype"))
		return ptx_scan_skip_statement(s);
	if (ptx_word_is(word, ".address_size"))
		return check_address_size(s);
	if (first.kind != PTX_SUFFIX)
		return ptx_scan_fail(s, first, "a directive of PTX");
	skip_line(s);
	return 0;
}

static int read_text(struct ptx_emitter *e, struct ptx_scan *s)
{
	struct ptx_token first = ptx_scan_next(s);
	int ret = 0;

	/* What was embedded may end in zeros. */
	if (!ptx_token_is(s->lexer.text, first, ".version"))
		return ptx_scan_fail(s, first, "PTX, which begins with '.version',");
	skip_line(s);
	while (!ret && (first = ptx_scan_next(s)).kind != PTX_END)
		ret = read_item(e, s, first);
	return ret;
}

static int init(struct ptx_emitter *e, LLVMContextRef context, const char *name,
                const struct ptx_scan *s)
{
	int ret = ptx_symbols_init(&e->symbols, e->err);

	if (!ret)
		ret = ptx_symbols_init(&e->labels, e->err);
	array_init(&e->functions, sizeof(struct ptx_function), FUNCTIONS_MOST, "functions of PTX");
	array_init(&e->parameters, sizeof(struct ptx_variable), FUNCTIONS_MOST,
	           "parameters of PTX");
	array_init(&e->initials, sizeof(struct ptx_initial), PTX_INITIALS_MOST,
	           "initial values in PTX");
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
	array_release(&e->parameters);
	array_release(&e->initials);
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
