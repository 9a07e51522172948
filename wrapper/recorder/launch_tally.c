/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_tally.h"

#include "recorder.h"
#include "str.h"

#include <stdlib.h>

#define LEAST_WAIT_NS UINT64_C(1000000000)
#define WAIT_SHARE    64

/* What the recording says of each; recorded_tally wants it changeable, and nobody changes it. */
static char options[][16] = {
#define SELECTION(NAME, option) option,
#include "selections.def"
#undef SELECTION
};

void launch_tallies_init(struct launch_tallies *t, uint64_t now_ns)
{
	*t = (struct launch_tallies){ .begun_ns = now_ns };
	atomic_init(&t->written_ns, now_ns);
	pthread_mutex_init(&t->lock, NULL);
}

void launch_tallies_release(struct launch_tallies *t)
{
	struct launch_tally *tally = atomic_load(&t->first), *next;

	for (; tally; tally = next) {
		next = tally->next;
		free(tally->unmodified);
		free(tally);
	}
	pthread_mutex_destroy(&t->lock);
}

struct launch_tally *launch_tallies_add(struct launch_tallies *t, uint32_t kernel_id,
                                        bool is_selected, const char *unmodified)
{
	struct launch_tally *tally = calloc(1, sizeof(*tally)), *first = atomic_load(&t->first);

	if (!tally)
		return NULL;
	tally->kernel_id = kernel_id;
	tally->is_selected = is_selected;
	tally->unmodified = unmodified ? str_copy(unmodified, NULL) : NULL;
	for (int i = 0; i < TALLY_REASON_COUNT; i++) {
		atomic_init(&tally->counts[i].first, UINT64_MAX);
		tally->counts[i].id = RECORDING_TALLY_NEW;
	}
	do
		tally->next = first;
	while (!atomic_compare_exchange_weak(&t->first, &first, tally));
	return tally;
}

bool launch_tally_count(struct launch_tallies *all, struct launch_tally *t,
                        enum tally_reason reason, uint64_t number)
{
	struct tally_count *c = &t->counts[reason];
	uint_fast64_t first = atomic_load_explicit(&c->first, memory_order_relaxed);
	uint_fast64_t last = atomic_load_explicit(&c->last, memory_order_relaxed);

	while (number < first && !atomic_compare_exchange_weak(&c->first, &first, number))
		;
	while (number > last && !atomic_compare_exchange_weak(&c->last, &last, number))
		;
	atomic_fetch_add_explicit(&c->count, 1, memory_order_release);
	return !atomic_load(&all->has_news) && !atomic_exchange(&all->has_news, true);
}

uint64_t launch_tallies_due_ns(const struct launch_tallies *t, uint64_t now_ns)
{
	uint64_t wait = (now_ns - t->begun_ns) / WAIT_SHARE;

	return atomic_load(&t->written_ns) + (wait < LEAST_WAIT_NS ? LEAST_WAIT_NS : wait);
}

static void write_count(struct recorder *recorder, const struct launch_tally *t,
                        struct tally_count *c, enum tally_reason reason)
{
	struct recorded_tally line = { .kernel = t->kernel_id };

	line.count = atomic_load_explicit(&c->count, memory_order_acquire);
	if (line.count == c->written)
		return;
	line.first = atomic_load(&c->first);
	line.last = atomic_load(&c->last);
	line.fate = reason == TALLY_UNMODIFIED ? LAUNCH_SKIPPED : LAUNCH_UNSELECTED;
	line.reason = reason == TALLY_UNMODIFIED ? t->unmodified : options[reason];
	if (recorder_tally(recorder, &line, &c->id))
		c->written = line.count;
}

void launch_tallies_write(struct launch_tallies *t, struct recorder *recorder, uint64_t now_ns)
{
	pthread_mutex_lock(&t->lock);
	atomic_store(&t->has_news, false);
	for (struct launch_tally *tally = atomic_load(&t->first); tally; tally = tally->next)
		for (int i = 0; i < TALLY_REASON_COUNT; i++)
			write_count(recorder, tally, &tally->counts[i], (enum tally_reason)i);
	atomic_store(&t->written_ns, now_ns);
	pthread_mutex_unlock(&t->lock);
}
