/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_stats.h"

#include "array.h"
#include "err.h"
#include "request.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

/* The statistics of one SM, or of all. */
struct sm {
	struct l1_observer observer; /* its context is this */
	const struct l1_stats *stats;
	struct l1_stats_list lists[L1_STATS_TABLES];
	struct l1_stats_row total;
	struct l1_stats_reuse reuse;
};

struct l1_stats {
	struct l1_stats_setup setup;
	size_t limits[L1_STATS_TABLES];  /* most rows of each table; 0: not requested */
	uint64_t units[L1_STATS_TABLES]; /* initial units */
	struct sm **sms;
	struct sm sum;
	bool is_failed;
};

/* Set the most rows of each table, and its unit. */
static void find_limits(struct l1_stats *s)
{
	const struct l1_stats_setup *setup = &s->setup;
	uint64_t groups = setup->group_count ? setup->group_count : 1, unit = 1;

	while ((groups - 1) / unit >= L1_STATS_ROWS)
		unit *= 2;
	s->limits[L1_STATS_SITES] = setup->site_count;
	s->limits[L1_STATS_BUFFERS] = setup->buffer_count + 1;
	s->limits[L1_STATS_SETS] = setup->set_count;
	s->limits[L1_STATS_GROUPS] = (size_t)((groups - 1) / unit) + 1;
	s->limits[L1_STATS_WINDOWS] = setup->window_cycles ? L1_STATS_ROWS : L1_STATS_FEW;
	for (size_t t = 0; t < L1_STATS_TABLES; t++) {
		s->units[t] = 1;
		if (!setup->is_wanted[t])
			s->limits[t] = 0;
	}
	s->units[L1_STATS_GROUPS] = unit;
	s->units[L1_STATS_WINDOWS] = setup->window_cycles ? setup->window_cycles : 1;
}

static bool sm_init(struct sm *sm, const struct l1_stats *s)
{
	*sm = (struct sm){ .stats = s };
	for (size_t t = 0; t < L1_STATS_TABLES; t++) {
		sm->lists[t].unit = s->units[t];
		if (!s->limits[t])
			continue;
		sm->lists[t].rows =
			array_alloc(s->limits[t], sizeof(struct l1_stats_row), "statistics", NULL);
		if (!sm->lists[t].rows)
			return false;
		if (t != L1_STATS_WINDOWS)
			sm->lists[t].count = s->limits[t];
	}
	return true;
}

static void sm_release(struct sm *sm)
{
	for (size_t t = 0; t < L1_STATS_TABLES; t++)
		free(sm->lists[t].rows);
}

int l1_stats_create(struct l1_stats **out, const struct l1_stats_setup *setup, struct err *err)
{
	struct l1_stats *s = array_alloc(1, sizeof(*s), "statistics", err);

	if (!s)
		return ERR_NOMEM;
	s->setup = *setup;
	find_limits(s);
	s->sms = array_alloc(setup->sm_count, sizeof(struct sm *), "statistics", err);
	if (!s->sms || !sm_init(&s->sum, s)) {
		l1_stats_free(s);
		return err_set(err, ERR_NOMEM, "out of memory for statistics");
	}
	*out = s;
	return 0;
}

void l1_stats_free(struct l1_stats *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->sms && i < s->setup.sm_count; i++) {
		if (s->sms[i])
			sm_release(s->sms[i]);
		free(s->sms[i]);
	}
	sm_release(&s->sum);
	free(s->sms);
	free(s);
}

uint64_t l1_stats_requests(const struct l1_stats_row *row)
{
	return row->reads + row->bypasses + row->writes + row->atomics;
}

void l1_stats_add(struct l1_stats_row *sum, const struct l1_stats_row *more)
{
#define L1_STAT(name) sum->name += more->name;
#include "site_counters.def"
#undef L1_STAT
}

/* Double the length of the windows. */
static void widen(struct l1_stats_list *windows)
{
	size_t count = (windows->count + 1) / 2;

	for (size_t i = 0; i < windows->count; i++) {
		struct l1_stats_row row = windows->rows[i];

		windows->rows[i] = (struct l1_stats_row){ 0 };
		l1_stats_add(&windows->rows[i / 2], &row);
	}
	windows->count = count;
	windows->unit *= 2;
}

