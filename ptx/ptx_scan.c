/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_scan.h"

#include "err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptx_word_is(struct ptx_word word, const char *text)
{
	size_t i = 0;

	while (i < word.length && text[i] && word.at[i] == text[i])
		i++;
	return i == word.length && !text[i];
}

bool ptx_word_begins(struct ptx_word word, const char *text)
{
	size_t length = strlen(text);

	return word.length >= length && !memcmp(word.at, text, length);
}

bool ptx_word_equals(struct ptx_word a, struct ptx_word b)
{
	return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

bool ptx_word_is_in(struct ptx_word word, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, " ");

		if (length && length == word.length && !memcmp(list, word.at, length))
			return true;
		list += length;
		list += strspn(list, " ");
	}
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether a character may be in a name; % and $ may begin one. */
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

/* Returns the end of the comment that begins at i, or i. */
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

/* Returns the end of a name and of the names joined to it by '::'. */
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

/* 1, 0x1F, 0f3F800000, 1.5, 1e5: letters, digits and points. */
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

/*
 * Skip to the next of {}()[], take it and return it; PTX_END if there is none. Much faster than
 * token by token.
 */
static struct ptx_token ptx_lexer_next_bracket(struct ptx_lexer *l)
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

	/* most words differ in the first byte */
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

#define NUMBER_LENGTH_MOST 64
#define PLAIN_LENGTH_MOST  19
#define NESTING_MOST       256

void ptx_scan_init(struct ptx_scan *s, const char *path, const char *text, size_t length,
                   struct err *err)
{
	*s = (struct ptx_scan){ .lexer = { text, length, 0 },
		                .path = path,
		                .err = err,
		                .line = 1,
		                .looked_at = SIZE_MAX };
}

/* Scan the next token, once even if it is peeked several times. */
static void look(struct ptx_scan *s)
{
	size_t at = s->lexer.at;

	if (s->looked_at == at)
		return;
	s->ahead = ptx_lexer_next(&s->lexer);
	s->after_ahead = s->lexer.at;
	s->looked_at = at;
	s->lexer.at = at;
}

struct ptx_token ptx_scan_next(struct ptx_scan *s)
{
	look(s);
	s->lexer.at = s->after_ahead;
	return s->ahead;
}

struct ptx_token ptx_scan_peek(struct ptx_scan *s)
{
	look(s);
	return s->ahead;
}

struct ptx_word ptx_scan_word(const struct ptx_scan *s, struct ptx_token t)
{
	return (struct ptx_word){ s->lexer.text + t.begin, t.end - t.begin };
}

bool ptx_scan_sees(struct ptx_scan *s, const char *word)
{
	return ptx_token_is(s->lexer.text, ptx_scan_peek(s), word);
}

bool ptx_scan_take(struct ptx_scan *s, const char *word)
{
	if (!ptx_scan_sees(s, word))
		return false;
	ptx_scan_next(s);
	return true;
}

size_t ptx_scan_line(struct ptx_scan *s, struct ptx_token t)
{
	const char *at;

	if (t.begin < s->counted_bytes) {
		s->counted_bytes = 0;
		s->line = 1;
	}
	at = s->lexer.text + s->counted_bytes;
	while ((at = memchr(at, '\n', (size_t)(s->lexer.text + t.begin - at)))) {
		at++;
		s->line++;
	}
	s->counted_bytes = t.begin;
	return s->line;
}

int ptx_scan_fail_at(struct ptx_scan *s, size_t at_byte, const char *what)
{
	struct ptx_token t = { PTX_END, at_byte, at_byte };

	if (!s->err) /* lines are counted from the start of the text */
		return ERR_FORMAT;
	return err_set(s->err, ERR_FORMAT, "%s:%zu: expected %s", s->path, ptx_scan_line(s, t),
	               what);
}

int ptx_scan_fail(struct ptx_scan *s, struct ptx_token t, const char *what)
{
	struct ptx_word word = ptx_scan_word(s, t);
	size_t line = s->err ? ptx_scan_line(s, t) : 0;

	if (t.kind == PTX_END)
		return err_set(s->err, ERR_FORMAT, "%s:%zu: expected %s, not the end of the text",
		               s->path, line, what);
	return err_set(s->err, ERR_FORMAT, "%s:%zu: expected %s, not '%.*s'", s->path, line, what,
	               PTX_WORD_ARGS(word));
}

int ptx_scan_expect(struct ptx_scan *s, const char *word)
{
	struct ptx_token t = ptx_scan_peek(s);
	char what[32];

	if (ptx_scan_take(s, word))
		return 0;
	snprintf(what, sizeof(what), "'%s'", word);
	return ptx_scan_fail(s, t, what);
}

int ptx_scan_name(struct ptx_scan *s, struct ptx_word *word)
{
	struct ptx_token t = ptx_scan_next(s);

	if (t.kind != PTX_WORD)
		return ptx_scan_fail(s, t, "a name");
	*word = ptx_scan_word(s, t);
	return 0;
}

static bool begins_function(struct ptx_scan *s)
{
	return ptx_scan_sees(s, ".entry") || ptx_scan_sees(s, ".func");
}

/* Skip past the bracket that closes the outermost of `depth` open ones. */
static int skip_brackets(struct ptx_scan *s, size_t depth, size_t begin)
{
	while (depth) {
		struct ptx_token t = ptx_lexer_next_bracket(&s->lexer);
		char c = t.kind == PTX_END ? '\0' : s->lexer.text[t.begin];

		if (t.kind == PTX_END)
			return ptx_scan_fail_at(s, begin, "a '}' for this '{'");
		if (c != '{' && c != '(' && c != '[')
			depth--;
		else if (depth++ == NESTING_MOST)
			return ptx_scan_fail(s, t, "less nesting");
	}
	return 0;
}

