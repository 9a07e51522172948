/* SPDX-License-Identifier: Apache-2.0 */
#include "hierarchy.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "l2.h"
#include "outbox_merge.h"

#include <stdlib.h>
#include <string.h>

enum { NEXT_ANSWERS = 8 }; /* answers */

void answer_queue_init(struct answer_queue *q)
{
	fifo_init(&q->prompt, sizeof(struct below_answer), "answers of L2");
	fifo_init(&q->late, sizeof(struct below_answer), "answers of L2");
	fifo_init(&q->merged, sizeof(struct below_answer), "answers of L2");
}

void answer_queue_release(struct answer_queue *q)
{
	fifo_release(&q->prompt);
	fifo_release(&q->late);
	fifo_release(&q->merged);
}

void answer_queue_put(struct answer_queue *q, const struct below_answer *a, bool is_late)
{
	struct fifo *to = is_late ? &q->late : &q->prompt;
	struct below_answer *at = fifo_add(to);
	const struct below_answer *first = fifo_peek(to);

	if (!at)
		return;
	__builtin_prefetch(at + NEXT_ANSWERS, 1);
	for (; at > first && at[-1].cycle > a->cycle; at--)
		*at = at[-1];
	*at = *a;
}

/* Returns the number of answers of cycles < before. */
static size_t count_before(const struct fifo *f, uint64_t before)
{
	const struct below_answer *a = fifo_peek(f);
	size_t count = fifo_count(f), i = 0;

	while (i < count && a[i].cycle < before)
		i++;
	return i;
}

/* Merge the first answers of both queues. */
static void merge(struct answer_queue *q, size_t prompt_count, size_t late_count)
{
	const struct below_answer *prompt = fifo_peek(&q->prompt), *late = fifo_peek(&q->late);
	size_t p = 0, l = 0;

	fifo_drop_many(&q->merged, fifo_count(&q->merged));
	while (p < prompt_count || l < late_count) {
		bool is_late =
			p == prompt_count || (l < late_count && late[l].cycle <= prompt[p].cycle);
		struct below_answer *to = fifo_add(&q->merged);

		if (!to)
			return;
		*to = is_late ? late[l] : prompt[p];
		l += is_late;
		p += !is_late;
	}
}

const struct below_answer *answer_queue_take(struct answer_queue *q, uint64_t before, size_t *count)
{
	size_t prompt = count_before(&q->prompt, before), late = count_before(&q->late, before);
	const struct below_answer *taken = fifo_peek(late ? &q->late : &q->prompt);

	*count = prompt + late;
	if (prompt && late) {
		merge(q, prompt, late);
		*count = fifo_count(&q->merged);
		taken = fifo_peek(&q->merged);
	}
	fifo_drop_many(&q->prompt, prompt);
	fifo_drop_many(&q->late, late);
	return taken;
}

int answer_queue_status(const struct answer_queue *q, struct err *err)
{
	if (!q->prompt.is_failed && !q->late.is_failed && !q->merged.is_failed)
		return 0;
	return err_set(err, ERR_NOMEM, "out of memory for answers of L2");
}

void hierarchy_counts_sum(struct hierarchy_counts *sum, const struct hierarchy_counts *more)
{
	sum->is_on = sum->is_on || more->is_on;
	l2_counters_add(&sum->l2, &more->l2);
	dram_counters_add(&sum->dram, &more->dram);
}

void hierarchy_counts_release(struct hierarchy_counts *c)
{
	free(c->sites);
	free(c->slices);
	free(c->channels);
	*c = (struct hierarchy_counts){ 0 };
}

static const uint64_t HORIZON_WITHOUT_LATENCY = 1024;

enum {
	FAR_AHEAD = 12,
	AHEAD = 6,
	PLACES = 8,
	LINE_WORDS = 4096 / 64 /* words of one bit for each byte of a line */
}; /* in messages; PLACES: more than AHEAD, a power of two */

struct hierarchy {
	struct l2 l2;
	struct outbox_merge merge;
	struct outbox *boxes;         /* of each SM */
	struct answer_queue *answers; /* of each SM */
	uint32_t sm_count;
	uint32_t l1_line_bytes;
	uint32_t from_shift, to_shift; /* log2 of the sector size of messages, and of L2 */
	uint64_t horizon;
	uint64_t until;                 /* of the last hierarchy_settle() */
	struct l2_place places[PLACES]; /* places of the next messages, by number */
};

static int create_queues(struct hierarchy *h, struct err *err)
{
	h->boxes = array_alloc(h->sm_count, sizeof(*h->boxes), "outboxes of SMs", err);
	h->answers = array_alloc(h->sm_count, sizeof(*h->answers), "answers to SMs", err);
	if (!h->boxes || !h->answers)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < h->sm_count; i++) {
		outbox_init(&h->boxes[i]);
		if (h->l2.shape.keeps_parts)
			outbox_record_parts(&h->boxes[i], h->l1_line_bytes);
		answer_queue_init(&h->answers[i]);
	}
	return outbox_merge_init(&h->merge, h->boxes, h->sm_count, err);
}

