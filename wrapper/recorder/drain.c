/* SPDX-License-Identifier: Apache-2.0 */
#include "drain.h"

#include "array.h"
#include "clock.h"
#include "err.h"
#include "group_decoder.h"
#include "group_selection.h"
#include "kernel_table.h"
#include "slice_records.h"
#include "thread_pool.h"

#include <pthread.h>
#include <stdlib.h>

/* Words that a thread decodes before it hands on what it has; above, one group at a time. The
 * events, twice as many bytes, are still in its cache when they are packed. */
#define BATCH_BYTES (UINT64_C(1) << 17)
#define BATCH_ITEMS (UINT64_C(1) << 17)
/* Larger groups than this are decoded by one thread at a time. */
#define LARGE_BYTES (UINT64_C(4) << 20)
/* Less than this is not worth waking anybody. */
#define HANDOFF_BYTES (UINT64_C(64) << 10)

enum drain_stage { STAGE_IDLE, STAGE_RAW, STAGE_BEING_INDEXED, STAGE_INDEXED };

struct drain_slice {
	enum drain_stage stage;
	struct slice_records records;
	uint64_t next; /* first group that no thread has taken */
	uint64_t batch_groups;
	bool is_large;   /* groups are */
	bool is_tracked; /* for the sink */
	struct drain_result result;
};

/* A thread's own. */
struct drain_hand {
	struct drain_hand *next;
	struct group_decoder decoder;
};

struct drain {
	struct drain_terms terms;
	pthread_mutex_t lock;   /* of everything below */
	pthread_cond_t changed; /* anything below */
	struct drain_slice slices[DRAIN_SLICES];
	struct group_rounds *rounds; /* of the next slice, or NULL */
	uint64_t turn;               /* the group that is to be handed on next */
	unsigned tasks;              /* in the pool */
	struct drain_hand *idle;
	struct err failure;
};

/* Groups that a thread has taken to hand on. */
struct drain_batch {
	struct drain_slice *slice;
	uint64_t begin, end;
};

int drain_create(struct drain **out, const struct drain_terms *terms, struct err *err)
{
	struct drain *d = array_alloc(1, sizeof(*d), "drain", err);

	if (!d)
		return ERR_NOMEM;
	d->terms = *terms;
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->changed, NULL);
	for (int i = 0; i < DRAIN_SLICES; i++)
		slice_records_init(&d->slices[i].records, terms->shape, terms->layout);
	*out = d;
	return 0;
}

/* A decoder for this thread. The lock is held, and not meanwhile. NULL: see d->failure. */
static struct drain_hand *take_hand(struct drain *d)
{
	struct drain_hand *hand = d->idle;
	struct err err = { 0 };

	if (hand) {
		d->idle = hand->next;
		return hand;
	}
	pthread_mutex_unlock(&d->lock);
	hand = array_alloc(1, sizeof(*hand), "decoder", &err);
	if (hand && group_decoder_init(&hand->decoder, d->terms.table, &err) < 0) {
		group_decoder_release(&hand->decoder);
		free(hand);
		hand = NULL;
	}
	pthread_mutex_lock(&d->lock);
	if (!hand && !d->failure.code)
		d->failure = err;
	return hand;
}

/* The slice that comes first of those with groups that nobody has taken, or NULL. */
static struct drain_slice *first_open(struct drain *d)
{
	struct drain_slice *found = NULL;

	for (int i = 0; i < DRAIN_SLICES; i++) {
		struct drain_slice *s = &d->slices[i];

		if (s->stage != STAGE_IDLE && s->next < s->records.slice.box.end &&
		    (!found || s->next < found->next))
			found = s;
	}
	return found;
}

/* See that a slice is indexed; the lock is held, but not meanwhile. */
static void index_slice(struct drain *d, struct drain_slice *s)
{
	struct err err = { 0 };

	if (s->stage == STAGE_RAW) {
		s->stage = STAGE_BEING_INDEXED;
		pthread_mutex_unlock(&d->lock);
		(void)slice_records_index(&s->records, &err);
		pthread_mutex_lock(&d->lock);
		if (err.code && !d->failure.code)
			d->failure = err;
		s->result.damaged += s->records.damaged;
		s->result.sets = s->records.sets;
		s->stage = STAGE_INDEXED;
		pthread_cond_broadcast(&d->changed);
	}
	while (s->stage == STAGE_BEING_INDEXED)
		pthread_cond_wait(&d->changed, &d->lock);
}

