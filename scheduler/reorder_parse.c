/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a reorder configuration, read. */
#include "reorder_config.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static const size_t FILE_LIMIT_BYTES = (size_t)1 << 30;

struct reader {
	struct reorder_config *c;
	const char *file, *at;
	uint64_t line;
	struct array flags; /* bool: of the warp that is read */
};

static int refuse(const struct reader *r, const char *expected, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s:%" PRIu64 ": expected %s", r->file, r->line, expected);
}

static void skip_blanks(struct reader *r)
{
	for (; isspace((unsigned char)*r->at); r->at++)
		r->line += *r->at == '\n';
}

/* A word or sign that must stand here. */
static int take(struct reader *r, const char *word, struct err *err)
{
	size_t length = strlen(word);

	skip_blanks(r);
	if (strncmp(r->at, word, length) != 0)
		return refuse(r, word, err);
	r->at += length;
	return 0;
}

/* Whether it stands here; then it is taken. */
static bool take_if(struct reader *r, const char *word)
{
	return !take(r, word, NULL);
}

static int take_number(struct reader *r, uint64_t max, uint64_t *out, struct err *err)
{
	uint64_t number = 0;

	skip_blanks(r);
	if (!isdigit((unsigned char)*r->at))
		return refuse(r, "a number", err);
	for (; isdigit((unsigned char)*r->at); r->at++) {
		uint64_t digit = (uint64_t)(*r->at - '0');

		if (digit > max || number > (max - digit) / 10)
			return err_set(err, ERR_FORMAT,
			               "%s:%" PRIu64 ": expected a number up to %" PRIu64, r->file,
			               r->line, max);
		number = number * 10 + digit;
	}
	*out = number;
	return 0;
}

/* "[1, 2, ...]": the numbers are appended to `out` (uint64_t). */
static int take_list(struct reader *r, struct array *out, struct err *err)
{
	int rc = take(r, "[", err);

	if (rc || take_if(r, "]"))
		return rc;
	do {
		uint64_t *number = array_push(out, 1, err);

		if (!number)
			return err->code;
		rc = take_number(r, UINT64_MAX, number, err);
	} while (!rc && take_if(r, ","));
	return rc ? rc : take(r, "]", err);
}

/* "[1, 2, 3]" */
static int take_triple(struct reader *r, uint64_t max, uint64_t out[3], struct err *err)
{
	int rc = take(r, "[", err);

	for (int d = 0; !rc && d < 3; d++) {
		if (d)
			rc = take(r, ",", err);
		if (!rc)
			rc = take_number(r, max, &out[d], err);
	}
	return rc ? rc : take(r, "]", err);
}

static int take_head(struct reader *r, struct err *err)
{
	uint64_t count = 0;
	int rc = take(r, "-num_pcs", err);

	if (!rc)
		rc = take_number(r, REORDER_PLACES_MAX, &count, err);
	if (!rc)
		rc = take(r, "-pc_addr", err);
	if (!rc)
		rc = take_list(r, &r->c->places, err);
	if (!rc && r->c->places.count != count)
		rc = refuse(r, "as many addresses as -num_pcs says", err);
	if (!rc)
		rc = take(r, "-grid", err);
	if (!rc)
		rc = take_triple(r, REORDER_ACCESSES_MAX, r->c->groups, err);
	if (!rc)
		rc = take(r, "-block", err);
	if (!rc)
		rc = take_triple(r, REORDER_ACCESSES_MAX, r->c->items, err);
	for (int d = 0; !rc && d < 3; d++)
		if (!r->c->groups[d] || !r->c->items[d])
			rc = refuse(r, "no dimension of size 0 in -grid and -block", err);
	return rc;
}

static int take_flags(struct reader *r, struct err *err)
{
	int rc = take(r, "[", err);

	array_clear(&r->flags);
	for (size_t i = 0; !rc && i < r->c->places.count; i++) {
		bool *flag = array_push(&r->flags, 1, err);
		uint64_t number;

		if (!flag)
			return err->code;
		if (i)
			rc = take(r, ",", err);
		if (!rc)
			rc = take_number(r, 1, &number, err);
		if (!rc)
			*flag = number;
	}
	return rc ? rc : take(r, "]", err);
}

