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

/* Words that a thread decodes before it passes them on; a larger group is a batch of its own. The
 * events, twice as many bytes, are still in its cache when they are packed. */
#define BATCH_BYTES (UINT64_C(1) << 17)
#define BATCH_ITEMS (UINT64_C(1) << 17)
/* Larger groups than this are decoded by one thread at a time. */
#define LARGE_BYTES (UINT64_C(4) << 20)
/* Less work than this is not worth waking a thread. */
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
struct drain_worker {
	struct drain_worker *next;
	struct group_decoder decoder;
};

struct drain {
	struct drain_terms terms;
	pthread_mutex_t lock;   /* of everything below */
	pthread_cond_t changed; /* anything below */
	struct drain_slice slices[DRAIN_SLICES];
	struct group_rounds *rounds; /* of the next slice, or NULL */
	uint64_t turn;               /* the next group to pass on */
	unsigned tasks;              /* in the pool */
	struct drain_worker *idle;
	struct err failure;
};

/* Groups that a thread has taken to decode and pass on. */
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

/* Returns a decoder for this thread, or NULL with d->failure set. Called with the lock held, which
 * it releases while it works. */
static struct drain_worker *take_worker(struct drain *d)
{
	struct drain_worker *worker = d->idle;
	struct err err = { 0 };

	if (worker) {
		d->idle = worker->next;
		return worker;
	}
	pthread_mutex_unlock(&d->lock);
	worker = array_alloc(1, sizeof(*worker), "decoder", &err);
	if (worker && group_decoder_init(&worker->decoder, d->terms.table, &err) < 0) {
		group_decoder_release(&worker->decoder);
		free(worker);
		worker = NULL;
	}
	pthread_mutex_lock(&d->lock);
	if (!worker && !d->failure.code)
		d->failure = err;
	return worker;
}

/* Returns the first slice with groups that no thread has taken, or NULL. */
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

/* Index a slice unless that is done. Called with the lock held, which it releases while it works.
 */
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

/* Take some groups, only from slice `only` unless that is NULL. False: there are none left. */
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

/* The batch that a thread works on, for the sink of its decoder. */
struct drain_work {
	struct drain *d;
	const struct drain_batch *batch;
	bool has_turn;
	uint64_t sink_ns; /* in the sink while it decodes */
};

/* Wait for the turn of a batch. Called without the lock. Returns 0, or an earlier failure. */
static int await_turn(struct drain_work *work, struct err *err)
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

/* Pass on a group or a part of one, in its turn. Called without the lock. */
static int pass_on(void *context, uint64_t group, const struct group_events *events, bool is_last,
                   struct err *err)
{
	struct drain_work *work = context;
	const struct drain_terms *terms = &work->d->terms;
	const struct drained_part part = { group, events, is_last, work->batch->slice->is_tracked };
	int rc = await_turn(work, err);

	return rc ? rc : terms->sink(terms->context, &part, err);
}

/* Pass on a part of a group whose decoding goes on. */
static int pass_on_part(void *context, uint64_t group, const struct group_events *events,
                        bool is_last, struct err *err)
{
	struct drain_work *work = context;
	uint64_t since = clock_now_ns();
	int rc = pass_on(context, group, events, is_last, err);

	work->sink_ns += clock_now_ns() - since;
	return rc;
}

/* Decode the selected groups of a batch. Called without the lock. */
static void decode(const struct drain *d, const struct drain_batch *batch,
                   struct group_decoder *decoder, struct err *err)
{
	const struct group_selection *selection = d->terms.selection;

	for (uint64_t g = batch->begin; !err->code && g < batch->end; g++)
		if (!selection || group_selection_has(selection, g))
			(void)group_decoder_add(decoder, &batch->slice->records, g, err);
}

/* Decode a batch and pass it on in its turn. Called with the lock held, which it releases while it
 * works. */
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
	decoder->sink = pass_on_part;
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
	decoder->sink = pass_on;
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

/* Lose the groups of a batch that got no decoder, so that later ones have their turn. */
static void skip_batch(struct drain *d, const struct drain_batch *batch)
{
	wait_for_turn(d, batch->begin);
	d->turn = batch->end;
	pthread_cond_broadcast(&d->changed);
}

/* Work as long as there is any. Called with the lock held. */
static void work(struct drain *d, const struct drain_slice *only)
{
	struct drain_worker *worker = NULL;
	struct drain_batch batch;

	while (take_batch(d, only, &batch)) {
		worker = worker ? worker : take_worker(d);
		if (worker)
			do_batch(d, &batch, &worker->decoder);
		else
			skip_batch(d, &batch);
	}
	if (worker) {
		worker->next = d->idle;
		d->idle = worker;
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

/* Returns the number of groups in a batch, limited by their words and work-items. */
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
	for (const struct drain_worker *worker = d->idle; worker; worker = worker->next)
		if (worker->decoder.sums)
			count_cells_expand(d->terms.table, worker->decoder.sums,
			                   worker->decoder.counted, counts);
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
	for (struct drain_worker *worker = d->idle; worker; worker = d->idle) {
		d->idle = worker->next;
		group_decoder_release(&worker->decoder);
		free(worker);
	}
	for (int i = 0; i < DRAIN_SLICES; i++)
		slice_records_release(&d->slices[i].records);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	free(d);
}
