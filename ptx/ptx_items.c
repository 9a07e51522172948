/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_items.h"

#include "err.h"

#define FUNCTIONS_MOST ((size_t)1 << 20)

void ptx_items_init(struct ptx_items *x)
{
	*x = (struct ptx_items){ .address_bits = 64 };
	array_init(&x->parameters, sizeof(struct ptx_variable), FUNCTIONS_MOST,
	           "parameters of PTX");
	array_init(&x->initials, sizeof(struct ptx_initial), PTX_INITIALS_MOST,
	           "initial values in PTX");
}

void ptx_items_release(struct ptx_items *x)
{
	array_release(&x->parameters);
	array_release(&x->initials);
}

const struct ptx_variable *ptx_items_parameter(const struct ptx_items *x,
                                               const struct ptx_head *head, uint32_t i)
{
	return (const struct ptx_variable *)x->parameters.data + head->first_parameter + i;
}

static int failed(const struct ptx_scan *s)
{
	return s->err && s->err->code ? s->err->code : ERR_NOMEM;
}

/* (.param .b64 a, .param .align 8 .b8 b[24]) */
static int read_parameters(struct ptx_items *x, struct ptx_scan *s, uint32_t *count)
{
	int ret = ptx_scan_expect(s, "(");

	while (!ret && !ptx_scan_take(s, ")")) {
		struct ptx_variable *v;

		if (ptx_scan_peek(s).kind == PTX_END)
			return ptx_scan_fail(s, ptx_scan_peek(s), "a ')'");
		v = array_push(&x->parameters, 1, s->err);
		if (!v)
			return failed(s);
		ret = ptx_variable_read(s, v, &x->initials);
		if (!ret && (++*count > PTX_PARAMETERS_MOST || v->bytes > PTX_PARAMETER_BYTES_MOST))
			return err_set(s->err, ERR_LIMIT,
			               "%s:%zu: more than %d parameters, or a large one", s->path,
			               v->line, PTX_PARAMETERS_MOST);
		if (!ret && !ptx_scan_take(s, ",") && !ptx_scan_sees(s, ")"))
			ret = ptx_scan_fail(s, ptx_scan_peek(s), "',' or ')'");
	}
	return ret;
}

/* Up to three numbers: .maxntid 128, 1, 1 */
static int read_threads(struct ptx_scan *s, uint64_t threads[3])
{
	int ret = 0;

	for (unsigned i = 0; i < 3; i++)
		threads[i] = 1;
	for (unsigned i = 0; !ret && i < 3; i++) {
		ret = ptx_scan_integer(s, UINT32_MAX, &threads[i]);
		if (!ptx_scan_take(s, ","))
			break;
	}
	return ret;
}

/* Directives between head and body; the numbers of unknown ones are skipped. */
static int read_directives(struct ptx_scan *s, struct ptx_head *f)
{
	size_t name = (size_t)(f->name.at - s->lexer.text);
	int ret = 0;

	while (!ret && !ptx_scan_sees(s, "{") && !ptx_scan_sees(s, ";")) {
		struct ptx_token t = ptx_scan_next(s);
		struct ptx_word word = ptx_scan_word(s, t);

		if (t.kind == PTX_END || ptx_word_is_in(word, ".entry .func"))
			return ptx_scan_fail_at(s, name, "the body of this function, or ';'");
		if (ptx_word_is(word, ".maxntid"))
			ret = read_threads(s, f->max_threads);
		else if (ptx_word_is(word, ".reqntid"))
			ret = read_threads(s, f->required_threads);
		else if (ptx_word_is(word, ".minnctapersm"))
			ret = ptx_scan_integer(s, UINT32_MAX, &f->min_groups);
		else if (ptx_word_is(word, ".pragma"))
			ret = ptx_scan_skip_statement(s, t.begin);
	}
	return ret;
}

