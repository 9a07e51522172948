/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_module.h"

#include "err.h"
#include "ptx_parser.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 1 << 27, NUMBER_MAX = 0x7fffffff };

int ptx_parser_expected(struct ptx_parser *p, size_t at, const char *what)
{
	return err_set(p->err, ERR_FORMAT, "%s:%zu: expected %s", p->m->path,
	               ptx_line_of(p->m->text, at), what);
}

static struct ptx_token next(struct ptx_parser *p)
{
	return ptx_lexer_next(&p->lexer);
}

/* Take the next token if it is of this kind. */
static bool take(struct ptx_parser *p, enum ptx_token_kind kind, struct ptx_token *t)
{
	*t = ptx_lexer_peek(&p->lexer);
	if (t->kind != kind)
		return false;
	next(p);
	return true;
}

static bool take_word(struct ptx_parser *p, const char *word)
{
	if (!ptx_token_is(p->m->text, ptx_lexer_peek(&p->lexer), word))
		return false;
	next(p);
	return true;
}

static int take_number(struct ptx_parser *p, uint32_t *number)
{
	struct ptx_token t = next(p);

	return ptx_token_number(p->m->text, t, NUMBER_MAX, number)
	               ? 0
	               : ptx_parser_expected(p, t.begin, "a number");
}

/* A text without its quotes. */
static char *copy_string(const struct ptx_parser *p, struct ptx_token t)
{
	size_t length = t.end - t.begin;
	int shown = length > 2 && length < 1u << 16 ? (int)length - 2 : 0;

	return str_format(p->err, "%.*s", shown, p->m->text + t.begin + 1);
}

/* .file 1 "folder" "name", or .file 1 "name", 1234, 56 */
int ptx_parser_file(struct ptx_parser *p)
{
	struct ptx_token t = { PTX_END, 0, 0 };
	struct ptx_file *file;
	uint32_t number;
	char *name, *second = NULL;
	int ret = take_number(p, &number);

	if (ret)
		return ret;
	if (!take(p, PTX_STRING, &t))
		return ptx_parser_expected(p, t.begin, "the name of a file in quotes");
	name = copy_string(p, t);
	if (name && take(p, PTX_STRING, &t)) {
		char *folder = name;

		second = copy_string(p, t);
		name = second ? str_format(p->err, "%s/%s", folder, second) : NULL;
		free(folder);
		free(second);
	}
	file = name ? array_push(&p->m->files, 1, p->err) : NULL;
	if (!file) {
		free(name);
		return p->err->code;
	}
	*file = (struct ptx_file){ number, name };
	return 0;
}

static int take_place(struct ptx_parser *p, struct ptx_place *place)
{
	int ret = take_number(p, &place->file);

	if (!ret)
		ret = take_number(p, &place->line);
	return ret ? ret : take_number(p, &place->column);
}

