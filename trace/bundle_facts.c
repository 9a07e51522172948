/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle_facts.h"

#include "err.h"
#include "kernel_table.h"
#include "launch_format.h"
#include "varint.h"

#include <stdlib.h>
#include <string.h>

#define REMEMBERED       16 /* lists that are compared with a new one */
#define ARGUMENTS_MAX    ((size_t)1 << 24)
#define LAUNCH_ARGUMENTS ((size_t)1 << 12)

enum { FLAG_COUNTED = 1, FLAG_PARTIAL = 2, FLAGS = 3 };

struct bundle_shape {
	struct launch_shape shape;
	uint64_t local_bytes;
};

struct bundle_list {
	size_t first, count; /* of the arguments */
};

void bundle_facts_init(struct bundle_facts *f)
{
	str_init(&f->bytes, LAUNCH_BUNDLE_FACTS_MAX);
	array_init(&f->shapes, sizeof(struct bundle_shape), LAUNCH_BUNDLE_MAX, "shapes");
	array_init(&f->lists, sizeof(struct bundle_list), LAUNCH_BUNDLE_MAX, "lists of arguments");
	array_init(&f->arguments, sizeof(struct recorded_argument), ARGUMENTS_MAX, "arguments");
	f->expected = 0;
}

void bundle_facts_release(struct bundle_facts *f)
{
	str_release(&f->bytes);
	array_release(&f->shapes);
	array_release(&f->lists);
	array_release(&f->arguments);
}

void bundle_facts_clear(struct bundle_facts *f)
{
	f->bytes.length = 0;
	array_clear(&f->shapes);
	array_clear(&f->lists);
	array_clear(&f->arguments);
	f->expected = 0;
}

/* Appends numbers until one does not fit. */
struct put {
	struct str *out;
	struct err *err;
	int ret;
};

static void put(struct put *p, uint64_t number)
{
	unsigned char bytes[VARINT_BYTES_MAX];
	size_t length = (size_t)(varint_put(bytes, number) - bytes);

	if (!p->ret)
		p->ret = str_append(p->out, bytes, length, p->err);
}

/* Returns how many items ago `item` was added to `list`, if that is few; 0: it was not. */
static size_t find_shape(const struct array *list, const struct bundle_shape *item)
{
	const struct bundle_shape *all = list->data;

	for (size_t ago = 1; ago <= list->count && ago <= REMEMBERED; ago++) {
		const struct bundle_shape *one = &all[list->count - ago];

		if (one->shape.dimensions == item->shape.dimensions &&
		    one->local_bytes == item->local_bytes &&
		    !memcmp(one->shape.global, item->shape.global, sizeof(item->shape.global)) &&
		    !memcmp(one->shape.local, item->shape.local, sizeof(item->shape.local)) &&
		    !memcmp(one->shape.offset, item->shape.offset, sizeof(item->shape.offset)))
			return ago;
	}
	return 0;
}

static void put_shape(struct put *p, struct bundle_facts *f, const struct recorded_launch *l)
{
	const struct bundle_shape now = { l->shape, l->local_bytes };
	size_t ago = find_shape(&f->shapes, &now);
	struct bundle_shape *kept;

	put(p, ago);
	if (ago || p->ret)
		return;
	kept = array_push(&f->shapes, 1, p->err);
	if (!kept) {
		p->ret = ERR_NOMEM;
		return;
	}
	*kept = now;
	put(p, now.shape.dimensions);
	for (int d = 0; d < 3; d++) {
		put(p, now.shape.global[d]);
		put(p, now.shape.local[d]);
		put(p, now.shape.offset[d]);
	}
	put(p, now.local_bytes);
}

static bool is_same_argument(const struct recorded_argument *a, const struct recorded_argument *b)
{
	return a->index == b->index && a->buffer == b->buffer && a->address == b->address;
}

static size_t find_list(const struct bundle_facts *f, const struct recorded_launch *l)
{
	const struct bundle_list *all = f->lists.data;
	const struct recorded_argument *arguments = f->arguments.data;

	for (size_t ago = 1; ago <= f->lists.count && ago <= REMEMBERED; ago++) {
		const struct bundle_list *one = &all[f->lists.count - ago];
		size_t i = 0;

		while (one->count == l->argument_count && i < one->count &&
		       is_same_argument(&arguments[one->first + i], &l->arguments[i]))
			i++;
		if (one->count == l->argument_count && i == one->count)
			return ago;
	}
	return 0;
}

