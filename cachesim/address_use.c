/* SPDX-License-Identifier: Apache-2.0 */
#include "address_use.h"

#include "array.h"
#include "bypass_list.h"
#include "err.h"
#include "l1_observer.h"
#include "request.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * address_use_private - the internals of struct address_use (private to this room).
 */

struct use_rows {
	struct address_use_row *sites;
	struct address_use_row *buffers; /* the first is for no known buffer */
	struct address_use_row total;
};

/* The observations of one SM. */
struct use_sm {
	struct l1_observer observer; /* its context is this */
	const struct address_use *use;
	struct use_rows rows;
	struct use_table lines;
	uint64_t dropped; /* stays that are not in `lines` */
	bool is_failed;
};

struct address_use {
	struct address_use_setup setup;
	struct use_sm **sms; /* NULL: not simulated */
	struct use_rows sum;
	uint64_t dropped;
	bool is_failed;
};

enum { FIRST_CAPACITY = 64 };

/* Returns the place of a line, or the free place for it. capacity > count. */
static struct use_entry *find(const struct use_table *t, uint64_t line)
{
	/* Lines are multiples of their size: the product's high bits depend on all of it. */
	size_t at = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->capacity - 1);

	while (t->places[at].stays && t->places[at].line != line)
		at = (at + 1) & (t->capacity - 1);
	return &t->places[at];
}

static bool grow(struct use_table *t)
{
	struct use_table wide = { .count = t->count, .limit_count = t->limit_count };

	wide.capacity = t->capacity ? 2 * t->capacity : FIRST_CAPACITY;
	wide.places = array_alloc(wide.capacity, sizeof(*wide.places), "lines", NULL);
	if (!wide.places)
		return false;
	for (size_t i = 0; i < t->capacity; i++)
		if (t->places[i].stays)
			*find(&wide, t->places[i].line) = t->places[i];
	free(t->places);
	*t = wide;
	return true;
}

/* Set *sum to a + b if it fits into 32 bits. */
static bool fits(uint32_t a, uint64_t b, uint32_t *sum)
{
	*sum = a + (uint32_t)b;
	return b <= UINT32_MAX - a;
}

static bool add(struct use_entry *e, const struct l1_residency *x)
{
	struct use_entry sum = { .line = x->line };

	if (!fits(e->stays, 1, &sum.stays) ||
	    !fits(e->first_bytes, x->first_bytes_used, &sum.first_bytes) ||
	    !fits(e->bytes_moved, x->bytes_moved, &sum.bytes_moved) ||
	    !fits(e->uses, x->uses, &sum.uses))
		return false;
	*e = sum;
	return true;
}

/* Add a stay to its line. USE_DROPPED if that would exceed the limit of lines or of the sums,
 * USE_FAILED if out of memory. */
static enum use_outcome use_table_add(struct use_table *t, const struct l1_residency *x)
{
	struct use_entry *e;
	bool is_new;

	if (!t->capacity && !grow(t))
		return USE_FAILED;
	e = find(t, x->line);
	is_new = !e->stays;
	if (is_new && t->count >= t->limit_count)
		return USE_DROPPED;
	if (is_new && t->count >= t->capacity / 4 * 3) {
		if (!grow(t))
			return USE_FAILED;
		e = find(t, x->line);
	}
	if (!add(e, x))
		return USE_DROPPED;
	t->count += is_new;
	return USE_ADDED;
}

/* Free. Accepts a zeroed struct. */
static void use_table_release(struct use_table *t)
{
	free(t->places);
	*t = (struct use_table){ 0 };
}

__extension__ typedef unsigned __int128 wide;

void address_use_add(struct address_use_sum *sum, const struct address_use_sum *more)
{
	sum->stays += more->stays;
	sum->first_bytes += more->first_bytes;
	sum->bytes_moved += more->bytes_moved;
	sum->uses += more->uses;
}

/* U * (1 + R) = first_bytes / bytes_moved * (stays + uses) / stays */
bool address_use_is_poor(const struct address_use_sum *s)
{
	return (wide)s->first_bytes * ((wide)s->stays + s->uses) <
	       (wide)s->bytes_moved * (wide)s->stays;
}

double address_use_u(const struct address_use_sum *s)
{
	return s->bytes_moved ? (double)s->first_bytes / (double)s->bytes_moved : 0;
}

