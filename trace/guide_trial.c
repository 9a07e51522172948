/* SPDX-License-Identifier: Apache-2.0 */
#include "guide_trial.h"

#include "kernel_table.h"
#include "model_guide.h"

#include <string.h>

/* The last accesses of a work-item, the newest first. */
struct near {
	struct guide_access accesses[GUIDE_NEAR];
	size_t count;
};

static void near_add(struct near *n, uint32_t site, uint64_t address)
{
	if (n->count < GUIDE_NEAR)
		n->count++;
	memmove(n->accesses + 1, n->accesses, (n->count - 1) * sizeof(n->accesses[0]));
	n->accesses[0] = (struct guide_access){ site, address };
}

static const struct guide_access *find(const struct guide_access *accesses, size_t count,
                                       uint32_t site)
{
	for (size_t i = 0; i < count; i++)
		if (accesses[i].site == site)
			return &accesses[i];
	return NULL;
}

static bool is_access(const struct guide_trials *all, const struct event *e)
{
	return (e->point & EVENT_KIND_MASK) == EVENT_SITE &&
	       site_kind_has_address(all->table->sites[e->point].kind);
}

void guide_trials_begin(struct guide_trials *all)
{
	memset(all->sites, 0, all->table->site_count * sizeof(*all->sites));
	for (size_t s = 0; s < all->table->site_count; s++)
		all->sites[s].least = UINT64_MAX;
}

/* One more time that `site` would have told the address. */
static void count_mate(struct guide_trial *trial, uint32_t site, int32_t shift)
{
	struct guide_mate *m = trial->mates;

	for (size_t i = 0; i < GUIDE_MATES; i++, m++) {
		if (!m->hits)
			*m = (struct guide_mate){ site, shift, 0 };
		if (m->site == site && m->shift == shift) {
			m->hits++;
			return;
		}
	}
}

/* Which of the accesses before this one changed as the site's address did, since its last. */
static void find_mates(struct guide_trial *trial, uint32_t site, uint64_t address,
                       const struct near *near)
{
	uint64_t change = address - trial->address;

	for (size_t i = 0; i < near->count; i++) {
		const struct guide_access *now = &near->accesses[i];
		const struct guide_access *then;
		uint64_t moved;
		int32_t shift;

		if (now->site == site || find(near->accesses, i, now->site))
			continue;
		then = find(trial->before, trial->before_count, now->site);
		if (!then || then->address == now->address || !change)
			continue;
		moved = now->address - then->address;
		shift = __builtin_ctzll(change) - __builtin_ctzll(moved);
		if (shift >= -SITE_GUIDE_SHIFT_MAX && shift <= SITE_GUIDE_SHIFT_MAX &&
		    model_shifted(moved, shift) == change)
			count_mate(trial, now->site, shift);
	}
}

void guide_trials_look(struct guide_trials *all, const struct event *events, uint64_t count)
{
	struct near near = { .count = 0 };

	for (uint64_t i = 0; i < count; i++) {
		const struct event *e = &events[i];
		struct guide_trial *trial;
		bool is_told;

		if (!is_access(all, e))
			continue;
		trial = &all->sites[e->point];
		is_told = model_track_ask(&trial->track, all->item, e->iteration) == e->value;
		if (!is_told)
			find_mates(trial, e->point, e->value, &near);
		trial->count++;
		trial->misses += !is_told;
		model_track_tell(&trial->track, all->item, e->iteration, e->value, is_told);
		memcpy(trial->before, near.accesses, sizeof(near.accesses));
		trial->before_count = near.count;
		trial->address = e->value;
		trial->least = e->value < trial->least ? e->value : trial->least;
		near_add(&near, e->point, e->value);
	}
}

bool guide_trials_settle(struct guide_trials *all)
{
	bool any = false;

	for (size_t s = 0; s < all->table->site_count; s++) {
		struct guide_trial *trial = &all->sites[s];

		for (size_t i = 0; i < GUIDE_MATES; i++)
			if (trial->mates[i].hits > trial->mate.hits)
				trial->mate = trial->mates[i];
		trial->is_irregular = trial->misses > 16 && trial->misses > trial->count / 8;
		any |= trial->is_irregular;
		trial->track = (struct model_track){ 0 };
	}
	return any;
}

static void count_difference(struct guide_trial *trial, enum guide_guess guess, uint64_t difference)
{
	bool is_negative = difference >> 63;
	uint64_t size = is_negative ? 0 - difference : difference;

	trial->differences[guess][is_negative][size ? 64 - __builtin_clzll(size) : 0]++;
}

/* The differences of one access to what each guess says. */
static void guess(struct guide_trials *all, struct guide_trial *trial, const struct event *e)
{
	const struct model_track *mate = &all->sites[trial->mate.site].track;
	uint64_t own = e->value - model_track_ask(&trial->track, all->item, e->iteration);
	uint64_t other = own;

	if (trial->mate.hits && mate->seen == all->item) {
		uint64_t moved = mate->next.last - trial->other;

		other = e->value - (trial->own + model_shifted(moved, trial->mate.shift));
		if (other) {
			trial->own = e->value;
			trial->other = mate->next.last;
		}
	}
	count_difference(trial, GUESS_OWN, own);
	count_difference(trial, GUESS_ANCHOR, e->value - trial->least);
	count_difference(trial, GUESS_MATE, other);
	model_track_tell(&trial->track, all->item, e->iteration, e->value, !own);
}

void guide_trials_guess(struct guide_trials *all, const struct event *events, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (is_access(all, &events[i]))
			guess(all, &all->sites[events[i].point], &events[i]);
}

/* log2 of a number that is not 0, at most 0.01 off: libm would come into the application's process.
 */
static double log2_of(uint32_t number)
{
	int whole = 31 - __builtin_clz(number);
	double rest = (double)number / (double)(UINT32_C(1) << whole) - 1;

	return whole + rest * (1.3466 - 0.3466 * rest);
}

double guide_trial_bits(const struct guide_trial *trial, enum guide_guess guess)
{
	uint32_t all = 0;
	double bits = 0;

	for (size_t i = 0; i < 2 * GUIDE_LENGTHS; i++)
		all += trial->differences[guess][i / GUIDE_LENGTHS][i % GUIDE_LENGTHS];
	for (size_t i = 0; i < 2 * GUIDE_LENGTHS; i++) {
		uint32_t count = trial->differences[guess][i / GUIDE_LENGTHS][i % GUIDE_LENGTHS];
		size_t length = i % GUIDE_LENGTHS;

		if (count)
			bits += count *
			        (log2_of(all) - log2_of(count) + (double)(length ? length - 1 : 0));
	}
	return bits;
}

unsigned guide_trial_width(const struct guide_trial *trial)
{
	static const size_t digits[] = { 0, 7, 15, 31, 63 }; /* that zigzag leaves room for */
	const uint32_t *lengths = trial->differences[GUESS_ANCHOR][0];
	uint32_t shorter = 0, count = 0;
	unsigned least = 0;

	for (unsigned width = 1; width <= 4; width++) {
		count = 0;
		for (size_t length = digits[width - 1] + 1; length <= digits[width]; length++)
			count += lengths[length];
		if (count > 2 * shorter)
			least = width;
		shorter += count;
	}
	return least;
}