static void put_list(struct put *p, struct bundle_facts *f, const struct recorded_launch *l)
{
	size_t ago = find_list(f, l), first = f->arguments.count;
	struct recorded_argument *kept = NULL;
	struct bundle_list *list;

	put(p, ago);
	if (ago || p->ret)
		return;
	list = array_push(&f->lists, 1, p->err);
	if (list && l->argument_count)
		kept = array_push(&f->arguments, l->argument_count, p->err);
	if (!list || (l->argument_count && !kept)) {
		p->ret = p->err && p->err->code ? p->err->code : ERR_NOMEM;
		return;
	}
	*list = (struct bundle_list){ first, l->argument_count };
	put(p, l->argument_count);
	for (size_t i = 0; i < l->argument_count; i++) {
		const struct recorded_argument *a = &l->arguments[i];

		kept[i] = *a;
		put(p, a->index);
		put(p, (uint64_t)(a->buffer + 1));
		put(p, a->address);
	}
}

/* Append the groups selected for recording, which all launches share. */
static void put_selected(struct put *p, const char *selected)
{
	size_t length = selected ? strlen(selected) : 0;

	put(p, selected ? length + 1 : 0);
	if (!p->ret)
		p->ret = str_append(p->out, selected, length, p->err);
}

int bundle_facts_add(struct bundle_facts *f, const struct recorded_launch *l, bool is_partial,
                     struct err *err)
{
	struct put p = { &f->bytes, err, 0 };

	if (!f->bytes.length)
		put_selected(&p, l->groups_selected);
	put(&p, zigzag64(l->number - f->expected));
	f->expected = l->number + 1;
	put(&p, (l->fate == LAUNCH_COUNTED ? FLAG_COUNTED : 0u) | (is_partial ? FLAG_PARTIAL : 0u));
	put_shape(&p, f, l);
	put_list(&p, f, l);
	put(&p, l->device_ns);
	put(&p, l->device_bytes);
	put(&p, l->totals.groups);
	if (l->fate == LAUNCH_COUNTED) {
		for (size_t i = 0; i < l->count_count; i++)
			put(&p, l->counts[i]);
		return p.ret;
	}
	put(&p, l->totals.events);
	put(&p, l->totals.reads);
	put(&p, l->totals.writes);
	put(&p, l->totals.atomics);
	put(&p, l->totals.barriers);
	return p.ret;
}

/* Takes numbers until one is missing or too large. */
struct take {
	const unsigned char *at, *end;
	const struct bundle_terms *terms;
	struct array shapes; /* struct bundle_shape */
	struct array lists;  /* struct bundle_list */
	struct array arguments;
	struct array counts; /* uint64_t, of all launches */
	uint64_t expected, groups;
	const char *fault; /* the first one */
	struct err *err;
	bool is_out; /* out of memory */
};

static void blame(struct take *t, const char *fault)
{
	if (!t->fault)
		t->fault = fault;
}

static uint64_t take(struct take *t, uint64_t max, const char *fault)
{
	uint64_t number = 0;

	if (t->fault || t->is_out)
		return 0;
	t->at = t->at < t->end ? varint_get(t->at, &number) : NULL;
	if (!t->at || t->at > t->end || number > max) {
		blame(t, fault);
		return 0;
	}
	return number;
}

/* Returns the item that is named by how many items ago it was new; NULL: it is new. */
static const void *take_known(struct take *t, const struct array *list, const char *fault)
{
	uint64_t ago = take(t, list->count, fault);

	if (!ago || t->fault)
		return NULL;
	return (const char *)list->data + (list->count - ago) * list->item_bytes;
}

static void *keep(struct take *t, struct array *list, size_t count)
{
	void *kept = t->fault || t->is_out ? NULL : array_push(list, count, t->err);

	t->is_out = t->is_out || (!kept && !t->fault);
	return kept;
}