/* Returns the row of a window, which may be a new one. */
static struct l1_stats_row *window_row(struct sm *sm, uint64_t cycle)
{
	struct l1_stats_list *windows = &sm->lists[L1_STATS_WINDOWS];
	size_t at;

	while (cycle / windows->unit >= sm->stats->limits[L1_STATS_WINDOWS])
		widen(windows);
	at = (size_t)(cycle / windows->unit);
	if (at >= windows->count)
		windows->count = at + 1;
	return &windows->rows[at];
}

/* The owner of a request or a line. */
struct owner {
	uint32_t site;
	int32_t buffer;
	uint32_t set;
	uint64_t group;
	uint64_t cycle;
};

/* Find the rows in the requested tables. Returns their number. The total is a row if no table is
 * requested; otherwise it is added up at the end. */
static size_t find_rows(struct sm *sm, const struct owner *o,
                        struct l1_stats_row *rows[L1_STATS_TABLES])
{
	const uint64_t places[] = {
		[L1_STATS_SITES] = o->site,
		[L1_STATS_BUFFERS] = (uint64_t)((int64_t)o->buffer + 1),
		[L1_STATS_SETS] = o->set,
	};
	struct l1_stats_list *groups = &sm->lists[L1_STATS_GROUPS];
	size_t count = 0;

	for (size_t t = 0; t < L1_STATS_GROUPS; t++) {
		if (!sm->lists[t].rows)
			continue;
		assert(places[t] < sm->lists[t].count);
		rows[count++] = &sm->lists[t].rows[places[t]];
	}
	if (groups->rows)
		rows[count++] = &groups->rows[o->group / groups->unit];
	if (sm->lists[L1_STATS_WINDOWS].rows)
		rows[count++] = window_row(sm, o->cycle);
	if (!count)
		rows[count++] = &sm->total;
	return count;
}

/* Count an event. */
static inline void count_event(struct l1_stats_row *row, const struct l1_outcome *o)
{
#define FIELD(name) (unsigned char)(offsetof(struct l1_stats_row, name) / sizeof(uint64_t))
	/* The number of fields to increment, and which; two of them are a branch less than one. */
	static const unsigned char fields[][3] = {
		[L1_HIT] = { 2, FIELD(reads), FIELD(read_hits) },
		[L1_PENDING] = { 2, FIELD(reads), FIELD(pending_hits) },
		[L1_COLD] = { 2, FIELD(reads), FIELD(cold) },
		[L1_COHERENCE] = { 2, FIELD(reads), FIELD(coherence) },
		[L1_CAPACITY] = { 2, FIELD(reads), FIELD(capacity) },
		[L1_CONFLICT] = { 2, FIELD(reads), FIELD(conflict) },
		[L1_SECTOR] = { 2, FIELD(reads), FIELD(sector) },
		[L1_WRITE_HIT] = { 2, FIELD(writes), FIELD(write_hits) },
		[L1_WRITE] = { 1, FIELD(writes) },
		[L1_ATOMIC] = { 1, FIELD(atomics) },
		[L1_BYPASS] = { 1, FIELD(bypasses) },
	};
#undef FIELD
	const unsigned char *f = fields[o->event];
	uint64_t *all = (uint64_t *)row;

	all[f[1]]++;
	all[f[2]] += f[0] == 2;
	row->read_misses += o->event >= L1_COLD && o->event <= L1_SECTOR;
	row->bytes_bypassed += o->event == L1_BYPASS ? o->bytes_fetched : 0;
	if (o->event == L1_WRITE || o->event == L1_WRITE_HIT) {
		row->write_sectors_hit += o->counts.hit;
		row->write_sectors_missed += o->counts.missed;
	} else {
		row->sectors_hit += o->counts.hit;
		row->sectors_missed += o->counts.missed;
		row->sectors_promoted += o->counts.promoted;
		row->sectors_promoted_hit += o->counts.promoted_hit;
	}
}

