/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_list_private.h"
#include "err.h"
#include "file.h"
#include "number.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static const char FIRST_LINE[] = "warpline bypass 1";
static const char MAGIC[] = "warpline bypass ";
static const size_t FILE_BYTES_MAX = (size_t)1 << 30;

/* A list while it is read. */
struct reader {
	struct bypass_list *list;
	char *at;     /* what is left of the line */
	char *kernel; /* of the rules that follow; in the text; NULL: all */
};

/* A word of a line, and what stands behind the closing quote of a quoted one; in the text. */
struct word {
	char *text, *tail;
	bool is_quoted;
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* --- words -------------------------------------------------------------------------------------
 */

/* The value of four hexadecimal digits, or -1. */
static int32_t parse_hex4(const char *text)
{
	int32_t value = 0;

	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdefABCDEF";
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
		int32_t n = digit ? (int32_t)(digit - digits) : -1;

		if (n < 0)
			return -1;
		value = value * 16 + (n < 16 ? n : n - 6);
	}
	return value;
}

/* Write a code point as UTF-8: what stands behind it. */
static char *put_code(char *to, uint32_t code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}
	if (code >= 0x10000) {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
	} else if (code >= 0x800) {
		*to++ = (char)(0xe0 | code >> 12);
	}
	*to++ = (char)((code < 0x800 ? 0xc0 | code >> 6 : 0x80 | (code >> 6 & 0x3f)));
	*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

/* The escape whose backslash is at *from: false when it is none. */
static bool decode_escape(char **from, char **to)
{
	static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	char letter = (*from)[1];
	const char *plain = letter ? strchr(letters, letter) : NULL;
	int32_t code, low;

	if (plain) {
		*(*to)++ = values[plain - letters];
		*from += 2;
		return true;
	}
	code = letter == 'u' ? parse_hex4(*from + 2) : -1;
	if (code <= 0 || code >> 10 == 0xdc00 >> 10)
		return false;
	*from += 6;
	if (code >> 10 == 0xd800 >> 10) {
		low = (*from)[0] == '\\' && (*from)[1] == 'u' ? parse_hex4(*from + 2) : -1;
		if (low >> 10 != 0xdc00 >> 10)
			return false;
		*from += 6;
		code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
	}
	*to = put_code(*to, (uint32_t)code);
	return true;
}

/* Decode the JSON string at `text` in place: what stands behind it, or NULL. */
static char *decode_string(char *text)
{
	char *from = text + 1, *to = text;

	while (*from && *from != '"') {
		if (*from != '\\')
			*to++ = *from++;
		else if (!decode_escape(&from, &to))
			return NULL;
	}
	if (*from != '"')
		return NULL;
	*to = '\0'; /* `to` is behind `from`: at most on the quote */
	return from + 1;
}

/* Take the next word of the line: 1, 0 when there is none, or ERR_FORMAT. */
static int next_word(struct reader *r, struct word *w, struct err *err)
{
	while (is_space(*r->at))
		r->at++;
	if (!*r->at || *r->at == '#')
		return 0;
	*w = (struct word){ .text = r->at, .is_quoted = *r->at == '"' };
	if (w->is_quoted) {
		r->at = decode_string(r->at);
		if (!r->at)
			return err_set(err, ERR_FORMAT, "a quoted name is not a JSON string");
	}
	w->tail = r->at;
	while (*r->at && !is_space(*r->at))
		r->at++;
	if (*r->at)
		*r->at++ = '\0';
	return 1;
}

/* The word that has to be there. `can_have_tail`: a quoted one may go on. */
static int take_word(struct reader *r, struct word *w, bool can_have_tail, const char *what,
                     struct err *err)
{
	int ret = next_word(r, w, err);

	if (ret < 0)
		return ret;
	if (!ret)
		return err_set(err, ERR_FORMAT, "expected %s", what);
	if (w->is_quoted && *w->tail && !can_have_tail)
		return err_set(err, ERR_FORMAT, "'%.64s' stands after a quoted name", w->tail);
	if (strlen(w->text) > BYPASS_NAME_MAX)
		return err_set(err, ERR_LIMIT, "a name of more than %d characters",
		               BYPASS_NAME_MAX);
	return 0;
}

