/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_scan.h"

#include "err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Each token is made once, however often it is looked at. */
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

	return err_set(s->err, ERR_FORMAT, "%s:%zu: expected %s", s->path, ptx_scan_line(s, t),
	               what);
}

int ptx_scan_fail(struct ptx_scan *s, struct ptx_token t, const char *what)
{
	struct ptx_word word = ptx_scan_word(s, t);
	size_t line = ptx_scan_line(s, t);

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

/* To behind the bracket that closes the first of `depth` that are open. */
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

int ptx_scan_skip_nested(struct ptx_scan *s)
{
	struct ptx_token t = ptx_scan_next(s);
	char c = t.kind == PTX_SIGN ? s->lexer.text[t.begin] : '\0';

	return skip_brackets(s, c == '{' || c == '(' || c == '[', t.begin);
}

int ptx_scan_skip_body(struct ptx_scan *s)
{
	return skip_brackets(s, 1, s->lexer.at);
}

int ptx_scan_skip_statement(struct ptx_scan *s, size_t begin)
{
	while (!ptx_scan_take(s, ";")) {
		int ret = ptx_scan_peek(s).kind == PTX_END || ptx_scan_sees(s, "}")
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

/* 1.5: of the decimal system; always a double. */
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

/* 12: what most are. */
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
