/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_bypass.h"

#include "l1_lines.h"
#include "l1_visit.h"
#include "sector_masks.h"

uint32_t l1_bypass_bytes(const struct l1 *l1, const struct request *r)
{
	return r->sectors * (l1->line_bytes < 32 ? l1->line_bytes : 32);
}

/* All but what every request is counted in. */
static void count(const struct l1 *l1, const struct request *r, struct counters *c)
{
	uint32_t bytes = l1_bypass_bytes(l1, r);

	c->bypasses++;
	c->bytes_bypassed += bytes;
	c->bytes_from_l2 += bytes;
}

static void ask_below(struct l1 *l1, const struct l1_visit *v, uint64_t token)
{
	const struct message m = {
		.cycle = v->cycle,
		.line = v->line << l1->line_shift,
		.sectors =
			sector_masks_of(v->r, l1->line_bytes, outbox_sector_bytes(l1->line_bytes))
				.touched,
		.token = token,
		.bytes = l1_bypass_bytes(l1, v->r),
		.kind = MESSAGE_READ_PAST,
	};

	l1_lines_send(l1, &v->origin, &m);
}

void l1_bypass_serve(struct l1 *l1, struct l1_visit *v)
{
	bool is_later = l1->below && !l1->is_immediate;

	v->event = L1_BYPASS;
	v->data = l1_visit_past(l1, v);
	count(l1, v->r, v->origin.counters);
	if (l1->write == GPU_L1_WRITE_BACK_ALLOCATE)
		l1_lines_clean(l1, v);
	if (l1->below)
		ask_below(l1, v, is_later ? l1_visit_token(l1, v) : OUTBOX_NO_TOKEN);
}

/* Of a plain one. */
static void tell_observer(struct l1 *l1, const struct request *r, uint64_t now_cycles)
{
	const struct l1_outcome o = { .event = L1_BYPASS,
		                      .set = set_index_find(&l1->index, r->line >> l1->line_shift),
		                      .cycle = now_cycles,
		                      .bytes_fetched = l1_bypass_bytes(l1, r) };

	if (now_cycles > l1->now)
		l1->now = now_cycles;
	l1->observer->served(l1->observer->context, r, &o);
}

uint64_t l1_read_past(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *counters)
{
	if (!l1->is_plain)
		return l1_port_request(l1, r, true, now_cycles, counters);
	counters->lanes += r->lanes;
	counters->bytes_asked += r->bytes_used;
	count(l1, r, counters);
	if (l1->observer)
		tell_observer(l1, r, now_cycles);
	if (l1->below)
		return l1_asks_past(l1, r, l1_bypass_bytes(l1, r), now_cycles);
	return now_cycles + l1->miss_cycles;
}
