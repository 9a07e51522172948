/* SPDX-License-Identifier: Apache-2.0 */
#include "request_teller.h"

#include "array.h"
#include "err.h"
#include "l1_stats.h"
#include "request.h"

#include <stdlib.h>

/* The caller's outcomes are L1's. */
#define SAME(NAME) _Static_assert((int)WARPLINE_OUTCOME_##NAME == (int)L1_##NAME, #NAME)
SAME(HIT);
SAME(PENDING);
SAME(COLD);
SAME(COHERENCE);
SAME(CAPACITY);
SAME(CONFLICT);
SAME(SECTOR);
SAME(WRITE_HIT);
SAME(WRITE);
SAME(ATOMIC);
SAME(BYPASS);
#undef SAME

int request_teller_init(struct request_teller *t, uint32_t sm_count, struct l1_stats *stats,
                        struct err *err)
{
	*t = (struct request_teller){ .stats = stats, .sm_count = sm_count };
	t->sms = array_alloc(sm_count, sizeof(*t->sms), "SMs", err);
	return t->sms ? 0 : ERR_NOMEM;
}

void request_teller_release(struct request_teller *t)
{
	free(t->sms);
	t->sms = NULL;
}

static void tell(struct request_teller *t, uint32_t sm, const struct request *r,
                 const struct l1_outcome *o)
{
	const struct warpline_request request = {
		.struct_bytes = sizeof(request),
		.line_address = r->line,
		.group = r->group,
		.cycle = o->cycle,
		.stall_cycles = o->stall_cycles,
		.sm = sm,
		.warp = r->warp,
		.site = r->site,
		.set = o->set,
		.lanes = r->lanes,
		.bytes_asked = r->bytes_used,
		.bytes_fetched = o->bytes_fetched,
		.buffer = r->buffer,
		.outcome = (int32_t)o->event,
		.sectors_hit = o->counts.hit,
		.sectors_missed = o->counts.missed,
		.sectors_promoted = o->counts.promoted,
		.sectors_promoted_hit = o->counts.promoted_hit,
	};

	if (!atomic_load(&t->is_stopped) && t->function(t->context, &request))
		atomic_store(&t->is_stopped, true);
}

static void served(void *context, const struct request *r, const struct l1_outcome *o)
{
	const struct teller_sm *sm = context;

	if (sm->statistics)
		sm->statistics->served(sm->statistics->context, r, o);
	if (sm->teller->function)
		tell(sm->teller, sm->sm, r, o);
}

static void left(void *context, const struct l1_residency *x)
{
	const struct teller_sm *sm = context;

	if (sm->statistics)
		sm->statistics->left(sm->statistics->context, x);
}

const struct l1_observer *request_teller_observer(void *teller, uint32_t sm)
{
	struct request_teller *t = teller;
	struct teller_sm *s = &t->sms[sm];

	if (!t->function)
		return t->stats ? l1_stats_observer(t->stats, sm) : NULL;
	*s = (struct teller_sm){
		.teller = t,
		.statistics = t->stats ? l1_stats_observer(t->stats, sm) : NULL,
		.observer = { .context = s, .served = served, .left = left },
		.sm = sm,
	};
	return &s->observer;
}

bool request_teller_is_stopped(void *teller)
{
	struct request_teller *t = teller;

	return atomic_load(&t->is_stopped);
}