double address_use_r(const struct address_use_sum *s)
{
	return s->stays ? (double)s->uses / (double)s->stays : 0;
}

static struct address_use_sum sum_of(const struct use_entry *e)
{
	return (struct address_use_sum){ e->stays, e->first_bytes, e->bytes_moved, e->uses };
}

static size_t count_lines(const struct address_use *u)
{
	size_t count = 0;

	for (uint32_t i = 0; i < u->setup.sm_count; i++)
		if (u->sms[i])
			count += u->sms[i]->lines.count;
	return count;
}

static struct address_use_line *gather(struct address_use_line *at, const struct use_table *t,
                                       int64_t sm)
{
	for (size_t i = 0; i < t->capacity; i++)
		if (t->places[i].stays)
			*at++ = (struct address_use_line){ t->places[i].line, sm,
				                           sum_of(&t->places[i]) };
	return at;
}

static int by_line(const void *a, const void *b)
{
	const struct address_use_line *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->sm > y->sm) - (x->sm < y->sm);
}

/* Merge the rows of each line. Returns the number of rows left. */
static size_t merge(struct address_use_line *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && rows[kept - 1].line == rows[i].line) {
			address_use_add(&rows[kept - 1].sum, &rows[i].sum);
			continue;
		}
		rows[kept] = rows[i];
		rows[kept++].sm = -1;
	}
	return kept;
}

int address_use_lines(const struct address_use *u, bool is_merged, struct address_use_line **rows,
                      size_t *count, struct err *err)
{
	struct address_use_line *at;

	*count = count_lines(u);
	*rows = at = array_alloc(*count, sizeof(**rows), "lines", err);
	if (!at)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < u->setup.sm_count; i++)
		if (u->sms[i])
			at = gather(at, &u->sms[i]->lines, i);
	qsort(*rows, *count, sizeof(**rows), by_line);
	if (is_merged)
		*count = merge(*rows, *count);
	return 0;
}

int address_use_rules(const struct address_use *u, bool is_merged, char *kernel,
                      struct bypass_list *list, struct address_use_sum *taken, struct err *err)
{
	struct address_use_line *rows;
	size_t count;
	int ret = address_use_lines(u, is_merged, &rows, &count, err);

	if (taken)
		*taken = (struct address_use_sum){ 0 };
	for (size_t i = 0; i < count && !ret; i++) {
		struct bypass_rule rule = { .kind = BYPASS_ADDRESS,
			                    .number = rows[i].line,
			                    .sm = rows[i].sm };

		rule.kernel = kernel;
		if (!address_use_is_poor(&rows[i].sum))
			continue;
		ret = bypass_list_add(list, &rule, err);
		if (taken)
			address_use_add(taken, &rows[i].sum);
	}
	free(rows);
	return ret;
}

static bool rows_init(struct use_rows *rows, const struct address_use_setup *setup)
{
	rows->sites = array_alloc(setup->site_count, sizeof(*rows->sites), "use of lines", NULL);
	rows->buffers =
		array_alloc(setup->buffer_count + 1, sizeof(*rows->buffers), "use of lines", NULL);
	return rows->sites && rows->buffers;
}

static void rows_release(struct use_rows *rows)
{
	free(rows->sites);
	free(rows->buffers);
}

int address_use_create(struct address_use **out, const struct address_use_setup *setup,
                       struct err *err)
{
	struct address_use *u = array_alloc(1, sizeof(*u), "use of lines", err);

	if (!u)
		return ERR_NOMEM;
	u->setup = *setup;
	if (!u->setup.line_limit)
		u->setup.line_limit = ADDRESS_USE_LINES;
	u->sms = array_alloc(setup->sm_count, sizeof(struct use_sm *), "use of lines", err);
	if (!u->sms || !rows_init(&u->sum, setup)) {
		address_use_free(u);
		return err_set(err, ERR_NOMEM, "out of memory for the use of lines");
	}
	*out = u;
	return 0;
}

static void sm_free(struct use_sm *sm)
{
	if (!sm)
		return;
	rows_release(&sm->rows);
	use_table_release(&sm->lines);
	free(sm);
}