static void take_shape(struct take *t, struct recorded_launch *l)
{
	static const char fault[] = "the shape of a launch is not there";
	const struct bundle_shape *known = take_known(t, &t->shapes, fault);
	struct bundle_shape shape = { 0 }, *kept;
	struct err why = { 0 };

	if (!known) {
		shape.shape.dimensions = (uint32_t)take(t, 3, fault);
		for (int d = 0; d < 3; d++) {
			shape.shape.global[d] = take(t, UINT64_MAX, fault);
			shape.shape.local[d] = take(t, UINT64_MAX, fault);
			shape.shape.offset[d] = take(t, UINT64_MAX, fault);
		}
		shape.local_bytes = take(t, UINT64_MAX, fault);
		if (!t->fault && launch_shape_check(&shape.shape, &why))
			blame(t, "the shape of a launch is impossible");
		kept = keep(t, &t->shapes, 1);
		if (!kept)
			return;
		*kept = shape;
		known = kept;
	}
	l->shape = known->shape;
	l->local_bytes = known->local_bytes;
}

static void take_arguments(struct take *t, struct bundle_list *list)
{
	static const char fault[] = "the arguments of a launch are not there";

	list->first = t->arguments.count;
	list->count = (size_t)take(t, LAUNCH_ARGUMENTS, fault);
	for (size_t i = 0; i < list->count && !t->fault; i++) {
		struct recorded_argument a = { .index = (uint32_t)take(t, TABLE_ARGUMENTS_MAX,
			                                               fault) };
		struct recorded_argument *kept;

		a.buffer = (int64_t)take(t, t->terms->buffers,
		                         "an argument is of a buffer that the recording lacks") -
		           1;
		a.address = take(t, UINT64_MAX, fault);
		kept = keep(t, &t->arguments, 1);
		if (!kept)
			return;
		*kept = a;
	}
}

/* Returns the list's place among all arguments, whose array may still move. */
static struct bundle_list take_list(struct take *t)
{
	const struct bundle_list *known =
		take_known(t, &t->lists, "the arguments of a launch are not there");
	struct bundle_list list = { 0 }, *kept;

	if (known)
		return *known;
	take_arguments(t, &list);
	kept = keep(t, &t->lists, 1);
	if (kept)
		*kept = list;
	return list;
}

static void take_counts(struct take *t, struct recorded_launch *l)
{
	static const char fault[] = "the counts of a launch are not there";
	size_t sites = t->terms->table->site_count;
	uint64_t *counts = NULL;

	l->count_count = sites;
	if (sites > (size_t)(t->end - t->at)) /* each takes at least a byte */
		blame(t, fault);
	else if (sites)
		counts = keep(t, &t->counts, sites);
	for (size_t i = 0; counts && i < sites; i++)
		counts[i] = take(t, UINT64_MAX, fault);
	if (!t->fault && !t->is_out)
		recorded_counts_total(t->terms->table, counts, &l->totals);
}

static void take_totals(struct take *t, struct recorded_launch *l, bool is_partial)
{
	static const char fault[] = "the totals of a launch are not there";
	struct launch_totals *totals = &l->totals;

	totals->events = take(t, LAUNCH_CHUNK_EVENTS_MAX, fault);
	totals->reads = take(t, UINT64_MAX, fault);
	totals->writes = take(t, UINT64_MAX, fault);
	totals->atomics = take(t, UINT64_MAX, fault);
	totals->barriers = take(t, UINT64_MAX, fault);
	if (__builtin_add_overflow(totals->reads, totals->writes, &totals->accesses) ||
	    __builtin_add_overflow(totals->accesses, totals->atomics, &totals->accesses))
		blame(t, "a launch has more than 2^64 - 1 accesses");
	if (!t->fault && !is_partial && totals->groups != launch_shape_group_count(&l->shape))
		blame(t, "a launch lacks groups");
	t->groups += totals->groups;
	if (t->groups > LAUNCH_CHUNK_GROUPS_MAX)
		blame(t, "its launches have more groups than fit");
}

