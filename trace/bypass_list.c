/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_list.h"

#include "err.h"
#include "file.h"
#include "number.h"
#include "str.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct kind_row {
	const char *word, *number; /* as bypass_kinds.def has them */
} kind_rows[] = {
#define BYPASS_KIND(NAME, word, number, text) { word, number },
#include "bypass_kinds.def"
#undef BYPASS_KIND
};

enum { KIND_COUNT = sizeof(kind_rows) / sizeof(kind_rows[0]) };

const char *bypass_kind_word(enum bypass_kind kind)
{
	return kind_rows[kind].word;
}

/* Returns the kind whose word is text[0..length); KIND_COUNT: none. */
static size_t find_kind(const char *text, size_t length)
{
	size_t kind = 0;

	while (kind < KIND_COUNT && (strlen(kind_rows[kind].word) != length ||
	                             memcmp(kind_rows[kind].word, text, length) != 0))
		kind++;
	return kind;
}

/* Fails if the text is not a number that the rule may have. */
static int set_number(struct bypass_rule *rule, const char *text, struct err *err)
{
	uint64_t max = rule->kind == BYPASS_ADDRESS ? UINT64_MAX : UINT32_MAX;

	return number_parse(text, bypass_kind_word(rule->kind), 0, max, &rule->number, err);
}

/* Returns the bytes of the control character that begins here, or 0. */
static size_t control_bytes(const char *text, uint32_t *code)
{
	size_t bytes = text_decode_string(text, code);

	return bytes && text_is_control(*code) ? bytes : 0;
}

static bool needs_quotes(const char *name)
{
	uint32_t code;

	if (!*name || !strcmp(name, "*") || *name == '#')
		return true;
	for (; *name; name++)
		if (strchr(" \"\\", *name) || control_bytes(name, &code))
			return true;
	return false;
}

static void write_name(const char *name, FILE *out)
{
	if (!needs_quotes(name)) {
		fputs(name, out);
		return;
	}
	fputc('"', out);
	for (uint32_t code; *name; name++) {
		size_t control = control_bytes(name, &code);

		if (control) {
			name += control - 1;
			fprintf(out, "\\u%04x", (unsigned)code);
		} else {
			if (*name == '"' || *name == '\\')
				fputc('\\', out);
			fputc(*name, out);
		}
	}
	fputc('"', out);
}

static void write_place(const struct bypass_place *place, FILE *out)
{
	if (!place->file)
		return;
	fputs(" at ", out);
	write_name(place->file, out);
	fprintf(out, ":%" PRIu32 ":%" PRIu32, place->line, place->column);
	if (place->ordinal)
		fprintf(out, " #%" PRIu32, place->ordinal);
}

static void write_rule(const struct bypass_rule *rule, FILE *out)
{
	fputs(bypass_kind_word(rule->kind), out);
	if (rule->kind == BYPASS_ARGUMENT) {
		fputc(' ', out);
		write_name(rule->name, out);
	} else if (rule->kind == BYPASS_ADDRESS) {
		fprintf(out, " 0x%" PRIx64, rule->number);
		if (rule->sm >= 0)
			fprintf(out, " sm %" PRId64, rule->sm);
	} else if (rule->kind != BYPASS_ALL) {
		fprintf(out, " %" PRIu64, rule->number);
	}
	write_place(&rule->place, out);
	fputc('\n', out);
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

int bypass_list_write(const struct bypass_list *list, FILE *out, struct err *err)
{
	const char *kernel = NULL;

	fputs("warpline bypass 1\n", out);
	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];

		if (!is_same(rule->kernel, kernel)) {
			fputs("kernel ", out);
			if (rule->kernel)
				write_name(rule->kernel, out);
			else
				fputc('*', out);
			fputc('\n', out);
			kernel = rule->kernel;
		}
		write_rule(rule, out);
	}
	if (ferror(out))
		return err_set(err, ERR_IO, "a bypass list cannot be written: %s", strerror(errno));
	return 0;
}

