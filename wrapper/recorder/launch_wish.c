/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_wish.h"

#include "clock.h"
#include "group_selection.h"
#include "recorder.h"
#include "session.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>

#define LEAST_WAIT_NS UINT64_C(1000000000)
#define WAIT_SHARE    64

/* The options as the recording names them; not const because recorded_tally is not. */
static char options[][16] = {
	[TALLY_KERNEL] = "--kernel",         [TALLY_LAUNCHES] = "--launches",
	[TALLY_GROUPS] = "--groups",         [TALLY_SKIP] = "--skip",
	[TALLY_PER_KERNEL] = "--per-kernel", [TALLY_MAX_LAUNCHES] = "--max-launches",
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

/* The launch that recorder_launch_if() asks about. */
struct candidate {
	struct session *s;
	struct launch_wish *w;
};

static struct recorded_launch line_of(const struct session *s, const struct launch_wish *w)
{
	return (struct recorded_launch){ .number = w->number,
		                         .kernel = w->kernel_id,
		                         .shape = w->shape,
		                         .local_bytes = w->local_bytes,
		                         .groups_selected = s->settings.groups };
}

/* Returns the option that an answer means, of those that leave a launch out. */
static enum tally_reason reason_of(enum quota_answer answer)
{
	if (answer == QUOTA_PASSED_OVER)
		return TALLY_SKIP;
	return answer == QUOTA_FULL ? TALLY_MAX_LAUNCHES : TALLY_PER_KERNEL;
}

static bool ask_quota(struct session *s, struct launch_wish *w)
{
	uint64_t returns = atomic_load(&s->quota.returns);

	w->quota = launch_quota_ask(&s->quota, w->kernel_id, clock_now_ns());
	if (w->tally)
		launch_quota_keep_answer(&w->tally->left_out, w->quota, returns);
	if (w->quota == QUOTA_GRANTED || w->quota == QUOTA_ENDED)
		return true;
	w->left_out_by = reason_of(w->quota);
	return false;
}

/* Whether this launch of a selected kernel is wanted. */
static bool is_wanted(void *context, uint64_t number)
{
	const struct candidate *c = context;
	const struct launch_filter *filter = &c->s->filter;
	struct launch_wish *w = c->w;

	w->left_out_by = TALLY_LAUNCHES;
	if (filter->launches && !group_selection_has(filter->launches, number))
		return false;
	w->left_out_by = TALLY_GROUPS;
	if (!launch_filter_has_launch(filter, number, launch_shape_group_count(&w->shape)))
		return false;
	return ask_quota(c->s, w);
}

bool launch_wish_ask(struct session *s, struct launch_wish *w, bool is_late)
{
	struct recorded_launch line = line_of(s, w);
	struct candidate c = { s, w };
	bool is_wanted_now;

	w->left_out_by = TALLY_KERNEL;
	if (!w->is_selected)
		return false;
	if (!s->filter.launches)
		return is_wanted(&c, 0);
	is_wanted_now =
		recorder_launch_if(s->recorder, is_late ? NULL : &line, is_wanted, &c, &w->number);
	w->has_line = is_wanted_now && !is_late;
	w->has_number = true;
	return is_wanted_now && w->number <= UINT32_MAX;
}

/* For recorder_take_number_if(): whether --launches leaves this number out. */
static bool is_outside(const void *launches, uint64_t number)
{
	return !group_selection_has(launches, number);
}

static bool is_out_by_quota(struct session *s, struct launch_wish *w)
{
	w->quota = launch_quota_foresee(&s->quota, &w->tally->left_out);
	if (w->quota == QUOTA_NOT_ASKED)
		return false;
	w->left_out_by = reason_of(w->quota);
	return true;
}

/* Whether --launches leaves it out; if so, it takes its number. */
static bool is_out_by_number(struct session *s, struct launch_wish *w)
{
	bool is_selected = w->tally->is_selected;

	w->left_out_by = is_selected ? TALLY_LAUNCHES : TALLY_KERNEL;
	/* --skip counts only launches whose number is wanted; launch_wish_ask() finds that out. */
	if (!is_selected || (!s->quota.skip && is_out_by_quota(s, w)))
		w->number = recorder_take_number(s->recorder);
	else if (!recorder_take_number_if(s->recorder, is_outside, s->filter.launches, &w->number))
		return false;
	w->has_number = true;
	return true;
}

bool launch_wish_is_excluded(struct session *s, struct launch_wish *w)
{
	w->kernel_id = w->tally->kernel_id;
	w->left_out_by = TALLY_KERNEL;
	if (s->filter.launches)
		return is_out_by_number(s, w);
	if (!w->tally->is_selected)
		return true;
	if (s->filter.groups)
		return false;
	if (launch_quota_is_set(&s->quota))
		return is_out_by_quota(s, w);
	w->left_out_by = TALLY_UNMODIFIED;
	return w->tally->unmodified && atomic_load(&w->tally->own_lines) >= TALLY_OWN_LINES;
}

void launch_wish_count(struct session *s, struct launch_wish *w, enum tally_reason reason)
{
	if (!w->has_number)
		w->number = recorder_take_number(s->recorder);
	w->has_number = true;
	if (w->tally)
		session_count(s, w->tally, reason, w->number);
}

void launch_wish_settle(struct session *s, struct launch_wish *w, bool has_run)
{
	if (!has_run && w->quota == QUOTA_PASSED_OVER)
		launch_quota_take_back(&s->quota, w->kernel_id, w->quota);
	/* A number that is no longer the last one stays taken. */
	if (has_run || (w->has_number && !recorder_return_number(s->recorder, w->number)))
		launch_wish_count(s, w, w->left_out_by);
}

bool launch_wish_has_id(const struct launch_wish *w)
{
	return w->has_number && w->number <= UINT32_MAX;
}

void launch_wish_begin(struct session *s, struct launch_wish *w, bool is_late)
{
	struct recorded_launch line = line_of(s, w);
	uint32_t id;

	if (w->has_number)
		return;
	if (is_late) {
		w->number = recorder_take_number(s->recorder);
		w->has_number = true;
	} else if (recorder_launch(s->recorder, &line, &id)) {
		w->number = id;
		w->has_number = w->has_line = true;
	}
}

bool launch_wish_count_unmodified(struct session *s, const struct launch_wish *w)
{
	unsigned lines;

	if (!w->tally || !w->tally->unmodified)
		return false;
	lines = atomic_fetch_add(&w->tally->own_lines, 1);
	if (lines + 1 == TALLY_OWN_LINES)
		atomic_store(&s->has_unmodified, true);
	return lines >= TALLY_OWN_LINES;
}

void launch_wish_end(struct session *s, struct launch_wish *w, enum launch_fate fate,
                     const char *reason)
{
	struct recorded_launch line;
	char text[256];

	launch_wish_begin(s, w, false);
	line = line_of(s, w);
	line.fate = fate;
	if (reason) {
		snprintf(text, sizeof(text), "%s", reason);
		line.reason = text;
	}
	if (w->has_line)
		(void)recorder_fate(s->recorder, (uint32_t)w->number, &line);
	else if (w->has_number)
		(void)recorder_late_launch(s->recorder, &line);
}

void launch_wish_take_back(struct session *s, const struct launch_wish *w)
{
	launch_quota_take_back(&s->quota, w->kernel_id, w->quota);
}
