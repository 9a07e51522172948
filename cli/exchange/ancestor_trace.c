/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor_trace.h"

#include "err.h"
#include "plain_file.h"
#include "str.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ENTRY_LIMIT = 1 << 28,
	EXECUTION_LIMIT = 1 << 20,
	LAUNCH_ITEM_LIMIT = 1 << 26,
	BARRIER_LIMIT = 1 << 28,
	EVENT_LIMIT = 1 << 30,
	GROUP_ITEM_LIMIT = 1 << 21,
	LINE_BYTES = 4096,
};

/* --- the file -------------------------------------------------------------------------------- */

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

/* End an execution: it has everything read since the previous one. */
static int end_execution(struct trace_scan *s, size_t first, struct err *err)
{
	struct ancestor_trace *t = s->trace;
	struct launch_shape shape = infer_shape(t, first);
	struct ancestor_entry *entries = t->entries.data;
	struct ancestor_execution *x;
	int ret = launch_shape_check(&shape, err);

	if (ret)
		return ret;
	if (shape.global[0] * shape.global[1] > LAUNCH_ITEM_LIMIT ||
	    shape.global[0] * shape.global[1] * shape.global[2] > LAUNCH_ITEM_LIMIT)
		return err_set(err, ERR_LIMIT,
		               "%s:%" PRIu64 ": the ids make a launch of more than %d work-items",
		               t->file, s->at_line, LAUNCH_ITEM_LIMIT);
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

/* --- the kernel ------------------------------------------------------------------------------ */

struct barrier {
	uint64_t key; /* n << 32 | k << 1 | is global; n is 0 before the first access */
	uint32_t site;
};

/* The state while the entries are read: the first entry of each instruction and loop. */
struct inference {
	const struct ancestor_trace *trace;
	const struct ancestor_entry **firsts; /* by number, ANCESTOR_LAST_NUMBER + 1 */
	const struct ancestor_entry *loops[ANCESTOR_LOOPS];
	int32_t parents[ANCESTOR_LOOPS];
	uint16_t last_number;
	int32_t last_loop;
};

/* The key of the k-th barrier (from 0) after Mn. k < 2^31. */
static uint64_t barrier_key(uint16_t number, uint32_t k, enum ancestor_kind kind)
{
	return (uint64_t)number << 32 | (uint64_t)k << 1 | (kind == ANCESTOR_GLOBAL_BARRIER);
}

static int contradiction(const struct inference *in, const struct ancestor_entry *e,
                         const struct ancestor_entry *before, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s:%" PRIu64 ": M%u: expected %s as in line %" PRIu64,
	               in->trace->file, e->at_line, e->line.number, what, before->at_line);
}

static int learn_loops(struct inference *in, const struct ancestor_entry *e, struct err *err)
{
	for (int i = 0; i < e->line.loop_count; i++) {
		uint8_t loop = e->line.loops[i];
		int32_t parent = i ? e->line.loops[i - 1] : -1;

		if (!in->loops[loop]) {
			in->loops[loop] = e;
			in->parents[loop] = parent;
		}
		if (in->parents[loop] != parent)
			return contradiction(in, e, in->loops[loop], "the same nesting of loops",
			                     err);
		if (loop > in->last_loop)
			in->last_loop = loop;
	}
	return 0;
}

static int learn_access(struct inference *in, const struct ancestor_entry *e, struct err *err)
{
	const struct ancestor_entry *first = in->firsts[e->line.number];

	if (!first) {
		in->firsts[e->line.number] = e;
		if (e->line.number > in->last_number)
			in->last_number = e->line.number;
		return learn_loops(in, e, err);
	}
	if (first->line.kind != e->line.kind)
		return contradiction(in, e, first, "a read or a write", err);
	if (first->line.loop_count != e->line.loop_count ||
	    memcmp(first->line.loops, e->line.loops, e->line.loop_count) != 0)
		return contradiction(in, e, first, "the same loops", err);
	return 0;
}

