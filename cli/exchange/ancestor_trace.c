/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor_trace.h"

#include "err.h"
#include "plain_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_LIMIT = 1 << 28, EXECUTION_LIMIT = 1 << 20, ITEM_LIMIT = 1 << 26, LINE_BYTES = 4096 };

/* The file being read. */
struct trace_scan {
	struct ancestor_trace *trace;
	FILE *in;
	char text[LINE_BYTES]; /* the current line, trimmed */
	uint64_t at_line;
};

/* Read the next line; returns 1, 0 at the end, or ERR_IO. */
static int next_line(struct trace_scan *s, struct err *err)
{
	size_t length;

	if (!fgets(s->text, sizeof(s->text), s->in))
		return ferror(s->in)
		               ? err_set(err, ERR_IO, "%s: %s", s->trace->file, strerror(errno))
		               : 0;
	s->at_line++;
	length = strlen(s->text);
	if (length == sizeof(s->text) - 1 && s->text[length - 1] != '\n')
		return err_set(err, ERR_FORMAT,
		               "%s:%" PRIu64 ": expected a line of at most %d characters",
		               s->trace->file, s->at_line, LINE_BYTES - 2);
	while (length > 0 && isspace((unsigned char)s->text[length - 1]))
		s->text[--length] = '\0';
	return 1;
}

static int expected(const struct trace_scan *s, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s:%" PRIu64 ": expected %s", s->trace->file, s->at_line,
	               what);
}

static int read_head(struct trace_scan *s, struct err *err)
{
	static const char head[] = "local size:";
	static const char *const what = "'local size:X Y Z' with sizes from 1";
	int ret = next_line(s, err);
	char *at;

	if (ret < 0)
		return ret;
	s->at_line = 1;
	if (!ret || strncmp(s->text, head, sizeof(head) - 1) != 0)
		return expected(s, what, err);
	at = s->text + sizeof(head) - 1;
	for (int d = 0; d < 3; d++) {
		at += strspn(at, " ");
		if (!isdigit((unsigned char)*at))
			return expected(s, what, err);
		s->trace->local[d] = strtoull(at, &at, 10);
		if (!s->trace->local[d] || s->trace->local[d] > ANCESTOR_LAST_ID)
			return expected(s, what, err);
	}
	return *at ? expected(s, what, err) : 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct ancestor_entry *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return x->at_line < y->at_line ? -1 : x->at_line > y->at_line;
}

static void place_entry(struct ancestor_entry *e, const struct launch_shape *shape)
{
	uint64_t group = 0, item = 0;

	for (int d = 2; d >= 0; d--) {
		group = group * launch_shape_groups(shape, d) + e->line.id[d] / shape->local[d];
		item = item * shape->local[d] + e->line.id[d] % shape->local[d];
	}
	e->group = group;
	e->item = (uint32_t)item;
}

/* The launch of the entries first..end: the least whole number of groups that has every id. */
static struct launch_shape infer_shape(const struct ancestor_trace *t, size_t first)
{
	const struct ancestor_entry *entries = t->entries.data;
	struct launch_shape shape = { .dimensions = 1 };
	uint32_t last[3] = { 0 };

	for (size_t i = first; i < t->entries.count; i++) {
		for (int d = 0; d < 3; d++) {
			if (entries[i].line.id[d] > last[d])
				last[d] = entries[i].line.id[d];
		}
	}
	for (int d = 0; d < 3; d++) {
		shape.local[d] = t->local[d];
		shape.global[d] = (last[d] / t->local[d] + 1) * t->local[d];
		if (shape.global[d] > 1)
			shape.dimensions = (uint32_t)d + 1;
	}
	return shape;
}

/* An execution ends: everything read since the last one is it. */
static int end_execution(struct trace_scan *s, size_t first, struct err *err)
{
	struct ancestor_trace *t = s->trace;
	struct launch_shape shape = infer_shape(t, first);
	struct ancestor_entry *entries = t->entries.data;
	struct ancestor_execution *x;
	int ret = launch_shape_check(&shape, err);

	if (ret)
		return ret;
	if (shape.global[0] * shape.global[1] > ITEM_LIMIT ||
	    shape.global[0] * shape.global[1] * shape.global[2] > ITEM_LIMIT)
		return err_set(err, ERR_LIMIT,
		               "%s:%" PRIu64 ": the ids make a launch of more than %d work-items",
		               t->file, s->at_line, ITEM_LIMIT);
	x = array_push(&t->executions, 1, err);
	if (!x)
		return err->code;
	*x = (struct ancestor_execution){ shape, first, t->entries.count - first };
	for (size_t i = first; i < t->entries.count; i++)
		place_entry(&entries[i], &shape);
	if (x->count)
		qsort(entries + first, x->count, sizeof(*entries), compare_entries);
	return 0;
}

static int read_lines(struct trace_scan *s, struct err *err)
{
	struct ancestor_trace *t = s->trace;
	struct ancestor_line line;
	size_t first = 0;
	int ret;

	while ((ret = next_line(s, err)) > 0) {
		struct ancestor_entry *entry;
		const char *what;

		if (!*s->text)
			continue;
		what = ancestor_parse(s->text, &line);
		if (what)
			return expected(s, what, err);
		if (line.kind == ANCESTOR_END) {
			ret = end_execution(s, first, err);
			if (ret)
				return ret;
			first = t->entries.count;
			continue;
		}
		entry = array_push(&t->entries, 1, err);
		if (!entry)
			return err->code;
		*entry = (struct ancestor_entry){ .line = line, .at_line = s->at_line };
	}
	if (!ret && first < t->entries.count)
		ret = end_execution(s, first, err);
	return ret;
}

int ancestor_trace_read(struct ancestor_trace *trace, const char *file, struct err *err)
{
	struct trace_scan s = { .trace = trace };
	int ret;

	*trace = (struct ancestor_trace){ .file = file };
	array_init(&trace->entries, sizeof(struct ancestor_entry), ENTRY_LIMIT, file);
	array_init(&trace->executions, sizeof(struct ancestor_execution), EXECUTION_LIMIT, file);
	s.in = plain_file_open(file, err);
	if (!s.in)
		return ERR_IO;
	ret = read_head(&s, err);
	if (!ret)
		ret = read_lines(&s, err);
	fclose(s.in);
	return ret;
}

void ancestor_trace_release(struct ancestor_trace *trace)
{
	array_release(&trace->entries);
	array_release(&trace->executions);
}