static void served(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct sm *sm = context;
	const struct owner owner = { r->site, r->buffer, o->set, r->group, o->cycle };
	struct l1_stats_row *rows[L1_STATS_TABLES];
	size_t count = find_rows(sm, &owner, rows);

	for (size_t i = 0; i < count; i++) {
		count_event(rows[i], o);
		rows[i]->lanes += r->lanes;
		rows[i]->bytes_asked += r->bytes_used;
		rows[i]->bytes_from_l2 += o->bytes_fetched;
		rows[i]->stall_cycles += o->stall_cycles;
	}
}

static void left(void *context, const struct l1_residency *x)
{
	struct sm *sm = context;
	const struct owner owner = { x->site, x->buffer, x->set, x->group, x->in_cycles };
	struct l1_stats_uses *uses = &sm->reuse.uses[l1_stats_bin(x->uses)];
	struct l1_stats_row *rows[L1_STATS_TABLES];
	size_t count = find_rows(sm, &owner, rows);

	for (size_t i = 0; i < count; i++) {
		rows[i]->lines++;
		rows[i]->lines_unused += !x->uses;
		rows[i]->uses += x->uses;
		rows[i]->bytes_moved += x->bytes_moved;
		rows[i]->bytes_used += x->bytes_used;
	}
	uses->lines++;
	uses->bytes_moved += x->bytes_moved;
	uses->bytes_used += x->bytes_used;
	sm->reuse.reasons[x->reason]++;
}

const struct l1_observer *l1_stats_observer(void *stats, uint32_t sm_id)
{
	struct l1_stats *s = stats;
	struct sm *sm = array_alloc(1, sizeof(*sm), "statistics", NULL);

	assert(sm_id < s->setup.sm_count && !s->sms[sm_id]);
	s->sms[sm_id] = sm;
	if (!sm || !sm_init(sm, s)) {
		s->is_failed = true;
		return NULL;
	}
	sm->observer = (struct l1_observer){ .context = sm, .served = served, .left = left };
	return &sm->observer;
}

/* Make the units of both lists equal; only windows can differ. */
static void add_list(struct l1_stats_list *sum, struct l1_stats_list *more)
{
	while (sum->unit < more->unit)
		widen(sum);
	while (more->unit < sum->unit)
		widen(more);
	for (size_t i = 0; i < more->count; i++)
		l1_stats_add(&sum->rows[i], &more->rows[i]);
	if (more->count > sum->count)
		sum->count = more->count;
}

void l1_stats_reuse_add(struct l1_stats_reuse *sum, const struct l1_stats_reuse *more)
{
	for (size_t i = 0; i < L1_STATS_USES; i++) {
		sum->uses[i].lines += more->uses[i].lines;
		sum->uses[i].bytes_moved += more->uses[i].bytes_moved;
		sum->uses[i].bytes_used += more->uses[i].bytes_used;
	}
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		sum->reasons[i] += more->reasons[i];
}

/* The total of an SM is the sum of any of its tables. */
static void add_up(struct sm *sm)
{
	const struct l1_stats_list *list = sm->lists, *end = list + L1_STATS_TABLES;

	while (list < end && !list->rows)
		list++;
	for (size_t i = 0; list < end && i < list->count; i++)
		l1_stats_add(&sm->total, &list->rows[i]);
}

int l1_stats_end(struct l1_stats *s, struct err *err)
{
	if (s->is_failed)
		return err_set(err, ERR_NOMEM, "out of memory for statistics");
	for (uint32_t i = 0; i < s->setup.sm_count; i++) {
		struct sm *sm = s->sms[i];

		if (!sm)
			continue;
		add_up(sm);
		for (size_t t = 0; t < L1_STATS_TABLES; t++)
			if (sm->lists[t].rows)
				add_list(&s->sum.lists[t], &sm->lists[t]);
		l1_stats_add(&s->sum.total, &sm->total);
		l1_stats_reuse_add(&s->sum.reuse, &sm->reuse);
	}
	return 0;
}

const struct l1_stats_list *l1_stats_list(const struct l1_stats *s, enum l1_stats_table table)
{
	return &s->sum.lists[table];
}

const struct l1_stats_list *l1_stats_lists(const struct l1_stats *s)
{
	return s->sum.lists;
}

const struct l1_stats_row *l1_stats_total(const struct l1_stats *s)
{
	return &s->sum.total;
}

const struct l1_stats_reuse *l1_stats_reuse(const struct l1_stats *s)
{
	return &s->sum.reuse;
}
