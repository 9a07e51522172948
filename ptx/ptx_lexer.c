/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_lexer.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What names consist of; % and $ may begin them. */
static bool is_name(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '$' || c == '%' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char at(const struct ptx_lexer *l, size_t i)
{
	if (i >= l->length)
		return 0;
	return l->text[i];
}

/* The end of the comment that begins at i, or i. */
static size_t skip_comment(const struct ptx_lexer *l, size_t i)
{
	char kind = at(l, i + 1);

	if (at(l, i) != '/' || (kind != '/' && kind != '*'))
		return i;
	for (i += 2; i < l->length; i++) {
		if (kind == '/' && l->text[i] == '\n')
			return i + 1;
		if (kind == '*' && l->text[i] == '*' && at(l, i + 1) == '/')
			return i + 2;
	}
	return l->length;
}

static void skip_blank(struct ptx_lexer *l)
{
	for (;;) {
		size_t next;

		while (is_blank(at(l, l->at)))
			l->at++;
		next = skip_comment(l, l->at);
		if (next == l->at)
			return;
		l->at = next;
	}
}

/* Behind the names, with what '::' joins to them. */
static size_t skip_name(const struct ptx_lexer *l, size_t i)
{
	while (is_name(at(l, i)) ||
	       (at(l, i) == ':' && at(l, i + 1) == ':' && is_name(at(l, i + 2))))
		i += at(l, i) == ':' ? 2 : 1;
	return i;
}

static size_t skip_string(const struct ptx_lexer *l, size_t i)
{
	for (i++; i < l->length && l->text[i] != '"'; i++)
		if (l->text[i] == '\\' && i + 1 < l->length)
			i++;
	return i < l->length ? i + 1 : l->length;
}

/* 1, 0x1F, 0f3F800000, 1.5, 1e5: of letters, digits and points. */
static size_t skip_number(const struct ptx_lexer *l, size_t i)
{
	while (is_name(at(l, i)) || at(l, i) == '.')
		i++;
	return i;
}

struct ptx_token ptx_lexer_next(struct ptx_lexer *l)
{
	struct ptx_token t = { PTX_END, 0, 0 };
	char c;

	skip_blank(l);
	t.begin = l->at;
	c = at(l, l->at);
	if (l->at >= l->length) {
		t.end = t.begin;
		return t;
	}
	if (is_digit(c)) {
		t.kind = PTX_NUMBER;
		t.end = skip_number(l, t.begin);
	} else if (is_name(c)) {
		t.kind = PTX_WORD;
		t.end = skip_name(l, t.begin);
	} else if (c == '.' && is_name(at(l, t.begin + 1))) {
		t.kind = PTX_SUFFIX;
		t.end = skip_name(l, t.begin + 1);
	} else if (c == '"') {
		t.kind = PTX_STRING;
		t.end = skip_string(l, t.begin);
	} else {
		t.kind = PTX_SIGN;
		t.end = t.begin + 1;
	}
	l->at = t.end;
	return t;
}

struct ptx_token ptx_lexer_next_bracket(struct ptx_lexer *l)
{
	size_t i = l->at;

	while (i < l->length) {
		char c = l->text[i];

		if (c == '"') {
			i = skip_string(l, i);
		} else if (c == '/' && skip_comment(l, i) > i) {
			i = skip_comment(l, i);
		} else if (c == '{' || c == '}' || c == '(' || c == ')' || c == '[' || c == ']') {
			l->at = i + 1;
			return (struct ptx_token){ PTX_SIGN, i, i + 1 };
		} else {
			i++;
		}
	}
	l->at = l->length;
	return (struct ptx_token){ PTX_END, l->length, l->length };
}

bool ptx_token_is(const char *text, struct ptx_token t, const char *word)
{
	const char *at = text + t.begin, *end = text + t.end;

	/* Most differ in the first byte. */
	while (at < end && *word && *at == *word) {
		at++;
		word++;
	}
	return at == end && !*word;
}

size_t ptx_line_of(const char *text, size_t at_byte)
{
	size_t line = 1;

	for (size_t i = 0; i < at_byte; i++)
		line += text[i] == '\n';
	return line;
}