/* .func .attribute(.unified(1, 2)) (.param .b32 r) f (.param .b64 a) .noreturn */
static int read_head(struct ptx_items *x, struct ptx_scan *s, struct ptx_head *f)
{
	struct ptx_token name;
	int ret = 0;

	f->first_parameter = x->parameters.count;
	while (!ret && ptx_scan_take(s, ".attribute"))
		ret = ptx_scan_skip_nested(s);
	f->line = ptx_scan_line(s, ptx_scan_peek(s));
	if (!ret && !f->is_entry && ptx_scan_sees(s, "("))
		ret = read_parameters(x, s, &f->result_count);
	f->parameter_count = f->result_count;
	if (ret)
		return ret;
	name = ptx_scan_next(s);
	if (name.kind != PTX_WORD)
		return ptx_scan_fail(s, name, "the name of a function");
	f->name = ptx_scan_word(s, name);
	if (ptx_scan_sees(s, "("))
		ret = read_parameters(x, s, &f->parameter_count);
	if (!ret)
		ret = read_directives(s, f);
	f->has_body = !ret && ptx_scan_take(s, "{");
	return ret || f->has_body ? ret : ptx_scan_expect(s, ";");
}

/* The next name of a list: .global .u32 x, y[2] = {1, 2}; */
static int read_variable(struct ptx_items *x, struct ptx_scan *s, struct ptx_item *item)
{
	int ret;

	item->kind = PTX_ITEM_VARIABLE;
	item->variable = x->list;
	ret = ptx_variable_read_name(s, &item->variable, x->leaves_initials ? NULL : &x->initials);
	x->is_in_list = !ret && ptx_scan_take(s, ",");
	return ret || x->is_in_list ? ret : ptx_scan_expect(s, ";");
}

/* Skip an unknown or unused directive: to the next directive, over braces, or past a ';'. */
static int skip_directive(struct ptx_scan *s)
{
	int ret = 0;

	while (!ret && ptx_scan_peek(s).kind != PTX_SUFFIX && ptx_scan_peek(s).kind != PTX_END &&
	       !ptx_scan_take(s, ";"))
		ret = ptx_scan_skip_nested(s);
	return ret;
}

static int read_directive(struct ptx_items *x, struct ptx_scan *s, struct ptx_item *item)
{
	struct ptx_word word = ptx_scan_word(s, item->first);

	item->kind = PTX_ITEM_OTHER;
	if (ptx_word_is(word, ".address_size")) {
		item->first = ptx_scan_peek(s);
		return ptx_scan_integer(s, UINT32_MAX, &x->address_bits);
	}
	if (!ptx_word_is(word, ".section"))
		return skip_directive(s);
	ptx_scan_next(s); /* its name */
	return ptx_scan_sees(s, "{") ? ptx_scan_skip_nested(s) : 0;
}

int ptx_items_next(struct ptx_items *x, struct ptx_scan *s, struct ptx_item *item)
{
	struct ptx_variable *v = &x->list;
	struct ptx_word word;
	int ret;

	*item = (struct ptx_item){ .first = ptx_scan_peek(s) };
	if (x->is_in_list)
		return read_variable(x, s, item);
	*v = (struct ptx_variable){ .is_visible = false };
	word = ptx_scan_word(s, ptx_scan_next(s));
	while (ptx_word_is_in(word, ".extern .visible .weak .common")) {
		v->is_extern |= ptx_word_is(word, ".extern");
		v->is_visible = true;
		item->first = ptx_scan_next(s);
		word = ptx_scan_word(s, item->first);
	}
	if (item->first.kind == PTX_END)
		return 0;
	if (item->first.kind != PTX_SUFFIX) {
		item->kind = PTX_ITEM_STRAY;
		return 0;
	}
	if (ptx_word_is_in(word, ".entry .func")) {
		item->kind = PTX_ITEM_FUNCTION;
		item->head.is_entry = ptx_word_is(word, ".entry");
		return read_head(x, s, &item->head);
	}
	v->space = ptx_space_of(word);
	if (v->space == PTX_GENERIC)
		return read_directive(x, s, item);
	ret = ptx_variable_read_type(s, v);
	return ret ? ret : read_variable(x, s, item);
}