static void take_sectors(struct hierarchy *h)
{
	h->from_shift = (uint32_t)__builtin_ctz(outbox_sector_bytes(h->l1_line_bytes));
	h->to_shift = (uint32_t)__builtin_ctz(h->l2.shape.sector_bytes);
}

int hierarchy_create(struct hierarchy **out, const struct gpu *gpu, size_t site_count,
                     struct err *err)
{
	struct hierarchy *h = array_alloc(1, sizeof(*h), "memory below L1", err);
	int ret;

	if (!h)
		return ERR_NOMEM;
	h->sm_count = gpu->sm_count;
	h->l1_line_bytes = gpu->l1_line_bytes;
	h->horizon = gpu->latency == GPU_LATENCY_OFF
	                     ? HORIZON_WITHOUT_LATENCY
	                     : (uint64_t)gpu->l1_hit_cycles + gpu->l2_hit_cycles;
	ret = l2_init(&h->l2, gpu, site_count, err);
	if (!ret)
		take_sectors(h);
	if (!ret)
		ret = create_queues(h, err);
	if (ret) {
		hierarchy_free(h);
		return ret;
	}
	*out = h;
	return 0;
}

void hierarchy_free(struct hierarchy *h)
{
	if (!h)
		return;
	for (uint32_t i = 0; i < h->sm_count; i++) {
		if (h->boxes)
			outbox_release(&h->boxes[i]);
		if (h->answers)
			answer_queue_release(&h->answers[i]);
	}
	outbox_merge_release(&h->merge);
	l2_release(&h->l2);
	free(h->boxes);
	free(h->answers);
	free(h);
}

struct outbox *hierarchy_outbox(struct hierarchy *h, uint32_t sm)
{
	return &h->boxes[sm];
}

uint64_t hierarchy_horizon(const struct hierarchy *h)
{
	return h->horizon;
}

/* Converts sectors of 2^from bytes, the first at byte `first`, to the sectors of 2^to bytes that
 * contain them: all of these or, with is_all, only those that are covered completely. Bit i is
 * sector i. */
static uint64_t convert(uint64_t sectors, uint32_t from, uint32_t first, uint32_t to, bool is_all)
{
	uint32_t each = from < to ? 1u << (to - from) : 1;
	uint64_t group = each < 64 ? ((uint64_t)1 << each) - 1 : UINT64_MAX, out = 0;

	if (from == to || !sectors)
		return sectors << (first >> to);
	for (uint32_t i = 0; i < 64 && sectors >> i; i += each) {
		uint64_t held = sectors >> i & group;

		if (is_all ? held == group : held != 0)
			out |= (uint64_t)1 << ((first + (i << from)) >> to);
	}
	return out;
}

/* Returns a message as a request for the L2 line that contains its line. */
static struct l2_request translate(const struct hierarchy *h, const struct message *m, uint32_t sm)
{
	const struct l2_shape *shape = &h->l2.shape;
	uint32_t first = (uint32_t)m->line & (shape->line_bytes - 1);
	uint32_t from = h->from_shift, to = h->to_shift;

	return (struct l2_request){ .cycle = m->cycle,
		                    .line = m->line >> shape->line_shift,
		                    .sectors = convert(m->sectors, from, first, to, false),
		                    .whole = convert(m->whole, from, first, to, true),
		                    .first_byte = first,
		                    .byte_count = h->l1_line_bytes,
		                    .bytes = m->bytes,
		                    .site = m->site,
		                    .sm = sm,
		                    .kind = m->kind };
}

/* Send invalidations to the SMs that shared the line that L2 replaced. */
static void invalidate(struct hierarchy *h, const struct l2_request *r,
                       const struct l2_slice *slice, const struct l2_reply *reply)
{
	struct below_answer a = { .cycle = reply->left_cycle + h->horizon,
		                  .kind = ANSWER_INVALIDATE };
	uint64_t first = reply->left_line * h->l2.shape.line_bytes;

	for (uint32_t sm = 0; sm < h->sm_count; sm++) {
		if (!(slice->left_sharers[sm / 64] >> sm % 64 & 1))
			continue;
		for (uint32_t at = 0; at < h->l2.shape.line_bytes; at += h->l1_line_bytes) {
			a.token_or_line = first + at;
			answer_queue_put(&h->answers[sm], &a, reply->left_cycle > r->cycle);
		}
	}
}

/* Returns the bytes that a message writes, for a write in which some L2 sectors are not whole; they
 * may be stored in `bytes`. NULL: not a write, or unknown. */
static const uint64_t *find_written(const struct hierarchy *h, const struct message *m, uint32_t sm,
                                    uint64_t bytes[LINE_WORDS])
{
	uint32_t unit = outbox_sector_bytes(h->l1_line_bytes);

	if (outbox_has_parts(m))
		return outbox_part(&h->boxes[sm]);
	if (!m->whole || m->sectors != m->whole)
		return NULL;
	memset(bytes, 0, LINE_WORDS * sizeof(*bytes));
	for (uint32_t at = 0; at < h->l1_line_bytes; at++)
		bytes[at / 64] |= (m->whole >> at / unit & 1) << at % 64;
	return bytes;
}

