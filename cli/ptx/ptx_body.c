/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "ptx_parser.h"

#include <string.h>

/* Where a function stands: `depth` braces are open, its own included. */
struct body {
	struct ptx_parser *p;
	size_t depth;
	size_t begin; /* of the body, for messages */
};

static bool is(const struct ptx_parser *p, struct ptx_token t, const char *word)
{
	return ptx_token_is(p->m->text, t, word);
}

/* The beginning of the line when there are only blanks before `at`, else `at`. */
static size_t line_start(const struct ptx_parser *p, size_t at)
{
	size_t i = at;

	while (i > 0 && (p->m->text[i - 1] == ' ' || p->m->text[i - 1] == '\t'))
		i--;
	return i > 0 && p->m->text[i - 1] == '\n' ? i : at;
}

/* Something begins at `at` that is run: what is run before it may stand there. */
static void note_start(struct body *b, size_t at)
{
	if (b->depth == 1 && !b->p->f->start)
		b->p->f->start = line_start(b->p, at);
}

static int missing_semicolon(const struct ptx_parser *p, size_t at)
{
	struct ptx_parser copy = *p;

	return ptx_parser_expected(&copy, at, "a ';' behind what begins here");
}

/*
 * Collect the tokens from `first` up to the semicolon, whose end is *end. Braces are of operands
 * then, or of the values of a variable.
 */
static int collect(struct ptx_parser *p, struct ptx_token first, size_t *end)
{
	size_t depth = 0;

	array_clear(&p->tokens);
	for (struct ptx_token t = first;; t = ptx_lexer_next(&p->lexer)) {
		struct ptx_token *added;

		*end = t.end;
		if (t.kind == PTX_END || (is(p, t, "}") && !depth))
			return missing_semicolon(p, first.begin);
		if (is(p, t, ";"))
			return 0;
		depth += is(p, t, "{");
		depth -= is(p, t, "}");
		added = array_push(&p->tokens, 1, p->err);
		if (!added)
			return p->err->code;
		*added = t;
	}
}

/* .loc, .file, .reg, .pragma, ... */
static int take_directive(struct body *b, struct ptx_token t)
{
	struct ptx_parser *p = b->p;
	size_t end;
	int ret;

	if (is(p, t, ".file"))
		return ptx_parser_file(p);
	if (!is(p, t, ".loc"))
		return collect(p, t, &end);
	ret = ptx_parser_loc(p);
	if (!ret && p->f->place == PTX_NONE)
		p->f->place = p->place;
	return ret;
}

/* The guard of an instruction, behind its '@'; *t becomes the opcode. */
static int take_guard(struct body *b, struct ptx_guard *guard, struct ptx_token *t)
{
	struct ptx_parser *p = b->p;

	guard->name = ptx_lexer_next(&p->lexer);
	if (is(p, guard->name, "!")) {
		guard->is_negated = true;
		guard->name = ptx_lexer_next(&p->lexer);
	}
	if (guard->name.kind != PTX_WORD)
		return ptx_parser_expected(p, guard->begin, "a predicate behind this '@'");
	*t = ptx_lexer_next(&p->lexer);
	return t->kind == PTX_WORD
	               ? 0
	               : ptx_parser_expected(p, guard->begin, "an instruction behind its guard");
}

/* A label, or an instruction with or without a guard. */
static int take_instruction(struct body *b, struct ptx_token t)
{
	struct ptx_parser *p = b->p;
	struct ptx_guard guard = { .begin = t.begin };
	size_t end;
	int ret = 0;

	if (t.kind == PTX_WORD && is(p, ptx_lexer_peek(&p->lexer), ":")) {
		ptx_lexer_next(&p->lexer);
		return 0;
	}
	if (is(p, t, "@"))
		ret = take_guard(b, &guard, &t);
	if (!ret)
		ret = collect(p, t, &end);
	return ret ? ret : ptx_parser_instruction(p, &guard, end);
}

static int take_statement(struct body *b, struct ptx_token t)
{
	struct ptx_parser *p = b->p;

	if (t.kind == PTX_END)
		return ptx_parser_expected(p, b->begin, "a '}' at the end of this function");
	if (is(p, t, "}")) {
		b->depth--;
		return 0;
	}
	if (t.kind == PTX_SUFFIX)
		return take_directive(b, t);
	if (is(p, t, ";"))
		return 0;
	note_start(b, t.begin);
	if (is(p, t, "{")) {
		b->depth++;
		return 0;
	}
	return take_instruction(b, t);
}

int ptx_parser_body(struct ptx_parser *p)
{
	struct body b = { .p = p, .depth = 1, .begin = p->lexer.at };
	int ret = 0;

	while (!ret && b.depth)
		ret = take_statement(&b, ptx_lexer_next(&p->lexer));
	return ret;
}