/* "[[0, 128], L]" */
static int take_access(struct reader *r, uint32_t place, struct err *err)
{
	struct reorder_access a = { .place = place, .first_line = r->c->lines.count };
	int rc = take(r, "[", err);

	if (!rc)
		rc = take_list(r, &r->c->lines, err);
	if (!rc)
		rc = take(r, ",", err);
	if (rc)
		return rc;
	skip_blanks(r);
	if (!*r->at || !strchr("LSA", *r->at))
		return refuse(r, "L, S or A", err);
	a.kind = *r->at++;
	a.line_count = (uint32_t)(r->c->lines.count - a.first_line);
	rc = take(r, "]", err);
	return rc ? rc : reorder_config_add_access(r->c, &a, err);
}

static int take_accesses(struct reader *r, struct err *err)
{
	const bool *flags = r->flags.data;
	int rc = take(r, "[", err);

	for (size_t i = 0; !rc && i < r->c->places.count; i++) {
		if (i)
			rc = take(r, ",", err);
		if (rc)
			return rc;
		if (flags[i])
			rc = take_access(r, (uint32_t)i, err);
		else
			rc = take(r, "None", err);
	}
	return rc ? rc : take(r, "]", err);
}

/* "WarpN", whose number must be `number`. */
static int take_warp_name(struct reader *r, uint64_t number, struct err *err)
{
	uint64_t found;
	int rc = take(r, "Warp", err);

	if (!rc)
		rc = take_number(r, UINT32_MAX, &found, err);
	if (!rc && found != number)
		return err_set(err, ERR_FORMAT, "%s:%" PRIu64 ": expected Warp%" PRIu64, r->file,
		               r->line, number);
	return rc;
}

static int take_group(struct reader *r, uint64_t group, struct err *err)
{
	const uint64_t *groups = r->c->groups;
	uint64_t id[3];
	int rc = take(r, "Block", err);

	if (!rc)
		rc = take_triple(r, REORDER_ACCESSES_MAX, id, err);
	if (!rc && (id[0] != group % groups[0] || id[1] != group / groups[0] % groups[1] ||
	            id[2] != group / groups[0] / groups[1]))
		return err_set(err, ERR_FORMAT,
		               "%s:%" PRIu64 ": expected Block [%" PRIu64 ", %" PRIu64 ", %" PRIu64
		               "]",
		               r->file, r->line, group % groups[0], group / groups[0] % groups[1],
		               group / groups[0] / groups[1]);
	if (!rc)
		rc = reorder_config_add_group(r->c, err);
	skip_blanks(r);
	for (uint64_t w = 0; !rc && (!w || *r->at == 'W'); w++) {
		rc = take_warp_name(r, w, err);
		if (!rc)
			rc = take_flags(r, err);
		if (!rc)
			rc = take_warp_name(r, w, err);
		if (!rc)
			rc = reorder_config_add_warp(r->c, err);
		if (!rc)
			rc = take_accesses(r, err);
		skip_blanks(r);
	}
	return rc;
}

int reorder_config_parse(struct reorder_config *c, const char *file, const char *text,
                         struct err *err)
{
	struct reader r = { .c = c, .file = file, .at = text, .line = 1 };
	struct err why = { 0 };
	uint64_t groups;
	int rc;

	reorder_config_init(c);
	array_init(&r.flags, sizeof(bool), REORDER_PLACES_MAX, "accesses of a kernel");
	rc = take_head(&r, &why);
	groups = rc ? 0 : c->groups[0] * c->groups[1]; /* below 2^52 */
	if (!rc && groups * c->groups[2] / groups != c->groups[2])
		rc = refuse(&r, "fewer groups", &why);
	groups *= rc ? 0 : c->groups[2];
	for (uint64_t g = 0; !rc && g < groups; g++)
		rc = take_group(&r, g, &why);
	skip_blanks(&r);
	if (!rc && *r.at)
		rc = refuse(&r, "nothing after the last group", &why);
	array_release(&r.flags);
	return rc ? err_set(err, (enum err_code)rc, "%s", why.msg) : 0;
}

int reorder_config_load(struct reorder_config *c, const char *file, struct err *err)
{
	bool is_stdin = !strcmp(file, "-");
	struct str text;
	int rc;

	reorder_config_init(c);
	str_init(&text, FILE_LIMIT_BYTES);
	rc = file_read(is_stdin ? "/dev/stdin" : file, &text, err);
	file = is_stdin ? "standard input" : file;
	if (!rc && text.text && strlen(text.text) != text.length)
		rc = err_set(err, ERR_FORMAT, "%s: holds a NUL byte: expected text", file);
	if (!rc)
		rc = reorder_config_parse(c, file, text.text ? text.text : "", err);
	str_release(&text);
	return rc;
}