static void serve(struct hierarchy *h, const struct message *m, uint32_t sm,
                  const struct l2_place *place)
{
	const struct l2_shape *shape = &h->l2.shape;
	struct l2_request r = translate(h, m, sm);
	struct l2_reply reply;
	uint64_t bytes[LINE_WORDS];

	r.set = place->set;
	if (shape->keeps_parts && r.sectors != r.whole)
		r.written = find_written(h, m, sm, bytes);
	l2_slice_serve(place->slice, &r, &reply);
	if (shape->keeps_parts && outbox_has_parts(m))
		outbox_drop_part(&h->boxes[sm]);
	if (reply.has_left)
		invalidate(h, &r, place->slice, &reply);
	if (m->token != OUTBOX_NO_TOKEN)
		answer_queue_put(&h->answers[sm],
		                 &(struct below_answer){ .cycle = reply.cycle + h->horizon,
		                                         .token_or_line = m->token,
		                                         .kind = ANSWER_DATA },
		                 reply.cycle > r.cycle);
}

static struct l2_place place_of(const struct hierarchy *h, const struct message *m)
{
	return l2_find(&h->l2, m->line >> h->l2.shape.line_shift);
}

/* After message number `at` of the merge: find the places of the messages that are served soon, and
 * prefetch what they need. */
static void fetch_ahead(struct hierarchy *h, size_t at)
{
	const struct message *far = outbox_merge_ahead(&h->merge, FAR_AHEAD);
	const struct message *near = outbox_merge_ahead(&h->merge, AHEAD);
	const struct message *next = outbox_merge_ahead(&h->merge, AHEAD / 2);
	const struct l2_place *known = &h->places[(at + AHEAD / 2) % PLACES];
	struct l2_place *place = &h->places[(at + AHEAD) % PLACES];

	if (far)
		__builtin_prefetch(far);
	if (!near)
		return;
	*place = place_of(h, near);
	l2_slice_fetch_set(place->slice, place->set, near->line >> h->l2.shape.line_shift);
	if (at >= AHEAD)
		l2_slice_fetch_line(known->slice, known->set, next->line >> h->l2.shape.line_shift);
}

void hierarchy_settle(struct hierarchy *h, uint64_t until)
{
	const struct message *m;
	uint32_t sm;

	outbox_merge_start(&h->merge, until);
	while ((m = outbox_merge_next(&h->merge, &sm))) {
		size_t at = outbox_merge_at(&h->merge);
		struct l2_place *place = &h->places[at % PLACES];

		if (at <= AHEAD) /* not found by an earlier fetch_ahead() */
			*place = place_of(h, m);
		fetch_ahead(h, at);
		serve(h, m, sm, place);
	}
	h->until = until;
}

const struct below_answer *hierarchy_answers(struct hierarchy *h, uint32_t sm, uint64_t before,
                                             size_t *count)
{
	uint64_t known = h->until + h->horizon;

	if (known < h->until)
		known = UINT64_MAX;
	return answer_queue_take(&h->answers[sm], before > known ? before : known, count);
}

uint64_t hierarchy_next_answer(const struct hierarchy *h, uint32_t sm)
{
	return answer_queue_next(&h->answers[sm]);
}

void hierarchy_finish(struct hierarchy *h)
{
	l2_flush(&h->l2);
}

static int check_memory(const struct hierarchy *h, struct err *err)
{
	int ret = 0;

	if (h->merge.places.is_failed)
		return err_set(err, ERR_NOMEM, "out of memory for messages to L2");
	for (uint32_t i = 0; i < h->sm_count && !ret; i++) {
		ret = outbox_status(&h->boxes[i], err);
		if (!ret)
			ret = answer_queue_status(&h->answers[i], err);
	}
	return ret;
}

int hierarchy_count(const struct hierarchy *h, struct hierarchy_counts *out, struct err *err)
{
	const struct l2 *l2 = &h->l2;
	size_t site_bytes = l2->site_count * sizeof(*out->sites);

	*out = (struct hierarchy_counts){ .is_on = true,
		                          .site_count = l2->site_count,
		                          .slice_count = l2->slice_count,
		                          .channel_count = l2->dram.channel_count };
	if (check_memory(h, err))
		return ERR_NOMEM;
	out->sites = array_alloc(out->site_count, sizeof(*out->sites), "L2 counters", err);
	out->slices = array_alloc(out->slice_count, sizeof(*out->slices), "L2 counters", err);
	out->channels =
		array_alloc(out->channel_count, sizeof(*out->channels), "DRAM counters", err);
	if (!out->sites || !out->slices || !out->channels)
		return ERR_NOMEM;
	if (site_bytes)
		memcpy(out->sites, l2->sites, site_bytes);
	for (size_t i = 0; i < out->slice_count; i++) {
		out->slices[i] = l2->slices[i].total;
		l2_counters_add(&out->l2, &out->slices[i]);
	}
	for (size_t i = 0; i < out->channel_count; i++) {
		out->channels[i] = l2->dram.channels[i];
		dram_counters_add(&out->dram, &out->channels[i]);
	}
	return 0;
}