/* Take some groups, of slice `only` if that is not NULL. False: none is left. */
static bool take_batch(struct drain *d, const struct drain_slice *only, struct drain_batch *batch)
{
	struct drain_slice *s;

	for (;;) {
		s = first_open(d);
		if (!s || (only && only->next >= only->records.slice.box.end))
			return false;
		if (s->stage == STAGE_INDEXED)
			break;
		index_slice(d, s);
	}
	*batch = (struct drain_batch){ s, s->next, s->records.slice.box.end };
	if (batch->end - batch->begin > s->batch_groups)
		batch->end = batch->begin + s->batch_groups;
	s->next = batch->end;
	return true;
}

static void wait_for_turn(struct drain *d, uint64_t group)
{
	while (d->turn != group)
		pthread_cond_wait(&d->changed, &d->lock);
}

/* A batch that a thread is at, for the sink of its decoder. */
struct drain_work {
	struct drain *d;
	const struct drain_batch *batch;
	bool has_turn;
	uint64_t sink_ns; /* in the sink while it decodes */
};

/* Wait for the turn of a batch. No lock is held. Returns 0, or what failed before. */
static int have_turn(struct drain_work *work, struct err *err)
{
	struct drain *d = work->d;
	struct err failure;

	if (work->has_turn)
		return 0;
	pthread_mutex_lock(&d->lock);
	wait_for_turn(d, work->batch->begin);
	failure = d->failure;
	pthread_mutex_unlock(&d->lock);
	work->has_turn = !failure.code;
	return failure.code ? err_set(err, (enum err_code)failure.code, "%s", failure.msg) : 0;
}

/* Hand on a group or a part of one, in its turn. No lock is held. */
static int hand_on(void *context, uint64_t group, const struct group_events *events, bool is_last,
                   struct err *err)
{
	struct drain_work *work = context;
	const struct drain_terms *terms = &work->d->terms;
	const struct drained_part part = { group, events, is_last, work->batch->slice->is_tracked };
	int rc = have_turn(work, err);

	return rc ? rc : terms->sink(terms->context, &part, err);
}

/* The same while a group is decoded, which is not yet done. */
static int hand_on_part(void *context, uint64_t group, const struct group_events *events,
                        bool is_last, struct err *err)
{
	struct drain_work *work = context;
	uint64_t since = clock_now_ns();
	int rc = hand_on(context, group, events, is_last, err);

	work->sink_ns += clock_now_ns() - since;
	return rc;
}

/* Decode the groups of a batch that are wanted. No lock is held. */
static void decode(const struct drain *d, const struct drain_batch *batch,
                   struct group_decoder *decoder, struct err *err)
{
	const struct group_selection *selection = d->terms.selection;

	for (uint64_t g = batch->begin; !err->code && g < batch->end; g++)
		if (!selection || group_selection_has(selection, g))
			(void)group_decoder_add(decoder, &batch->slice->records, g, err);
}

/* Decode a batch and hand it on in its turn. The lock is held, and not while there is work. */
static void do_batch(struct drain *d, const struct drain_batch *batch,
                     struct group_decoder *decoder)
{
	struct drain_result *result = &batch->slice->result;
	struct drain_work work = { .d = d, .batch = batch };
	struct err err = d->failure;
	uint64_t begin, decoded, sent;

	if (batch->slice->is_large)
		wait_for_turn(d, batch->begin);
	pthread_mutex_unlock(&d->lock);
	decoder->sink = hand_on_part;
	decoder->context = &work;
	begin = clock_now_ns();
	decode(d, batch, decoder, &err);
	decoded = clock_now_ns();
	pthread_mutex_lock(&d->lock);
	wait_for_turn(d, batch->begin);
	if (d->failure.code)
		err = d->failure;
	pthread_mutex_unlock(&d->lock);
	work.has_turn = true;
	decoder->sink = hand_on;
	sent = clock_now_ns();
	if (!err.code)
		(void)group_decoder_send(decoder, &err);
	sent = clock_now_ns() - sent;
	pthread_mutex_lock(&d->lock);
	if (!d->failure.code)
		d->failure = err;
	result->decode_ns += decoded - begin - work.sink_ns;
	result->sink_ns += sent + work.sink_ns;
	result->events += decoder->sent_events;
	result->chunk_events += decoder->chunk_events;
	result->damaged += decoder->damaged;
	d->turn = batch->end;
	pthread_cond_broadcast(&d->changed);
	group_decoder_clear(decoder);
}

/* A batch without a decoder: its groups are lost, and later ones have their turn. */
static void skip_batch(struct drain *d, const struct drain_batch *batch)
{
	wait_for_turn(d, batch->begin);
	d->turn = batch->end;
	pthread_cond_broadcast(&d->changed);
}