/* Nothing but a comment is left. */
static int check_end(struct reader *r, struct err *err)
{
	struct word w;
	int ret = next_word(r, &w, err);

	return ret > 0 ? err_set(err, ERR_FORMAT, "'%.64s' was not expected", w.text) : ret;
}

/* --- rules -------------------------------------------------------------------------------------
 */

static int take_number(struct reader *r, struct bypass_rule *rule, struct err *err)
{
	const struct bypass_kind_row *row = &bypass_kind_rows[rule->kind];
	char what[48];
	struct word w;
	int ret;

	(void)snprintf(what, sizeof(what), "%s after '%s'", row->number, row->word);
	ret = take_word(r, &w, false, what, err);
	return ret ? ret : bypass_rule_set_number(rule, w.text, err);
}

/* Cut ":NUMBER" off the end of text. */
static int cut_number(char *text, const char *what, uint32_t *out, struct err *err)
{
	char *colon = strrchr(text, ':');
	uint64_t number = 0;
	int ret;

	if (!colon)
		return err_set(err, ERR_FORMAT, "expected FILE:LINE:COLUMN after 'at'");
	ret = number_parse(colon + 1, what, 0, UINT32_MAX, &number, err);
	*colon = '\0';
	*out = (uint32_t)number;
	return ret;
}

/* "#1" where it is the whole word, else nothing: it is a comment. */
static int take_ordinal(struct reader *r, struct bypass_place *place, struct err *err)
{
	char *digits, after;
	uint64_t number = 0;
	size_t length;
	int ret = 0;

	while (is_space(*r->at))
		r->at++;
	digits = r->at + 1;
	if (*r->at != '#' || !(length = strspn(digits, "0123456789")) ||
	    (digits[length] && !is_space(digits[length])))
		return 0;
	after = digits[length];
	digits[length] = '\0';
	ret = number_parse(digits, "the order in its line", 1, UINT32_MAX, &number, err);
	digits[length] = after;
	r->at = digits + length;
	place->ordinal = (uint32_t)number;
	return ret;
}

/* What stands behind the number of a site. */
static int take_place(struct reader *r, struct bypass_place *place, struct err *err)
{
	struct word w;
	int ret = next_word(r, &w, err);

	if (ret <= 0)
		return ret;
	if (w.is_quoted || strcmp(w.text, "at") != 0)
		return err_set(err, ERR_FORMAT, "'%.64s': expected 'at FILE:LINE:COLUMN'", w.text);
	ret = take_word(r, &w, true, "FILE:LINE:COLUMN after 'at'", err);
	if (ret)
		return ret;
	place->file = w.text;
	ret = cut_number(w.is_quoted ? w.tail : w.text, "column", &place->column, err);
	if (!ret)
		ret = cut_number(w.is_quoted ? w.tail : w.text, "line", &place->line, err);
	if (!ret && (w.is_quoted ? *w.tail != '\0' : !*w.text))
		ret = err_set(err, ERR_FORMAT, "expected FILE:LINE:COLUMN after 'at'");
	return ret ? ret : take_ordinal(r, place, err);
}

/* "sm N" behind an address. */
static int take_sm(struct reader *r, struct bypass_rule *rule, struct err *err)
{
	struct word w;
	uint64_t number = 0;
	int ret = next_word(r, &w, err);

	if (ret <= 0)
		return ret;
	if (w.is_quoted || strcmp(w.text, "sm") != 0)
		return err_set(err, ERR_FORMAT, "'%.64s': expected 'sm N'", w.text);
	ret = take_word(r, &w, false, "a number after 'sm'", err);
	if (!ret)
		ret = number_parse(w.text, "sm", 0, UINT32_MAX, &number, err);
	rule->sm = (int64_t)number;
	return ret;
}

