/* SPDX-License-Identifier: Apache-2.0 */
#include "issue_order.h"

#include "err.h"
#include "number.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NEVER UINT64_MAX

enum { FETCH_WARPS_MAX = 1024 };

static const struct {
	const char *name;
	uint32_t fallback;
} orders[] = {
#define ISSUE_ORDER(name, fallback, text) { #name, fallback },
#include "issue_orders.def"
#undef ISSUE_ORDER
};

int issue_order_parse(struct issue_order *o, const char *text, struct err *err)
{
	size_t length = strcspn(text, ":");
	uint64_t n = 0;

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (strlen(orders[i].name) != length || memcmp(orders[i].name, text, length) != 0)
			continue;
		if (text[length] && !orders[i].fallback)
			return err_set(err, ERR_USAGE, "'%s': %s takes no number", text,
			               orders[i].name);
		n = orders[i].fallback;
		if (text[length] &&
		    number_parse(text + length + 1, text, 1, FETCH_WARPS_MAX, &n, err))
			return ERR_USAGE;
		*o = (struct issue_order){ (enum issue_order_kind)i, (uint32_t)n };
		return 0;
	}
	return err_set(err, ERR_USAGE, "unknown order '%s'; there are:%s", text,
#define ISSUE_ORDER(name, fallback, text) " " #name
#include "issue_orders.def"
#undef ISSUE_ORDER
	);
}

const char *issue_order_text(char text[ISSUE_ORDER_BYTES], const struct issue_order *o)
{
	if (orders[o->kind].fallback)
		snprintf(text, ISSUE_ORDER_BYTES, "%s:%" PRIu32, orders[o->kind].name,
		         o->fetch_warps);
	else
		snprintf(text, ISSUE_ORDER_BYTES, "%s", orders[o->kind].name);
	return text;
}

/* Look at warps first..end: the first that is ready, else `end`. Those before it lower *wake to
 * when the first of them is. */
static uint32_t search(const struct issue_queue *q, uint32_t first, uint32_t end, uint64_t now,
                       uint64_t *wake)
{
	for (; first < end; first++) {
		if (q->ready[first] <= now)
			return first;
		if (q->ready[first] < *wake)
			*wake = q->ready[first];
	}
	return end;
}

/* The same in a ring first..end that begins at `turn`; `none` when there is none. */
static uint32_t search_ring(const struct issue_queue *q, const uint32_t ring[2], uint32_t turn,
                            uint64_t now, uint64_t *wake)
{
	uint32_t found = search(q, turn, ring[1], now, wake);

	if (found < ring[1])
		return found;
	found = search(q, ring[0], turn, now, wake);
	return found < turn ? found : q->count;
}

static uint32_t choose_strictly(struct issue_queue *q, uint64_t now, uint64_t *wake)
{
	for (uint32_t passed = 0; passed < q->count; passed++) {
		if (q->ready[q->turn] != NEVER)
			break;
		q->turn = q->turn + 1 < q->count ? q->turn + 1 : 0;
	}
	*wake = q->ready[q->turn];
	return *wake <= now ? q->turn : q->count;
}

static uint32_t choose_oldest(const struct issue_queue *q, uint64_t now, uint64_t *wake)
{
	uint32_t best = q->count;

	for (uint32_t i = 0; i < q->count; i++) {
		if (q->ready[i] > now) {
			if (q->ready[i] < *wake)
				*wake = q->ready[i];
			continue;
		}
		if (q->since[i] == q->greedy)
			return i;
		if (best == q->count || q->since[i] < q->since[best])
			best = i;
	}
	return best;
}

static uint32_t choose_first_ready(const struct issue_queue *q, uint64_t now, uint64_t *wake)
{
	uint32_t best = q->count;

	for (uint32_t i = 0; i < q->count; i++) {
		if (q->ready[i] < *wake)
			*wake = q->ready[i];
		if (q->ready[i] > now)
			continue;
		if (best == q->count || q->ready[i] < q->ready[best] ||
		    (q->ready[i] == q->ready[best] && q->since[i] < q->since[best]))
			best = i;
	}
	return best;
}

/* The fetch group whose turn it is, then the others in a ring. */
static uint32_t choose_in_groups(const struct issue_queue *q, uint32_t fetch_warps, uint64_t now,
                                 uint64_t *wake)
{
	uint32_t groups = (q->count + fetch_warps - 1) / fetch_warps, turn = q->turn;
	uint32_t found = q->count;

	for (uint32_t k = 0, g = q->turn / fetch_warps; found == q->count && k < groups; k++) {
		uint32_t first = g * fetch_warps, rest = q->count - first;
		const uint32_t ring[2] = { first,
			                   first + (rest < fetch_warps ? rest : fetch_warps) };

		found = search_ring(q, ring, turn, now, wake);
		g = g + 1 < groups ? g + 1 : 0;
		turn = g * fetch_warps;
	}
	return found;
}

uint32_t issue_order_choose(const struct issue_order *o, struct issue_queue *q, uint64_t now,
                            uint64_t *wake)
{
	const uint32_t all[2] = { 0, q->count };

	*wake = NEVER;
	if (!q->count)
		return 0;
	switch (o->kind) {
	case ISSUE_ORDER_lrr:
		break;
	case ISSUE_ORDER_prr:
		return choose_strictly(q, now, wake);
	case ISSUE_ORDER_gto:
		return choose_oldest(q, now, wake);
	case ISSUE_ORDER_twolevel:
		return choose_in_groups(q, o->fetch_warps, now, wake);
	case ISSUE_ORDER_fifo:
		return choose_first_ready(q, now, wake);
	}
	return search_ring(q, all, q->turn, now, wake);
}

void issue_order_issued(const struct issue_order *o, struct issue_queue *q, uint32_t warp,
                        uint64_t number)
{
	uint32_t next = warp + 1;

	q->greedy = q->since[warp];
	if (o->kind == ISSUE_ORDER_fifo)
		q->since[warp] = number;
	if (o->kind == ISSUE_ORDER_twolevel && next % o->fetch_warps == 0)
		next -= o->fetch_warps;
	else if (o->kind == ISSUE_ORDER_twolevel && next == q->count)
		next = warp / o->fetch_warps * o->fetch_warps;
	q->turn = next < q->count ? next : 0;
}
