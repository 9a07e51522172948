/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor_kernel.h"

#include "err.h"
#include "str.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BARRIER_LIMIT = 1 << 28 };

/* What is known while the trace is read: the first entry of each instruction and loop. */
struct inference {
	const struct ancestor_trace *trace;
	const struct ancestor_entry **firsts; /* by number, ANCESTOR_LAST_NUMBER + 1 */
	const struct ancestor_entry *loops[ANCESTOR_LOOPS];
	int32_t parents[ANCESTOR_LOOPS];
	uint16_t last_number;
	int32_t last_loop;
};

uint64_t ancestor_barrier_key(uint16_t number, uint32_t k, enum ancestor_kind kind)
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
	const struct ancestor_barrier *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Sort, and keep each key once. */
static void unite_barriers(struct array *barriers)
{
	struct ancestor_barrier *list = barriers->data;
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
		struct ancestor_barrier *barrier;
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
		barrier->key = ancestor_barrier_key(number, k++, e[i].line.kind);
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

/* The innermost loop that holds both a and b, or -1. A loop's number exceeds that of those around.
 */
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

/* The loop of Mn; of a number that never occurs, the one that holds its neighbours. */
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

/* The barriers behind Mn; returns the number of the next site. */
static uint32_t make_barriers(struct ancestor_kernel *k, uint16_t number, size_t *next,
                              uint32_t site, int32_t loop)
{
	struct ancestor_barrier *list = k->barriers.data;

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
	array_init(&kernel->barriers, sizeof(struct ancestor_barrier), BARRIER_LIMIT, "barriers");
	in.firsts = array_alloc(ANCESTOR_LAST_NUMBER + 1, sizeof(void *), "instructions", err);
	if (!in.firsts)
		return ERR_NOMEM;
	ret = infer(&in, kernel, err);
	free(in.firsts);
	return ret;
}

uint32_t ancestor_kernel_barrier(const struct ancestor_kernel *kernel, uint64_t key)
{
	struct ancestor_barrier wanted = { .key = key }, *found;

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