static bool is_at(const struct ptx_place *a, const struct ptx_place *b)
{
	return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* function_name LABEL+12, inlined_at 1 18 3, in any order */
static int take_inlining(struct ptx_parser *p, struct ptx_place *caller, bool *is_inlined)
{
	struct ptx_token t;
	int ret = 0;

	*is_inlined = false;
	while (!ret && take_word(p, ",")) {
		if (take_word(p, "inlined_at")) {
			ret = take_place(p, caller);
			*is_inlined = true;
		} else if (take_word(p, "function_name")) {
			next(p);
			if (take_word(p, "+"))
				next(p);
		} else {
			t = next(p);
			ret = ptx_parser_expected(p, t.begin, "function_name or inlined_at");
		}
	}
	return ret;
}

/* The index of the place that something was inlined at: mostly what was told just before. */
static uint32_t caller_of(struct ptx_parser *p, const struct ptx_place *caller)
{
	const struct ptx_place *last = ptx_module_place(p->m, p->place);
	struct ptx_place *added;

	if (last && is_at(last, caller))
		return p->place;
	if (last && last->caller != PTX_NONE && is_at(ptx_module_place(p->m, last->caller), caller))
		return last->caller;
	added = array_push(&p->m->places, 1, p->err);
	if (!added)
		return PTX_NONE;
	*added = *caller;
	added->caller = PTX_NONE;
	return (uint32_t)p->m->places.count - 1;
}

int ptx_parser_loc(struct ptx_parser *p)
{
	struct ptx_place place = { 0 }, caller = { 0 }, *added;
	bool is_inlined = false;
	int ret = take_place(p, &place);

	if (!ret)
		ret = take_inlining(p, &caller, &is_inlined);
	if (ret)
		return ret;
	place.caller = is_inlined ? caller_of(p, &caller) : PTX_NONE;
	if (is_inlined && place.caller == PTX_NONE)
		return p->err->code;
	added = array_push(&p->m->places, 1, p->err);
	if (!added)
		return p->err->code;
	*added = place;
	p->place = (uint32_t)p->m->places.count - 1;
	return 0;
}

/* Behind the brace that stands next, and all between it and its other half. */
static int skip_braces(struct ptx_parser *p)
{
	struct ptx_token t;
	size_t begin = p->lexer.at, depth = 0;

	do {
		t = next(p);
		if (t.kind == PTX_END)
			return ptx_parser_expected(p, begin, "a '}' for this '{'");
		depth += ptx_token_is(p->m->text, t, "{");
		depth -= ptx_token_is(p->m->text, t, "}");
	} while (depth);
	return 0;
}

/* One of the list, up to the ',' or ')' behind it, which is *last. */
static struct ptx_parameter take_parameter(struct ptx_parser *p, struct ptx_token *last)
{
	static const char *const wide[2][3] = { { ".u64", ".b64", ".s64" },
		                                { ".u32", ".b32", ".s32" } };
	struct ptx_parameter q = { .is_wide = false };
	const char *text = p->m->text;

	for (;;) {
		*last = next(p);
		if (last->kind == PTX_END || ptx_token_is(text, *last, ",") ||
		    ptx_token_is(text, *last, ")"))
			return q;
		if (last->kind == PTX_WORD)
			q.name = *last;
		if (ptx_token_is(text, *last, ".ptr"))
			q.is_pointer = true;
		for (size_t i = 0; i < 3; i++)
			q.is_wide = q.is_wide || ptx_token_is(text, *last, wide[p->is_narrow][i]);
	}
}

/* (.param .u64 a, .param .align 8 .b8 b[16]) */
static int take_parameters(struct ptx_parser *p)
{
	struct ptx_token last;

	do {
		struct ptx_parameter q = take_parameter(p, &last), *added;

		if (q.name.kind != PTX_WORD)
			continue;
		added = array_push(&p->m->parameters, 1, p->err);
		if (!added)
			return p->err->code;
		*added = q;
		p->f->parameter_count++;
	} while (ptx_token_is(p->m->text, last, ","));
	return last.kind == PTX_END ? ptx_parser_expected(p, last.begin, "a ')'") : 0;
}

/* Behind the first such token. */
static void skip_to(struct ptx_parser *p, const char *word)
{
	struct ptx_token t;

	do {
		t = next(p);
	} while (t.kind != PTX_END && !ptx_token_is(p->m->text, t, word));
}

/* Between .func and its name: .attribute(.unified(1, 2)) and (.param .b32 result) */
static void skip_result(struct ptx_parser *p)
{
	while (take_word(p, ".attribute")) {
		skip_to(p, ")");
		take_word(p, ")");
	}
	if (take_word(p, "("))
		skip_to(p, ")");
}

/* A function whose body begins; its loads and flows are all that come from now on. */
static int take_body(struct ptx_parser *p, struct ptx_token name)
{
	struct ptx_function *f = p->f;

	f->name = str_format(p->err, "%.*s",
	                     (int)(name.end - name.begin < 1u << 16 ? name.end - name.begin : 0),
	                     p->m->text + name.begin);
	f->first_flow = p->m->flows.count;
	f->first_load = p->m->loads.count;
	f->place = PTX_NONE;
	p->place = PTX_NONE;
	ptx_registers_clear(&p->registers);
	return f->name ? ptx_parser_body(p) : p->err->code;
}

static int end_function(struct ptx_parser *p)
{
	struct ptx_function *f = p->f, *added = array_push(&p->m->functions, 1, p->err);

	f->flow_count = p->m->flows.count - f->first_flow;
	f->load_count = p->m->loads.count - f->first_load;
	f->register_count = (uint32_t)p->registers.names.count;
	if (!added)
		return p->err->code;
	*added = *f;
	f->name = NULL;
	return 0;
}

/* Up to the body or the end of a declaration; *has_body: which. */
static int take_head(struct ptx_parser *p, struct ptx_token *name, bool *has_body)
{
	struct ptx_token t;
	int ret = 0;

	skip_result(p);
	if (!take(p, PTX_WORD, name))
		return ptx_parser_expected(p, name->begin, "the name of a function");
	if (take_word(p, "("))
		ret = take_parameters(p);
	while (!ret && !*has_body) {
		t = next(p);
		if (t.kind == PTX_END)
			return ptx_parser_expected(p, name->begin, "the body of this function");
		if (ptx_token_is(p->m->text, t, ";"))
			return 0;
		if (ptx_token_is(p->m->text, t, ".pragma"))
			skip_to(p, ";");
		*has_body = ptx_token_is(p->m->text, t, "{");
	}
	return ret;
}

/* .entry and .func, behind that word; a declaration leaves nothing. */
static int take_function(struct ptx_parser *p, bool is_entry)
{
	struct ptx_function f = { .is_entry = is_entry };
	struct ptx_token name;
	bool has_body = false;
	int ret;

	p->f = &f;
	f.first_parameter = p->m->parameters.count;
	ret = take_head(p, &name, &has_body);
	if (!ret && has_body)
		ret = take_body(p, name);
	if (!ret && has_body)
		ret = end_function(p);
	p->f = NULL;
	free(f.name);
	return ret;
}

/* What a word at the outermost level begins. */
static int take_item(struct ptx_parser *p, struct ptx_token t)
{
	const char *text = p->m->text;

	if (t.kind != PTX_SUFFIX)
		return 0;
	if (ptx_token_is(text, t, ".entry") || ptx_token_is(text, t, ".func"))
		return take_function(p, ptx_token_is(text, t, ".entry"));
	if (ptx_token_is(text, t, ".file"))
		return ptx_parser_file(p);
	if (ptx_token_is(text, t, ".address_size"))
		p->is_narrow = take_word(p, "32");
	if (!ptx_token_is(text, t, ".section"))
		return 0;
	next(p); /* its name */
	return ptx_token_is(text, ptx_lexer_peek(&p->lexer), "{") ? skip_braces(p) : 0;
}

int ptx_module_read(struct ptx_module *m, const char *path, const char *text, size_t length,
                    struct err *err)
{
	struct ptx_parser p = { .m = m, .lexer = { text, length, 0 }, .err = err };
	struct ptx_token t;
	int ret = 0;

	*m = (struct ptx_module){ .path = path, .text = text, .length = length };
	array_init(&m->files, sizeof(struct ptx_file), ITEMS_MAX, "files");
	array_init(&m->places, sizeof(struct ptx_place), ITEMS_MAX, "places");
	array_init(&m->parameters, sizeof(struct ptx_parameter), ITEMS_MAX, "parameters");
	array_init(&m->flows, sizeof(struct ptx_flow), ITEMS_MAX, "flows of addresses");
	array_init(&m->loads, sizeof(struct ptx_load), ITEMS_MAX, "loads");
	array_init(&m->functions, sizeof(struct ptx_function), ITEMS_MAX, "functions");
	array_init(&p.tokens, sizeof(struct ptx_token), ITEMS_MAX, "words of an instruction");
	ptx_registers_init(&p.registers, text);
	do {
		t = next(&p);
		ret = take_item(&p, t);
	} while (!ret && t.kind != PTX_END);
	ptx_registers_release(&p.registers);
	array_release(&p.tokens);
	return ret;
}

void ptx_module_release(struct ptx_module *m)
{
	for (size_t i = 0; i < m->files.count; i++)
		free(((struct ptx_file *)m->files.data)[i].name);
	for (size_t i = 0; i < m->functions.count; i++)
		free(((struct ptx_function *)m->functions.data)[i].name);
	array_release(&m->files);
	array_release(&m->places);
	array_release(&m->parameters);
	array_release(&m->flows);
	array_release(&m->loads);
	array_release(&m->functions);
}

const struct ptx_function *ptx_module_function(const struct ptx_module *m, size_t index)
{
	return (const struct ptx_function *)m->functions.data + index;
}

const struct ptx_load *ptx_module_load(const struct ptx_module *m, size_t index)
{
	return (const struct ptx_load *)m->loads.data + index;
}

const struct ptx_place *ptx_module_place(const struct ptx_module *m, uint32_t index)
{
	return index == PTX_NONE ? NULL : (const struct ptx_place *)m->places.data + index;
}

const char *ptx_module_file(const struct ptx_module *m, uint32_t number)
{
	const struct ptx_file *files = m->files.data;

	for (size_t i = 0; i < m->files.count; i++)
		if (files[i].number == number)
			return files[i].name;
	return "";
}