static const char FIRST_LINE[] = "warpline bypass 1";
static const char MAGIC[] = "warpline bypass ";
static const size_t FILE_BYTES_MAX = (size_t)1 << 30;

/* The state while a list is read. */
struct reader {
	struct bypass_list *list;
	char *at;     /* the rest of the line */
	char *kernel; /* of the following rules; in the text; NULL: all */
};

/* A word of a line, and what follows the closing quote of a quoted one; in the text. */
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

/* Write a code point as UTF-8. Returns its end. */
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

/* Decode the escape whose backslash is at *from; false if it is invalid. */
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

/* Decode the JSON string at `text` in place. Returns what follows it, or NULL. */
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
	*to = '\0'; /* `to` does not pass `from`: at most it is at the quote */
	return from + 1;
}

/* Take the next word of the line. Returns 1, 0 if there is none, or ERR_FORMAT. */
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

/* Take a required word. `can_have_tail`: text may follow a quoted one. */
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

/* Check that only a comment is left. */
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
	const struct kind_row *row = &kind_rows[rule->kind];
	char what[48];
	struct word w;
	int ret;

	(void)snprintf(what, sizeof(what), "%s after '%s'", row->number, row->word);
	ret = take_word(r, &w, false, what, err);
	return ret ? ret : set_number(rule, w.text, err);
}

/* Remove ":NUMBER" from the end of text. */
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

/* Take "#1" if it is a whole word; otherwise it is a comment. */
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

/* Take the place after the number of a site. */
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

/* Take "sm N" after an address. */
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
	kind = w.is_quoted ? KIND_COUNT : find_kind(w.text, strlen(w.text));
	if (kind == KIND_COUNT)
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

/* Fail with the file and line. A wrong number in a file is not ERR_USAGE. */
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

/* Add the rules of a file; `path` "-" is the standard input. Returns 0; ERR_IO, ERR_NOMEM;
 * ERR_VERSION, ERR_FORMAT, ERR_LIMIT with "FILE:LINE: ...". */
static int bypass_list_read(struct bypass_list *list, const char *path, struct err *err)
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

enum { TEXT_MAX = 1 << 20 };

/* --- a list ------------------------------------------------------------------------------------
 */

/* Make room for one more rule. */
static int reserve(struct bypass_list *list, struct err *err)
{
	size_t capacity = list->capacity ? 2 * list->capacity : 16;
	struct bypass_rule *rules;

	if (list->count == BYPASS_RULES_MAX)
		return err_set(err, ERR_LIMIT, "a bypass list of more than %d rules",
		               BYPASS_RULES_MAX);
	if (list->count < list->capacity)
		return 0;
	rules = reallocarray(list->rules, capacity, sizeof(*rules));
	if (!rules)
		return err_set(err, ERR_NOMEM, "out of memory for a bypass list");
	list->rules = rules;
	list->capacity = capacity;
	return 0;
}

/* Returns the name as the previous rule stores it, or a copy. */
static char *own_kernel(const struct bypass_list *list, const char *kernel, struct err *err)
{
	char *last = list->count ? list->rules[list->count - 1].kernel : NULL;

	return last && !strcmp(last, kernel) ? last : str_copy(kernel, err);
}

int bypass_list_add(struct bypass_list *list, const struct bypass_rule *rule, struct err *err)
{
	int ret = reserve(list, err);
	struct bypass_rule *own;
	bool is_whole;

	if (ret)
		return ret;
	own = &list->rules[list->count];
	*own = *rule;
	own->kernel = rule->kernel ? own_kernel(list, rule->kernel, err) : NULL;
	own->name = rule->name ? str_copy(rule->name, err) : NULL;
	own->place.file = rule->place.file ? str_copy(rule->place.file, err) : NULL;
	list->count++;
	is_whole = !own->kernel == !rule->kernel && !own->name == !rule->name &&
	           !own->place.file == !rule->place.file;
	return is_whole ? 0 : ERR_NOMEM;
}

