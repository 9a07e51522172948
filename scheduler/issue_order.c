/* SPDX-License-Identifier: Apache-2.0 */
#include "issue_order.h"

#include "array.h"
#include "err.h"
#include "number.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

int ready_set_init(struct ready_set *s, uint32_t size, struct err *err)
{
	size_t words = (size_t)size / WORD_BITS + 1;

	*s = (struct ready_set){ 0 };
	s->bits = array_alloc(words, sizeof(*s->bits), "ready warps", err);
	s->counts = array_alloc(words, sizeof(*s->counts), "ready warps", err);
	return s->bits && s->counts ? 0 : ERR_NOMEM;
}

void ready_set_release(struct ready_set *s)
{
	free(s->bits);
	free(s->counts);
	*s = (struct ready_set){ 0 };
}

/* Insert or remove a number if needed. Nothing happens to a zeroed struct. */
static void ready_set_add(struct ready_set *s, uint32_t number)
{
	uint64_t bit = UINT64_C(1) << number % WORD_BITS;

	if (!s->bits || s->bits[number / WORD_BITS] & bit)
		return;
	s->bits[number / WORD_BITS] |= bit;
	s->counts[number / WORD_BITS]++;
	s->count++;
}

static void ready_set_remove(struct ready_set *s, uint32_t number)
{
	uint64_t bit = UINT64_C(1) << number % WORD_BITS;

	if (!s->bits || !(s->bits[number / WORD_BITS] & bit))
		return;
	s->bits[number / WORD_BITS] &= ~bit;
	s->counts[number / WORD_BITS]--;
	s->count--;
}

/* Returns the k-th number in ascending order, from 0; k < s->count. */
static uint32_t ready_set_at(const struct ready_set *s, uint32_t k)
{
	uint32_t word = 0;
	uint64_t bits;

	assert(k < s->count);
	while (k >= s->counts[word])
		k -= s->counts[word++];
	for (bits = s->bits[word]; k; k--)
		bits &= bits - 1;
	return word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
}

#define NEVER UINT64_MAX

/* A row of issue_orders.def. */
static const struct row {
	const char *name, *number; /* number: ":N", ... or "" */
	enum issue_unit unit;
	uint64_t fallback, min, max;
} rows[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text)                                  \
	{ #name, number, ISSUE_##unit, fallback, min, max },
#include "issue_orders.def"
#undef ISSUE_ORDER
};

int issue_order_parse(struct issue_order *o, const char *text, struct err *err)
{
	size_t length = strcspn(text, ":");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		uint64_t number = row->fallback;

		if (strlen(row->name) != length || memcmp(row->name, text, length) != 0)
			continue;
		if (text[length] && !*row->number)
			return err_set(err, ERR_USAGE, "'%s': %s takes no number", text, row->name);
		if (text[length] &&
		    number_parse(text + length + 1, text, row->min, row->max, &number, err))
			return ERR_USAGE;
		*o = (struct issue_order){ (enum issue_order_kind)i, number };
		return 0;
	}
	return err_set(err, ERR_USAGE, "unknown order '%s'; there are:%s", text,
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) " " #name number
#include "issue_orders.def"
#undef ISSUE_ORDER
	);
}

const char *issue_order_text(char text[ISSUE_ORDER_BYTES], const struct issue_order *o)
{
	if (*rows[o->kind].number)
		snprintf(text, ISSUE_ORDER_BYTES, "%s:%" PRIu64, rows[o->kind].name, o->number);
	else
		snprintf(text, ISSUE_ORDER_BYTES, "%s", rows[o->kind].name);
	return text;
}

enum issue_unit issue_order_unit(const struct issue_order *o)
{
	return rows[o->kind].unit;
}

uint32_t issue_order_lanes(const struct issue_order *o, uint32_t warp_lanes)
{
	switch (issue_order_unit(o)) {
	case ISSUE_WARPS:
		break;
	case ISSUE_LARGE_WARPS:
		return (uint32_t)o->number;
	case ISSUE_ITEMS:
		return 1;
	}
	return warp_lanes;
}