/* Work while there is any; the lock is held. */
static void work(struct drain *d, const struct drain_slice *only)
{
	struct drain_hand *hand = NULL;
	struct drain_batch batch;

	while (take_batch(d, only, &batch)) {
		hand = hand ? hand : take_hand(d);
		if (hand)
			do_batch(d, &batch, &hand->decoder);
		else
			skip_batch(d, &batch);
	}
	if (hand) {
		hand->next = d->idle;
		d->idle = hand;
	}
}

static void run_task(void *argument)
{
	struct drain *d = argument;

	pthread_mutex_lock(&d->lock);
	work(d, NULL);
	d->tasks--;
	pthread_cond_broadcast(&d->changed);
	pthread_mutex_unlock(&d->lock);
}

/* Groups in a batch: neither their words nor their work-items are too many. */
static uint64_t batch_groups(uint64_t groups, uint64_t bytes, uint32_t group_items)
{
	uint64_t by_words = bytes ? groups * BATCH_BYTES / bytes : groups;
	uint64_t by_items = BATCH_ITEMS / group_items;
	uint64_t count = by_words < by_items ? by_words : by_items;

	return count ? count : 1;
}

void drain_rounds(struct drain *d, struct group_rounds *rounds)
{
	d->rounds = rounds;
}

void drain_begin(struct drain *d, unsigned which, const struct slice *slice, const void *records,
                 uint32_t used_chunks, bool is_tracked)
{
	struct drain_slice *s = &d->slices[which];
	uint64_t bytes = slice_layout_record_bytes(d->terms.layout, slice, used_chunks);
	uint64_t groups = slice->box.end - slice->box.begin, batches;

	pthread_mutex_lock(&d->lock);
	slice_records_set(&s->records, slice, records, used_chunks);
	s->records.differences = d->terms.differences[which];
	s->records.rounds = d->rounds;
	s->result = (struct drain_result){ .groups = groups };
	s->next = slice->box.begin;
	s->batch_groups = batch_groups(groups, bytes, d->terms.layout->group_items);
	s->is_large = bytes / groups > LARGE_BYTES;
	s->is_tracked = is_tracked;
	s->stage = STAGE_RAW;
	if (!d->slices[!which].stage)
		d->turn = slice->box.begin;
	batches = bytes < HANDOFF_BYTES ? 0 : groups / s->batch_groups + 1;
	while (d->tasks < thread_pool_count(d->terms.pool) && batches--) {
		if (thread_pool_submit(d->terms.pool, run_task, d) < 0)
			break;
		d->tasks++;
	}
	pthread_mutex_unlock(&d->lock);
}

int drain_wait(struct drain *d, unsigned which, struct drain_result *result, struct err *err)
{
	struct drain_slice *s = &d->slices[which];
	int rc = 0;

	if (result)
		*result = (struct drain_result){ 0 };
	pthread_mutex_lock(&d->lock);
	if (s->stage != STAGE_IDLE) {
		work(d, s);
		while (d->turn < s->records.slice.box.end)
			pthread_cond_wait(&d->changed, &d->lock);
		s->stage = STAGE_IDLE;
		if (result)
			*result = s->result;
	}
	if (d->failure.code)
		rc = err_set(err, (enum err_code)d->failure.code, "%s", d->failure.msg);
	pthread_mutex_unlock(&d->lock);
	return rc;
}

void drain_counts(struct drain *d, uint64_t *counts)
{
	pthread_mutex_lock(&d->lock);
	while (d->tasks)
		pthread_cond_wait(&d->changed, &d->lock);
	for (const struct drain_hand *hand = d->idle; hand; hand = hand->next)
		if (hand->decoder.sums)
			count_cells_tell(d->terms.table, hand->decoder.sums, hand->decoder.counted,
			                 counts);
	pthread_mutex_unlock(&d->lock);
}

void drain_free(struct drain *d)
{
	if (!d)
		return;
	for (unsigned i = 0; i < DRAIN_SLICES; i++)
		(void)drain_wait(d, i, NULL, NULL);
	pthread_mutex_lock(&d->lock);
	while (d->tasks)
		pthread_cond_wait(&d->changed, &d->lock);
	pthread_mutex_unlock(&d->lock);
	for (struct drain_hand *hand = d->idle; hand; hand = d->idle) {
		d->idle = hand->next;
		group_decoder_release(&hand->decoder);
		free(hand);
	}
	for (int i = 0; i < DRAIN_SLICES; i++)
		slice_records_release(&d->slices[i].records);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	free(d);
}