void bypass_list_release(struct bypass_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];

		if (i + 1 == list->count || rule[1].kernel != rule->kernel)
			free(rule->kernel);
		free(rule->name);
		free(rule->place.file);
	}
	free(list->rules);
	*list = (struct bypass_list){ 0 };
}

/* --- a command line's --------------------------------------------------------------------------
 */

/* Fail with the allowed kinds: "site:N, line:N or all". */
static int expect(const char *text, size_t length, uint32_t kinds, struct err *err)
{
	char known[160] = "";
	size_t used = 0, left = 0;

	for (size_t i = 0; i < KIND_COUNT; i++)
		left += kinds >> i & 1;
	for (size_t i = 0; i < KIND_COUNT && used < sizeof(known); i++) {
		const struct kind_row *row = &kind_rows[i];
		const char *between = !used ? "" : left > 1 ? ", " : " or ";

		if (!(kinds >> i & 1))
			continue;
		left--;
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s%s%s", between,
		                         row->word, *row->number ? ":" : "", row->number);
	}
	return err_set(err, ERR_USAGE, "'%.*s': expected %s", (int)length, text, known);
}

/* Parse the rule text[0..length). */
static int parse_rule(struct bypass_list *list, const char *text, size_t length, uint32_t kinds,
                      struct err *err)
{
	const char *colon = memchr(text, ':', length);
	size_t word = colon ? (size_t)(colon - text) : length, kind = find_kind(text, word);
	struct bypass_rule rule = { .kind = (enum bypass_kind)kind, .sm = -1 };
	char value[BYPASS_NAME_MAX + 1];
	int ret = 0;

	if (kind == KIND_COUNT || !(kinds >> kind & 1) ||
	    (rule.kind == BYPASS_ALL ? colon != NULL : !colon || word + 1 == length))
		return expect(text, length, kinds, err);
	length -= colon ? word + 1 : word;
	if (length > BYPASS_NAME_MAX)
		return err_set(err, ERR_LIMIT, "a name of more than %d characters",
		               BYPASS_NAME_MAX);
	memcpy(value, text + word + 1, length);
	value[length] = '\0';
	if (rule.kind == BYPASS_ARGUMENT)
		rule.name = value;
	else if (rule.kind != BYPASS_ALL)
		ret = set_number(&rule, value, err);
	return ret ? ret : bypass_list_add(list, &rule, err);
}

int bypass_list_parse_kinds(struct bypass_list *list, const char *text, uint32_t kinds,
                            struct err *err)
{
	int ret = 0;

	if (strlen(text) > TEXT_MAX)
		return err_set(err, ERR_USAGE, "a list of more than %d characters", TEXT_MAX);
	if (kinds == BYPASS_KINDS_ANY && !strcmp(text, "none"))
		return 0;
	while (!ret) {
		size_t length = strcspn(text, ",");

		ret = parse_rule(list, text, length, kinds, err);
		if (!text[length])
			break;
		text += length + 1;
	}
	return ret;
}

int bypass_list_parse(struct bypass_list *list, const char *text, struct err *err)
{
	return bypass_list_parse_kinds(list, text, BYPASS_KINDS_ANY, err);
}

int bypass_list_load(struct bypass_list *list, const char *text_or_path, struct err *err)
{
	size_t word = strcspn(text_or_path, ":,"), kind = find_kind(text_or_path, word);
	bool is_text = !strcmp(text_or_path, "none");

	if (kind == BYPASS_ALL)
		is_text = text_or_path[word] != ':';
	else if (kind < KIND_COUNT || access(text_or_path, F_OK) != 0)
		is_text = is_text || text_or_path[word] == ':';
	return is_text ? bypass_list_parse(list, text_or_path, err)
	               : bypass_list_read(list, text_or_path, err);
}