int issue_order_check(const struct issue_order *o, uint32_t warp_lanes, struct err *err)
{
	uint32_t lanes = issue_order_lanes(o, warp_lanes);

	if (issue_order_unit(o) == ISSUE_LARGE_WARPS && (!lanes || lanes % warp_lanes))
		return err_set(err, ERR_CONFIG,
		               "%s:%" PRIu32 ": expected a multiple of the %" PRIu32
		               " lanes of a warp",
		               rows[o->kind].name, lanes, warp_lanes);
	return 0;
}

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t issue_order_seed(const struct issue_order *o, uint32_t sm)
{
	uint64_t seed = o->number;

	return draw(&seed) + sm;
}

/* Returns the first ready warp of first..end - 1, or `end`. Lowers *wake to the earliest cycle in
 * which one of the warps before it is ready. */
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

/* As search(), in the ring ring[0]..ring[1] - 1 from `turn` on; `none` if no warp is ready. */
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

/* Returns the ready warp with the least `since`, but prefers the one whose `since` is `greedy`. */
static uint32_t choose_oldest(const struct issue_queue *q, uint64_t greedy, uint64_t now,
                              uint64_t *wake)
{
	uint32_t best = q->count;

	for (uint32_t i = 0; i < q->count; i++) {
		if (q->ready[i] > now) {
			if (q->ready[i] < *wake)
				*wake = q->ready[i];
			continue;
		}
		if (q->since[i] == greedy)
			return i;
		if (best == q->count || q->since[i] < q->since[best])
			best = i;
	}
	return best;
}

/* Returns the oldest ready warp. It stays the oldest until it stops or an older one is woken. */
static uint32_t choose_first(struct issue_queue *q, uint64_t now, uint64_t *wake)
{
	if (q->is_woken || q->ready[q->turn] > now) {
		uint32_t found = choose_oldest(q, 0, now, wake);

		q->is_woken = false;
		if (found == q->count)
			return found;
		q->turn = found;
	}
	return q->turn;
}

static uint32_t choose_randomly(struct issue_queue *q)
{
	if (!q->waiting.count)
		return q->count;
	return ready_set_at(&q->waiting, (uint32_t)(draw(&q->draws) % q->waiting.count));
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
	case ISSUE_ORDER_lwf:
	case ISSUE_ORDER_reorder:
	case ISSUE_ORDER_roundrobin:
		break;
	case ISSUE_ORDER_prr:
		return choose_strictly(q, now, wake);
	case ISSUE_ORDER_gto:
		return choose_oldest(q, q->greedy, now, wake);
	case ISSUE_ORDER_twolevel:
		return choose_in_groups(q, (uint32_t)o->number, now, wake);
	case ISSUE_ORDER_fifo:
		return choose_first_ready(q, now, wake);
	case ISSUE_ORDER_sequential:
		return choose_first(q, now, wake);
	case ISSUE_ORDER_random:
		return choose_randomly(q);
	}
	return search_ring(q, all, q->turn, now, wake);
}

void issue_order_woken(struct issue_queue *q, uint32_t warp)
{
	q->is_woken = true;
	ready_set_add(&q->waiting, warp);
}

void issue_order_stopped(struct issue_queue *q, uint32_t warp)
{
	ready_set_remove(&q->waiting, warp);
}

void issue_order_issued(const struct issue_order *o, struct issue_queue *q, uint32_t warp,
                        uint64_t number)
{
	uint32_t next = warp + 1, fetch_warps = (uint32_t)o->number;

	q->greedy = q->since[warp];
	if (o->kind == ISSUE_ORDER_fifo)
		q->since[warp] = number;
	if (o->kind == ISSUE_ORDER_twolevel && next % fetch_warps == 0)
		next -= fetch_warps;
	else if (o->kind == ISSUE_ORDER_twolevel && next == q->count)
		next = warp / fetch_warps * fetch_warps;
	if (o->kind != ISSUE_ORDER_sequential)
		q->turn = next < q->count ? next : 0;
}