static int take_name(struct reader *r, char **name, struct err *err)
{
	struct word w;
	int ret = take_word(r, &w, false, "a name", err);

	*name = ret ? NULL : w.text;
	return ret;
}

static int read_kernel(struct reader *r, struct err *err)
{
	struct word w;
	int ret = take_word(r, &w, false, "the name of a kernel, or *", err);

	if (ret)
		return ret;
	r->kernel = !w.is_quoted && !strcmp(w.text, "*") ? NULL : w.text;
	return check_end(r, err);
}

static int read_rule(struct reader *r, enum bypass_kind kind, struct err *err)
{
	struct bypass_rule rule = { .kind = kind, .kernel = r->kernel, .sm = -1 };
	int ret = 0;

	if (kind == BYPASS_ARGUMENT)
		ret = take_name(r, &rule.name, err);
	else if (kind != BYPASS_ALL)
		ret = take_number(r, &rule, err);
	if (!ret && kind == BYPASS_SITE)
		ret = take_place(r, &rule.place, err);
	if (!ret && kind == BYPASS_ADDRESS)
		ret = take_sm(r, &rule, err);
	if (!ret)
		ret = check_end(r, err);
	return ret ? ret : bypass_list_add(r->list, &rule, err);
}

static int read_line(struct reader *r, struct err *err)
{
	struct word w;
	int ret = next_word(r, &w, err);
	size_t kind;

	if (ret <= 0)
		return ret;
	if (!w.is_quoted && !strcmp(w.text, "kernel"))
		return read_kernel(r, err);
	kind = w.is_quoted ? bypass_kind_count : bypass_kind_find(w.text, strlen(w.text));
	if (kind == bypass_kind_count)
		return err_set(err, ERR_FORMAT, "'%.64s' is not a kind of rule", w.text);
	return read_rule(r, (enum bypass_kind)kind, err);
}

/* --- a file ------------------------------------------------------------------------------------
 */

static int check_first(const char *path, const char *line, struct err *err)
{
	if (!strcmp(line, FIRST_LINE))
		return 0;
	if (!strncmp(line, MAGIC, sizeof(MAGIC) - 1))
		return err_set(err, ERR_VERSION, "%s:1: '%.64s': this program reads '%s'", path,
		               line, FIRST_LINE);
	return err_set(err, ERR_FORMAT, "%s:1: not a bypass list: expected '%s' in the first line",
	               path, FIRST_LINE);
}

/* A wrong number in a file is not wrong use of a command. */
static int refuse(const char *path, size_t line, const struct err *why, struct err *err)
{
	int code = why->code == ERR_USAGE ? ERR_FORMAT : why->code;

	return err_set(err, (enum err_code)code, "%s:%zu: %s", path, line, why->msg);
}

int bypass_list_read_text(struct bypass_list *list, const char *path, char *text, size_t length,
                          struct err *err)
{
	struct reader r = { .list = list };
	size_t number = 0;
	int ret = 0;

	for (char *line = text, *end = text + length; !ret && (line < end || !number);) {
		char *stop = memchr(line, '\n', (size_t)(end - line));
		struct err why = { 0 };

		stop = stop ? stop : end;
		*stop = '\0';
		number++;
		if (strlen(line) != (size_t)(stop - line))
			return err_set(err, ERR_FORMAT, "%s:%zu: a NUL character", path, number);
		r.at = line;
		if (number == 1)
			ret = check_first(path, line, err);
		else if (read_line(&r, &why))
			ret = refuse(path, number, &why, err);
		line = stop + 1;
	}
	return ret;
}

int bypass_list_read(struct bypass_list *list, const char *path, struct err *err)
{
	bool is_stdin = !strcmp(path, "-");
	struct str text;
	int ret;

	str_init(&text, FILE_BYTES_MAX);
	ret = file_read(is_stdin ? "/dev/stdin" : path, &text, err);
	if (!ret)
		ret = bypass_list_read_text(list, is_stdin ? "standard input" : path, text.text,
		                            text.length, err);
	str_release(&text);
	return ret;
}
