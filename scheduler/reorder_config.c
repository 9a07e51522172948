/* SPDX-License-Identifier: Apache-2.0 */
#include "reorder_config.h"

#include "err.h"
#include "file.h"
#include "group_stream.h"
#include "launch_shape.h"
#include "str.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* The limit of a configuration file. */

static const size_t FILE_LIMIT_BYTES = (size_t)1 << 30;

struct reader {
	struct reorder_config *c;
	const char *file, *at;
	uint64_t line;
	struct array flags; /* bool: flags of the current warp */
};

static int refuse_line(const struct reader *r, const char *expected, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s:%" PRIu64 ": expected %s", r->file, r->line, expected);
}

static void skip_blanks(struct reader *r)
{
	for (; isspace((unsigned char)*r->at); r->at++)
		r->line += *r->at == '\n';
}

/* Take a word or sign, which must come next. */
static int take(struct reader *r, const char *word, struct err *err)
{
	size_t length = strlen(word);

	skip_blanks(r);
	if (strncmp(r->at, word, length) != 0)
		return refuse_line(r, word, err);
	r->at += length;
	return 0;
}

/* Take a word or sign if it comes next. Returns whether it did. */
static bool take_if(struct reader *r, const char *word)
{
	return !take(r, word, NULL);
}

static int take_number(struct reader *r, uint64_t max, uint64_t *out, struct err *err)
{
	uint64_t number = 0;

	skip_blanks(r);
	if (!isdigit((unsigned char)*r->at))
		return refuse_line(r, "a number", err);
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
		rc = refuse_line(r, "as many addresses as -num_pcs says", err);
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
			rc = refuse_line(r, "no dimension of size 0 in -grid and -block", err);
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
		return refuse_line(r, "L, S or A", err);
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
		rc = refuse_line(&r, "fewer groups", &why);
	groups *= rc ? 0 : c->groups[2];
	for (uint64_t g = 0; !rc && g < groups; g++)
		rc = take_group(&r, g, &why);
	skip_blanks(&r);
	if (!rc && *r.at)
		rc = refuse_line(&r, "nothing after the last group", &why);
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

void reorder_config_init(struct reorder_config *c)
{
	*c = (struct reorder_config){ 0 };
	array_init(&c->places, sizeof(uint64_t), REORDER_PLACES_MAX, "accesses of a kernel");
	array_init(&c->warps, sizeof(size_t), REORDER_WARPS_MAX, "groups of a configuration");
	array_init(&c->first, sizeof(size_t), REORDER_WARPS_MAX, "warps of a configuration");
	array_init(&c->accesses, sizeof(struct reorder_access), REORDER_ACCESSES_MAX,
	           "accesses of a configuration");
	array_init(&c->lines, sizeof(uint64_t), REORDER_ACCESSES_MAX,
	           "addresses of a configuration");
}

void reorder_config_release(struct reorder_config *c)
{
	array_release(&c->places);
	array_release(&c->warps);
	array_release(&c->first);
	array_release(&c->accesses);
	array_release(&c->lines);
}

static int push_size(struct array *a, size_t value, struct err *err)
{
	size_t *at = array_push(a, 1, err);

	if (!at)
		return err && err->code ? err->code : ERR_NOMEM;
	*at = value;
	return 0;
}

int reorder_config_add_group(struct reorder_config *c, struct err *err)
{
	return push_size(&c->warps, c->first.count, err);
}

int reorder_config_add_warp(struct reorder_config *c, struct err *err)
{
	return push_size(&c->first, c->accesses.count, err);
}

int reorder_config_add_access(struct reorder_config *c, const struct reorder_access *a,
                              struct err *err)
{
	struct reorder_access *at = array_push(&c->accesses, 1, err);

	if (!at)
		return err && err->code ? err->code : ERR_NOMEM;
	*at = *a;
	return 0;
}

/* Entry i of an array of beginnings, or `end` after the last. */
static size_t begin_of(const struct array *a, size_t i, size_t end)
{
	return i < a->count ? ((const size_t *)a->data)[i] : end;
}

uint32_t reorder_config_warp_count(const struct reorder_config *c, uint64_t group)
{
	return (uint32_t)(begin_of(&c->warps, group + 1, c->first.count) -
	                  begin_of(&c->warps, group, c->first.count));
}

const struct reorder_access *reorder_config_warp(const struct reorder_config *c, uint64_t group,
                                                 uint32_t warp, size_t *count)
{
	size_t number = begin_of(&c->warps, group, c->first.count) + warp;
	size_t first = begin_of(&c->first, number, c->accesses.count);

	*count = begin_of(&c->first, number + 1, c->accesses.count) - first;
	return c->accesses.data ? (const struct reorder_access *)c->accesses.data + first : NULL;
}

/* --- text ------------------------------------------------------------------------------------ */

/* "[1, 2, 3]" */
static int print_list(struct str *out, const uint64_t *numbers, size_t count, struct err *err)
{
	int rc = str_append(out, "[", 1, err);

	for (size_t i = 0; !rc && i < count; i++)
		rc = str_printf(out, err, "%s%" PRIu64, i ? ", " : "", numbers[i]);
	return rc ? rc : str_append(out, "]", 1, err);
}

static int print_flags(const struct reorder_config *c, const struct reorder_access *a, size_t count,
                       struct str *out, struct err *err)
{
	const struct reorder_access *end = count ? a + count : a;
	int rc = str_append(out, "[", 1, err);

	for (size_t i = 0; !rc && i < c->places.count; i++) {
		bool is_made = a != end && a->place == i;

		rc = str_printf(out, err, "%s%d", i ? ", " : "", is_made);
		a += is_made;
	}
	return rc ? rc : str_append(out, "]\n", 2, err);
}

static int print_lines(const struct reorder_config *c, const struct reorder_access *a,
                       struct str *out, struct err *err)
{
	const uint64_t *lines = c->lines.data;
	int rc = str_append(out, "[", 1, err);

	if (!rc)
		rc = print_list(out, lines ? lines + a->first_line : NULL, a->line_count, err);
	return rc ? rc : str_printf(out, err, ", %c]", a->kind);
}

static int print_accesses(const struct reorder_config *c, const struct reorder_access *a,
                          size_t count, struct str *out, struct err *err)
{
	const struct reorder_access *end = count ? a + count : a;
	int rc = str_append(out, "[", 1, err);

	for (size_t i = 0; !rc && i < c->places.count; i++) {
		if (i)
			rc = str_append(out, ", ", 2, err);
		if (rc)
			return rc;
		if (a != end && a->place == i)
			rc = print_lines(c, a++, out, err);
		else
			rc = str_append(out, "None", 4, err);
	}
	return rc ? rc : str_append(out, "]\n", 2, err);
}

static int print_group(const struct reorder_config *c, uint64_t group, struct str *out,
                       struct err *err)
{
	const uint64_t id[3] = { group % c->groups[0], group / c->groups[0] % c->groups[1],
		                 group / c->groups[0] / c->groups[1] };
	int rc = str_append(out, "Block ", 6, err);

	if (!rc)
		rc = print_list(out, id, 3, err);
	if (!rc)
		rc = str_append(out, "\n", 1, err);
	for (uint32_t w = 0; !rc && w < reorder_config_warp_count(c, group); w++) {
		size_t count;
		const struct reorder_access *a = reorder_config_warp(c, group, w, &count);

		rc = str_printf(out, err, "Warp%" PRIu32 " ", w);
		if (!rc)
			rc = print_flags(c, a, count, out, err);
		if (!rc)
			rc = str_printf(out, err, "Warp%" PRIu32 " ", w);
		if (!rc)
			rc = print_accesses(c, a, count, out, err);
	}
	return rc;
}

int reorder_config_print(const struct reorder_config *c, struct str *out, struct err *err)
{
	int rc = str_printf(out, err, "-num_pcs %zu\n-pc_addr ", c->places.count);

	if (!rc)
		rc = print_list(out, c->places.data, c->places.count, err);
	if (!rc)
		rc = str_append(out, "\n-grid ", 7, err);
	if (!rc)
		rc = print_list(out, c->groups, 3, err);
	if (!rc)
		rc = str_append(out, "\n-block ", 8, err);
	if (!rc)
		rc = print_list(out, c->items, 3, err);
	if (!rc)
		rc = str_append(out, "\n", 1, err);
	for (uint64_t g = 0; !rc && g < c->warps.count; g++)
		rc = print_group(c, g, out, err);
	return rc;
}

/* --- use ------------------------------------------------------------------------------------- */

int reorder_config_check(const struct reorder_config *c, const struct launch_shape *shape,
                         struct err *err)
{
	for (int d = 0; d < 3; d++) {
		uint64_t groups = launch_shape_groups(shape, d);

		if (c->groups[d] != groups || c->items[d] != shape->local[d])
			return err_set(err, ERR_FORMAT,
			               "the reorder configuration is of %" PRIu64
			               " groups of %" PRIu64
			               " work-items in dimension %d, the launch of %" PRIu64
			               " of %" PRIu64,
			               c->groups[d], c->items[d], d, groups, shape->local[d]);
	}
	return 0;
}

static int refuse(const struct group_stream *s, uint32_t warp, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT,
	               "warp %" PRIu32 " of group %" PRIu64 " %s the reorder configuration says",
	               warp, s->group, what);
}