void address_use_free(struct address_use *u)
{
	if (!u)
		return;
	for (uint32_t i = 0; u->sms && i < u->setup.sm_count; i++)
		sm_free(u->sms[i]);
	rows_release(&u->sum);
	free(u->sms);
	free(u);
}

static void served(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct use_sm *sm = context;

	if (r->kind != SITE_READ || o->event == L1_BYPASS)
		return;
	assert(r->site < sm->use->setup.site_count);
	sm->rows.sites[r->site].reads++;
	sm->rows.buffers[r->buffer + 1].reads++;
	sm->rows.total.reads++;
}

static void left(void *context, const struct l1_residency *x)
{
	struct use_sm *sm = context;
	const struct address_use_sum stay = { .stays = 1,
		                              .first_bytes = x->first_bytes_used,
		                              .bytes_moved = x->bytes_moved,
		                              .uses = x->uses };

	if (!x->first_bytes_used) /* a write began it */
		return;
	address_use_add(&sm->rows.sites[x->site].sum, &stay);
	address_use_add(&sm->rows.buffers[x->buffer + 1].sum, &stay);
	address_use_add(&sm->rows.total.sum, &stay);
	switch (use_table_add(&sm->lines, x)) {
	case USE_ADDED:
		break;
	case USE_DROPPED:
		sm->dropped++;
		break;
	case USE_FAILED:
		sm->is_failed = true;
		break;
	}
}

/* The limit of lines for one SM: an equal share for each. */
static size_t lines_of_an_sm(const struct address_use_setup *setup)
{
	size_t lines = setup->line_limit / setup->sm_count;

	return lines ? lines : 1;
}

static struct use_sm *sm_create(struct address_use *u)
{
	struct use_sm *sm = array_alloc(1, sizeof(*sm), "use of lines", NULL);

	if (!sm)
		return NULL;
	sm->use = u;
	sm->observer = (struct l1_observer){ .context = sm, .served = served, .left = left };
	sm->lines.limit_count = lines_of_an_sm(&u->setup);
	if (!rows_init(&sm->rows, &u->setup)) {
		sm_free(sm);
		return NULL;
	}
	return sm;
}

const struct l1_observer *address_use_observer(void *use, uint32_t sm_id)
{
	struct address_use *u = use;

	assert(sm_id < u->setup.sm_count);
	if (!u->sms[sm_id])
		u->sms[sm_id] = sm_create(u);
	if (!u->sms[sm_id]) {
		u->is_failed = true;
		return NULL;
	}
	return &u->sms[sm_id]->observer;
}

static void add_row(struct address_use_row *sum, const struct address_use_row *more)
{
	sum->reads += more->reads;
	address_use_add(&sum->sum, &more->sum);
}

static void add_rows(struct use_rows *sum, const struct use_rows *more,
                     const struct address_use_setup *setup)
{
	for (size_t i = 0; i < setup->site_count; i++)
		add_row(&sum->sites[i], &more->sites[i]);
	for (size_t i = 0; i <= setup->buffer_count; i++)
		add_row(&sum->buffers[i], &more->buffers[i]);
	add_row(&sum->total, &more->total);
}

int address_use_end(struct address_use *u, struct err *err)
{
	const struct address_use_setup *setup = &u->setup;
	bool is_failed = u->is_failed;

	memset(u->sum.sites, 0, setup->site_count * sizeof(*u->sum.sites));
	memset(u->sum.buffers, 0, (setup->buffer_count + 1) * sizeof(*u->sum.buffers));
	u->sum.total = (struct address_use_row){ 0 };
	u->dropped = 0;
	for (uint32_t i = 0; i < setup->sm_count; i++) {
		const struct use_sm *sm = u->sms[i];

		if (!sm)
			continue;
		add_rows(&u->sum, &sm->rows, setup);
		u->dropped += sm->dropped;
		is_failed |= sm->is_failed;
	}
	if (is_failed)
		return err_set(err, ERR_NOMEM, "out of memory for the use of lines");
	return 0;
}

const struct address_use_row *address_use_sites(const struct address_use *u)
{
	return u->sum.sites;
}

const struct address_use_row *address_use_buffers(const struct address_use *u)
{
	return u->sum.buffers;
}

const struct address_use_row *address_use_total(const struct address_use *u)
{
	return &u->sum.total;
}

uint64_t address_use_dropped(const struct address_use *u)
{
	return u->dropped;
}