static void take_launch(struct take *t, struct recorded_launch *l, struct bundle_list *list)
{
	static const char fault[] = "a launch is not there";
	uint64_t flags, groups;

	l->number = t->expected + unzigzag64(take(t, UINT64_MAX, fault));
	t->expected = l->number + 1;
	if (l->number > UINT32_MAX)
		blame(t, "the number of a launch is too large");
	flags = take(t, FLAGS, "a launch has unknown flags");
	l->fate = flags & FLAG_COUNTED ? LAUNCH_COUNTED : LAUNCH_TRACED;
	take_shape(t, l);
	*list = take_list(t);
	l->device_ns = take(t, UINT64_MAX, fault);
	l->device_bytes = take(t, UINT64_MAX, fault);
	groups = take(t, UINT32_MAX, fault);
	if (t->fault || t->is_out)
		return;
	if (l->fate == LAUNCH_COUNTED)
		take_counts(t, l);
	l->totals.groups = groups;
	l->place = (uint32_t)t->groups;
	if (l->fate == LAUNCH_TRACED)
		take_totals(t, l, flags & FLAG_PARTIAL);
	if (groups > launch_shape_group_count(&l->shape))
		blame(t, "a launch has more groups than its shape");
}

static char *take_selected(struct take *t)
{
	static const char fault[] = "the groups that were to be recorded are not there";
	uint64_t length = take(t, (uint64_t)(t->end - t->at), fault);
	char *selected;

	if (!length)
		return NULL;
	if (--length > (uint64_t)(t->end - t->at) || memchr(t->at, 0, length)) {
		blame(t, fault);
		return NULL;
	}
	selected = strndup((const char *)t->at, length);
	t->is_out = !selected;
	t->at += length;
	return selected;
}

static void take_all(struct take *t, struct recorded_launch *launches, struct bundle_list *lists)
{
	size_t count = t->terms->launches;

	for (size_t i = 0; i < count && !t->fault && !t->is_out; i++)
		take_launch(t, &launches[i], &lists[i]);
	if (t->at != t->end)
		blame(t, "bytes are left over");
}

/* Set the pointers of the launches into the shared arrays, which no longer move. */
static void point(struct recorded_launch *launches, const struct bundle_list *lists, size_t count,
                  const struct bundle_shared *shared)
{
	uint64_t *counts = shared->counts;

	for (size_t i = 0; i < count; i++) {
		launches[i].argument_count = lists[i].count;
		if (lists[i].count)
			launches[i].arguments = shared->arguments + lists[i].first;
		if (launches[i].count_count)
			launches[i].counts = counts;
		counts += launches[i].count_count;
	}
}

int bundle_facts_read(struct recorded_launch *launches, struct bundle_shared *shared,
                      const struct bundle_terms *terms, const unsigned char *bytes, size_t length,
                      struct err *err)
{
	struct take t = { .at = bytes, .end = bytes + length, .terms = terms, .err = err };
	struct bundle_list *lists =
		array_alloc(terms->launches, sizeof(*lists), "lists of arguments", err);

	array_init(&t.shapes, sizeof(struct bundle_shape), LAUNCH_BUNDLE_MAX, "shapes");
	array_init(&t.lists, sizeof(struct bundle_list), LAUNCH_BUNDLE_MAX, "lists of arguments");
	array_init(&t.arguments, sizeof(struct recorded_argument), ARGUMENTS_MAX, "arguments");
	array_init(&t.counts, sizeof(uint64_t), LAUNCH_BUNDLE_FACTS_MAX, "counts of launches");
	*shared = (struct bundle_shared){ .groups_selected = take_selected(&t) };
	t.is_out = t.is_out || !lists;
	if (!t.is_out)
		take_all(&t, launches, lists);
	shared->arguments = array_take(&t.arguments);
	shared->counts = array_take(&t.counts);
	if (!t.fault && !t.is_out)
		point(launches, lists, terms->launches, shared);
	free(lists);
	array_release(&t.shapes);
	array_release(&t.lists);
	if (t.is_out)
		return ERR_NOMEM;
	return t.fault ? err_set(err, ERR_FORMAT, "%s", t.fault) : 0;
}

void bundle_shared_release(struct bundle_shared *shared)
{
	free(shared->arguments);
	free(shared->counts);
	free(shared->groups_selected);
	*shared = (struct bundle_shared){ 0 };
}