static int rank_warp(const struct reorder_config *c, const struct kernel_table *table,
                     struct group_stream *s, uint32_t warp, struct err *err)
{
	const struct stream_warp *warps = s->warps.data;
	uint32_t *ranks = s->ranks.data;
	size_t count;
	const struct reorder_access *a = reorder_config_warp(c, s->group, warp, &count);

	for (size_t i = warps[warp].first_instruction; i < warps[warp + 1].first_instruction; i++) {
		uint32_t site = group_stream_instruction(s, i)->site;

		if (table->sites[site].kind == SITE_BARRIER)
			continue;
		if (!count)
			return refuse(s, warp, "makes more accesses than", err);
		if (((const uint64_t *)c->places.data)[a->place] != site)
			return refuse(s, warp, "makes other accesses than", err);
		ranks[i] = a->place;
		a++;
		count--;
	}
	return count ? refuse(s, warp, "makes fewer accesses than", err) : 0;
}

int reorder_config_rank(const struct reorder_config *c, const struct kernel_table *table,
                        struct group_stream *s, struct err *err)
{
	int rc = 0;

	if (s->group >= c->warps.count || reorder_config_warp_count(c, s->group) != s->warp_count)
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 " has %" PRIu32
		               " warps, which is not what the reorder configuration says",
		               s->group, s->warp_count);
	array_clear(&s->ranks);
	if (s->instructions.count && !array_push(&s->ranks, s->instructions.count, err))
		return err && err->code ? err->code : ERR_NOMEM;
	for (uint32_t w = 0; !rc && w < s->warp_count; w++)
		rc = rank_warp(c, table, s, w, err);
	return rc;
}