/* Skip past the bracket that closes the '(' or '[' that begins here. A function or a ';' ends the
 * search: otherwise a reader that continues after each such failure would take quadratic time. */
static int skip_list(struct ptx_scan *s, size_t begin)
{
	for (size_t depth = 1; depth;) {
		struct ptx_token t = ptx_scan_peek(s);
		char c = t.kind == PTX_SIGN ? s->lexer.text[t.begin] : '\0';

		if (t.kind == PTX_END || c == ';' || begins_function(s))
			return ptx_scan_fail_at(s, begin, "the bracket that closes this one");
		if (c == '{') {
			int ret = ptx_scan_skip_nested(s);

			if (ret)
				return ret;
			continue;
		}
		ptx_scan_next(s);
		depth += c == '(' || c == '[';
		depth -= c == ')' || c == ']' || c == '}';
	}
	return 0;
}

int ptx_scan_skip_nested(struct ptx_scan *s)
{
	struct ptx_token t = ptx_scan_next(s);
	char c = t.kind == PTX_SIGN ? s->lexer.text[t.begin] : '\0';

	if (c == '(' || c == '[')
		return skip_list(s, t.begin);
	return skip_brackets(s, c == '{', t.begin);
}

int ptx_scan_skip_body(struct ptx_scan *s)
{
	return skip_brackets(s, 1, s->lexer.at);
}

int ptx_scan_skip_statement(struct ptx_scan *s, size_t begin)
{
	while (!ptx_scan_take(s, ";")) {
		int ret = ptx_scan_peek(s).kind == PTX_END || ptx_scan_sees(s, "}") ||
		                          begins_function(s)
		                  ? ptx_scan_fail_at(s, begin, "a ';' after what begins here")
		                  : ptx_scan_skip_nested(s);

		if (ret)
			return ret;
	}
	return 0;
}

/* 0f3F800000 and 0d3FF0000000000000: the bits in hexadecimal. */
static bool parse_bits(const char *text, struct ptx_number *n)
{
	char kind = (char)(text[1] | 0x20);
	size_t digits = kind == 'f' ? 8 : 16;

	if (text[0] != '0' || (kind != 'f' && kind != 'd') || strlen(text) != digits + 2 ||
	    strspn(text + 2, "0123456789abcdefABCDEF") != digits)
		return false;
	n->kind = kind == 'f' ? PTX_SINGLE : PTX_DOUBLE;
	n->bits = strtoull(text + 2, NULL, 16);
	return true;
}

static bool parse_integer(char *text, struct ptx_number *n)
{
	size_t length = strlen(text);
	char *end;
	int base = 0;

	if (length > 1 && (text[length - 1] == 'U' || text[length - 1] == 'u'))
		text[length - 1] = 0;
	if (text[0] == '0' && (text[1] | 0x20) == 'b') {
		text += 2;
		base = 2;
	}
	n->kind = PTX_INTEGER;
	n->bits = strtoull(text, &end, base);
	return *text && !*end;
}

/* 1.5: decimal; always a double. */
static bool parse_decimal(const char *text, struct ptx_number *n)
{
	char *end;
	double value;

	if (!strchr(text, '.') || strspn(text, "0123456789.eE") != strlen(text))
		return false;
	value = strtod(text, &end);
	n->kind = PTX_DOUBLE;
	memcpy(&n->bits, &value, sizeof(value));
	return !*end;
}

/* 12: most numbers have this form. */
static bool parse_plain(const char *text, size_t length, struct ptx_number *n)
{
	uint64_t value = 0;

	if (!length || length > PLAIN_LENGTH_MOST || (text[0] == '0' && length > 1))
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	*n = (struct ptx_number){ value, PTX_INTEGER };
	return true;
}

int ptx_scan_number(struct ptx_scan *s, struct ptx_number *number)
{
	bool is_negative = ptx_scan_take(s, "-");
	struct ptx_token t = ptx_scan_next(s);
	size_t length = t.end - t.begin;
	char text[NUMBER_LENGTH_MOST + 1];

	if (t.kind != PTX_NUMBER || length > NUMBER_LENGTH_MOST)
		return ptx_scan_fail(s, t, "a number");
	memcpy(text, s->lexer.text + t.begin, length);
	text[length] = 0;
	if (!parse_plain(text, length, number) && !parse_bits(text, number) &&
	    !parse_decimal(text, number) && !parse_integer(text, number))
		return ptx_scan_fail(s, t, "a number");
	if (is_negative && number->kind == PTX_INTEGER)
		number->bits = 0 - number->bits;
	else if (is_negative)
		number->bits ^= (uint64_t)1 << (number->kind == PTX_SINGLE ? 31 : 63);
	return 0;
}

int ptx_scan_integer(struct ptx_scan *s, uint64_t max, uint64_t *value)
{
	struct ptx_token t = ptx_scan_peek(s);
	struct ptx_number number = { 0 };
	int ret = ptx_scan_number(s, &number);

	if (!ret && (number.kind != PTX_INTEGER || number.bits > max))
		return ptx_scan_fail(s, t, "a smaller whole number");
	if (!ret)
		*value = number.bits;
	return ret;
}