static int compare_barriers(const void *a, const void *b)
{
	const struct barrier *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Sort, and keep each key once. */
static void unite_barriers(struct array *barriers)
{
	struct barrier *list = barriers->data;
	size_t kept = 0;

	if (!barriers->count)
		return;
	qsort(list, barriers->count, sizeof(*list), compare_barriers);
	for (size_t i = 1; i < barriers->count; i++) {
		if (list[i].key != list[kept].key)
			list[++kept] = list[i];
	}
	barriers->count = kept + 1;
}

static int learn_execution(struct inference *in, const struct ancestor_execution *x,
                           struct array *barriers, struct err *err)
{
	const struct ancestor_entry *e = (const struct ancestor_entry *)in->trace->entries.data;
	uint16_t number = 0;
	uint32_t k = 0;

	for (size_t i = x->first; i < x->first + x->count; i++) {
		struct barrier *barrier;
		int ret;

		if (i == x->first || e[i].group != e[i - 1].group || e[i].item != e[i - 1].item)
			number = 0, k = 0;
		if (e[i].line.number) {
			number = e[i].line.number;
			k = 0;
			ret = learn_access(in, &e[i], err);
			if (ret)
				return ret;
			continue;
		}
		barrier = array_push(barriers, 1, err);
		if (!barrier)
			return err->code;
		barrier->key = barrier_key(number, k++, e[i].line.kind);
	}
	return 0;
}

static int make_loops(const struct inference *in, struct kernel_table *t, struct err *err)
{
	t->loop_count = (size_t)in->last_loop + 1;
	t->loops = array_alloc(t->loop_count, sizeof(*t->loops), "loops", err);
	if (!t->loops)
		return ERR_NOMEM;
	for (size_t i = 0; i < t->loop_count; i++) {
		int32_t parent = in->loops[i] ? in->parents[i] : -1;

		t->loops[i].parent = parent;
		t->loops[i].depth = parent < 0 ? 1 : t->loops[parent].depth + 1;
	}
	return 0;
}

static int32_t innermost(const struct ancestor_entry *e)
{
	return e && e->line.loop_count ? e->line.loops[e->line.loop_count - 1] : -1;
}

/* Returns the innermost loop that contains both a and b, or -1. A loop's number exceeds that of the
 * loops around it. */
static int32_t common_loop(const struct kernel_table *t, int32_t a, int32_t b)
{
	while (a != b) {
		if (a > b)
			a = t->loops[a].parent;
		else
			b = t->loops[b].parent;
	}
	return a;
}

/* Returns the loop of Mn; for a number that never occurs, the loop that contains its neighbours. */
static int32_t loop_of(const struct inference *in, const struct kernel_table *t, uint16_t number)
{
	const struct ancestor_entry *before = NULL, *after = NULL;

	if (in->firsts[number])
		return innermost(in->firsts[number]);
	for (uint16_t n = number; n-- > 1 && !before;)
		before = in->firsts[n];
	for (uint16_t n = number; n++ < in->last_number && !after;)
		after = in->firsts[n];
	return common_loop(t, innermost(before), innermost(after));
}

static void make_site(struct site *site, enum site_kind kind, int32_t loop)
{
	*site = (struct site){ .kind = kind, .loop = loop, .argument = -1, .space = 1 };
	if (site_kind_is_access(kind))
		site->bytes = 4;
}

/* Make the barriers after Mn. Returns the number of the next site. */
static uint32_t make_barriers(struct ancestor_kernel *k, uint16_t number, size_t *next,
                              uint32_t site, int32_t loop)
{
	struct barrier *list = k->barriers.data;

	for (; *next < k->barriers.count && list[*next].key >> 32 == number; ++*next) {
		list[*next].site = site;
		make_site(&k->table.sites[site], SITE_BARRIER, loop);
		k->table.sites[site++].space = list[*next].key & 1 ? 1 : 3;
	}
	return site;
}

static int make_sites(const struct inference *in, struct ancestor_kernel *k, struct err *err)
{
	struct kernel_table *t = &k->table;
	size_t next = 0;
	uint32_t site;

	t->site_count = in->last_number + k->barriers.count;
	if (t->site_count > INT32_MAX / 2)
		return err_set(err, ERR_LIMIT,
		               "%s: more than %d barriers without an access between",
		               in->trace->file, INT32_MAX / 2);
	t->sites = array_alloc(t->site_count, sizeof(*t->sites), "sites", err);
	if (!t->sites)
		return ERR_NOMEM;
	site = make_barriers(k, 0, &next, 0, -1);
	for (uint16_t n = 1; n <= in->last_number; n++) {
		int32_t loop = loop_of(in, t, n);
		bool is_write = in->firsts[n] && in->firsts[n]->line.kind == ANCESTOR_WRITE;

		k->sites[n] = site;
		make_site(&t->sites[site++], is_write ? SITE_WRITE : SITE_READ, loop);
		site = make_barriers(k, n, &next, site, loop);
	}
	return 0;
}

static int infer(struct inference *in, struct ancestor_kernel *k, struct err *err)
{
	const struct ancestor_execution *x = in->trace->executions.data;
	int ret = 0;

	for (size_t i = 0; !ret && i < in->trace->executions.count; i++)
		ret = learn_execution(in, &x[i], &k->barriers, err);
	if (ret)
		return ret;
	unite_barriers(&k->barriers);
	k->table.name = str_copy("imported", err);
	if (!k->table.name)
		return ERR_NOMEM;
	ret = make_loops(in, &k->table, err);
	if (!ret)
		ret = make_sites(in, k, err);
	if (!ret)
		ret = kernel_table_check(&k->table, err);
	return ret;
}

int ancestor_kernel_infer(struct ancestor_kernel *kernel, const struct ancestor_trace *trace,
                          struct err *err)
{
	struct inference in = { .trace = trace, .last_loop = -1 };
	int ret;

	memset(kernel, 0, sizeof(*kernel));
	array_init(&kernel->barriers, sizeof(struct barrier), BARRIER_LIMIT, "barriers");
	in.firsts = array_alloc(ANCESTOR_LAST_NUMBER + 1, sizeof(void *), "instructions", err);
	if (!in.firsts)
		return ERR_NOMEM;
	ret = infer(&in, kernel, err);
	free(in.firsts);
	return ret;
}

/* The site of a barrier that the trace has. */
static uint32_t barrier_site(const struct ancestor_kernel *kernel, uint64_t key)
{
	struct barrier wanted = { .key = key }, *found;

	found = bsearch(&wanted, kernel->barriers.data, kernel->barriers.count, sizeof(wanted),
	                compare_barriers);
	assert(found);
	return found->site;
}

void ancestor_kernel_release(struct ancestor_kernel *kernel)
{
	kernel_table_release(&kernel->table);
	array_release(&kernel->barriers);
}

/* --- the events ------------------------------------------------------------------------------ */

void ancestor_events_init(struct ancestor_events *e, const struct ancestor_trace *trace,
                          const struct ancestor_kernel *kernel)
{
	*e = (struct ancestor_events){ .trace = trace, .kernel = kernel };
	array_init(&e->events, sizeof(struct event), EVENT_LIMIT, "events of a group");
	array_init(&e->first, sizeof(uint64_t), GROUP_ITEM_LIMIT, "work-items of a group");
}

void ancestor_events_release(struct ancestor_events *e)
{
	array_release(&e->events);
	array_release(&e->first);
}

static int push_event(struct ancestor_events *e, uint64_t value, uint32_t point, uint32_t iteration,
                      struct err *err)
{
	struct event *event = array_push(&e->events, 1, err);

	if (!event)
		return err->code;
	*event = (struct event){ value, point, iteration };
	return 0;
}

/* The outermost level at which a and b are in different loops or iterations. */
static int first_difference(const struct ancestor_line *a, const struct ancestor_line *b)
{
	int level = 0;

	while (level < a->loop_count && level < b->loop_count &&
	       a->loops[level] == b->loops[level] && a->iterations[level] == b->iterations[level])
		level++;
	return level;
}

/* Whether `now` can follow `before` in a work-item: forward in the loops they share. */
static bool follows(const struct ancestor_line *before, const struct ancestor_line *now, int level)
{
	bool is_shared = level < before->loop_count && level < now->loop_count &&
	                 before->loops[level] == now->loops[level];

	if (is_shared)
		return now->iterations[level] > before->iterations[level];
	return now->number > before->number;
}

/* Add the events of the loops that the work-item enters between two accesses, then the access. */
static int add_access(struct ancestor_events *e, const struct ancestor_entry *before,
                      const struct ancestor_entry *now, struct err *err)
{
	static const struct ancestor_line nowhere = { .kind = ANCESTOR_READ };
	const struct ancestor_line *line = &now->line, *last = before ? &before->line : &nowhere;
	int level = first_difference(last, line), ret = 0;
	uint32_t iteration;

	if (before && !follows(last, line, level))
		return err_set(
			err, ERR_FORMAT,
			"%s:%" PRIu64 ": M%u: expected a later instruction or iteration than "
			"M%u of the same work-item in line %" PRIu64,
			e->trace->file, now->at_line, line->number, last->number, before->at_line);
	/* the loop at which they differ was already entered if only its iteration differs */
	if (level < last->loop_count && level < line->loop_count &&
	    last->loops[level] == line->loops[level])
		level++;
	for (int i = level ? level : 1; !ret && i < line->loop_count; i++)
		ret = push_event(e, (uint64_t)line->iterations[i - 1] - 1,
		                 EVENT_LOOP | line->loops[i], 0, err);
	if (ret)
		return ret;
	iteration = line->loop_count ? (uint32_t)line->iterations[line->loop_count - 1] - 1 : 0;
	return push_event(e, line->address, EVENT_SITE | e->kernel->sites[line->number], iteration,
	                  err);
}

static int add_barrier(struct ancestor_events *e, const struct ancestor_entry *before, uint32_t k,
                       const struct ancestor_entry *now, struct err *err)
{
	const struct ancestor_line *last = before ? &before->line : NULL;
	uint64_t key = barrier_key(last ? last->number : 0, k, now->line.kind);
	uint32_t iteration =
		last && last->loop_count ? (uint32_t)last->iterations[last->loop_count - 1] - 1 : 0;

	return push_event(e, 0, EVENT_SITE | barrier_site(e->kernel, key), iteration, err);
}

static int add_item(struct ancestor_events *e, const struct ancestor_entry *entries, size_t count,
                    struct err *err)
{
	const struct ancestor_entry *before = NULL;
	uint32_t barriers = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		if (!entries[i].line.number) {
			ret = add_barrier(e, before, barriers++, &entries[i], err);
			continue;
		}
		ret = add_access(e, before, &entries[i], err);
		before = &entries[i];
		barriers = 0;
	}
	return ret;
}

int ancestor_events_group(struct ancestor_events *e, const struct ancestor_execution *x,
                          uint64_t group, size_t *next, struct group_events *out, struct err *err)
{
	const struct ancestor_entry *entries = e->trace->entries.data;
	uint32_t size[3], count = launch_shape_group_size(&x->shape, group, size);
	size_t end = x->first + x->count, from;
	uint64_t *first;
	int ret = 0;

	array_clear(&e->events);
	array_clear(&e->first);
	if (!array_push(&e->first, (size_t)count + 1, err))
		return err->code;
	for (uint32_t item = 0; !ret && item < count; item++) {
		for (from = *next;
		     *next < end && entries[*next].group == group && entries[*next].item == item;)
			++*next;
		ret = add_item(e, entries + from, *next - from, err);
		first = e->first.data;
		first[item + 1] = e->events.count;
	}
	*out = (struct group_events){ count, e->first.data, e->events.data };
	return ret;
}
