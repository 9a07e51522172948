/* SPDX-License-Identifier: Apache-2.0 */
#include "address_use.h"

#include "address_use_private.h"
#include "array.h"
#include "err.h"
#include "request.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* As many lines for each SM, whichever has them first. */
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
