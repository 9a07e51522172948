/* SPDX-License-Identifier: Apache-2.0 */
#include "side_counts.h"

#include "gpu.h"
#include "kernel_table.h"
#include "warp_former.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BANKS_MAX = 128, WORDS_MAX = BANKS_MAX + 2 * WARP_LANES_MAX };

/* The distinct words of one part, a chain for each bank. */
struct banks {
	uint32_t count, word_count, most; /* most: words of the fullest bank */
	bool shares;                      /* lanes of one word share it */
	int32_t first[BANKS_MAX];         /* the last word added, or -1 */
	uint32_t words_of[BANKS_MAX];
	uint64_t word[WORDS_MAX];
	int32_t next[WORDS_MAX];
};

bool side_counts_take(const struct site *site)
{
	return site_kind_is_access(site->kind) &&
	       (site->space == SPACE_LOCAL || site->space == SPACE_CONSTANT);
}

void side_counts_add(struct side_counts *sum, const struct side_counts *more)
{
#define SIDE_COUNTER(name, space, key, unit, text) sum->name += more->name;
#include "side_counters.def"
#undef SIDE_COUNTER
}

void side_sample_add(struct side_sample *sum, const struct side_sample *more)
{
	sum->groups += more->groups;
	sum->of_groups += more->of_groups;
	sum->turns += more->turns;
	sum->squares += more->squares;
}

double side_sample_error(const struct side_sample *s)
{
	double n = (double)s->groups, all = (double)s->of_groups, spread;

	if (s->groups >= s->of_groups)
		return 0;
	if (s->groups < 2)
		return INFINITY;
	/* n times the sum of squares less the square of the sum: exact if it is 0. */
	spread = (double)(s->squares * s->groups - (side_wide)s->turns * s->turns) / (n * (n - 1));
	return all * sqrt((1 - n / all) * spread / n);
}

static uint64_t scaled(uint64_t count, const struct side_sample *s)
{
	return (uint64_t)(((side_wide)count * s->of_groups + s->groups / 2) / s->groups);
}

void side_counts_scale(struct side_counts *c, const struct side_sample *s)
{
	if (!s->groups || s->groups >= s->of_groups)
		return;
#define SIDE_COUNTER(name, space, key, unit, text)                                                 \
	if (SPACE_##space == SPACE_LOCAL)                                                          \
		c->name = scaled(c->name, s);
#include "side_counters.def"
#undef SIDE_COUNTER
}

uint64_t side_counts_turns(const struct side_counts *c)
{
	return c->local_instructions + c->bank_conflicts;
}

double side_counts_error(const struct side_counts *c, double error_turns)
{
	return error_turns > 0 ? error_turns / (double)side_counts_turns(c) : 0;
}

static void banks_start(struct banks *b, uint32_t count, bool shares)
{
	b->count = count;
	b->shares = shares;
	b->word_count = b->most = 0;
	memset(b->first, -1, sizeof(b->first));
	memset(b->words_of, 0, sizeof(b->words_of));
}

static void add_word(struct banks *b, uint64_t word)
{
	uint32_t bank = (uint32_t)(word % b->count);

	for (int32_t i = b->shares ? b->first[bank] : -1; i >= 0; i = b->next[i])
		if (b->word[i] == word)
			return;
	assert(b->word_count < WORDS_MAX);
	b->word[b->word_count] = word;
	b->next[b->word_count] = b->first[bank];
	b->first[bank] = (int32_t)b->word_count++;
	if (++b->words_of[bank] > b->most)
		b->most = b->words_of[bank];
}

/* The accesses to the fullest bank by a lane that is served alone: its words are contiguous. */
static uint64_t passes_alone(const struct gpu *gpu, uint64_t address, uint64_t bytes)
{
	uint64_t first = address / gpu->local_bank_bytes;
	uint64_t last = (address + (bytes - 1)) / gpu->local_bank_bytes;

	return (last - first) / gpu->local_banks + 1;
}

static uint64_t bytes_of(const struct warp_step *step, uint32_t lane)
{
	return step->is_mixed ? step->sizes[lane] : step->bytes;
}

/* Passes after the first of active lanes first..end - 1, which are served together. */
static uint64_t conflicts_of_part(const struct gpu *gpu, enum site_kind kind,
                                  const struct warp_step *step, uint32_t first, uint32_t end)
{
	struct banks b;

	if (end - first == 1)
		return bytes_of(step, first)
		               ? passes_alone(gpu, step->address[first], bytes_of(step, first)) - 1
		               : 0;
	banks_start(&b, gpu->local_banks, kind != SITE_ATOMIC);
	for (; first < end; first++) {
		uint64_t bytes = bytes_of(step, first);
		uint64_t word = step->address[first] / gpu->local_bank_bytes;
		uint64_t last = (step->address[first] + (bytes - 1)) / gpu->local_bank_bytes;

		for (; bytes && word <= last; word++)
			add_word(&b, word);
	}
	return b.most ? b.most - 1 : 0;
}

uint64_t side_counts_conflicts(const struct gpu *gpu, enum site_kind kind,
                               const struct warp_step *step)
{
	uint32_t row_bytes = gpu->local_banks * gpu->local_bank_bytes;
	uint64_t width = step->bytes > gpu->local_bank_bytes ? step->bytes : gpu->local_bank_bytes;
	uint64_t lanes = width < row_bytes ? row_bytes / width : 1;
	uint32_t first = 0, end;
	uint64_t conflicts = 0;

	assert(gpu->local_banks >= 1 && gpu->local_banks <= BANKS_MAX && gpu->local_bank_bytes);
	for (; first < step->lane_count; first = end) {
		uint64_t beyond = (step->lane[first] / lanes + 1) * lanes;

		for (end = first + 1; end < step->lane_count && step->lane[end] < beyond;)
			end++;
		conflicts += conflicts_of_part(gpu, kind, step, first, end);
	}
	return conflicts;
}

uint32_t side_counts_addresses(const struct warp_step *step)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < step->lane_count; i++) {
		uint32_t k = 0;

		while (step->address[k] != step->address[i])
			k++;
		count += k == i;
	}
	return count;
}

void side_counts_step(struct side_counts *c, const struct gpu *gpu, const struct site *site,
                      const struct warp_step *step)
{
	if (site->space == SPACE_LOCAL) {
		c->local_instructions++;
		c->local_lanes += step->lane_count;
		if (!warp_step_is_dense(step) && step->lane_count < gpu->warp_lanes)
			c->local_idle_lanes += gpu->warp_lanes - step->lane_count;
		c->bank_conflicts += side_counts_conflicts(gpu, site->kind, step);
	} else {
		c->constant_instructions++;
		c->constant_lanes += step->lane_count;
		c->constant_addresses += side_counts_addresses(step);
	}
}
