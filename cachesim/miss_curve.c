/* SPDX-License-Identifier: Apache-2.0 */
#include "miss_curve.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "line_numbers.h"
#include "reuse_stack.h"

#include <assert.h>
#include <stdlib.h>

/* The caches of an SM. The counts stay from launch to launch, the rest does not. */
struct sm {
	struct line_numbers numbers;
	struct reuse_stack stacks[MISS_CURVE_MAX];
	struct reuse_counts counts[MISS_CURVE_MAX];
	struct reuse_bins *sites; /* site_count for each organisation, or NULL */
	bool is_playing;          /* this launch has a request here */
	bool is_failed;
};

struct miss_curve {
	struct set_index indices[MISS_CURVE_MAX];
	size_t count; /* organisations */
	uint32_t line_shift;
	bool is_evicting;   /* a write takes its line out, */
	bool is_allocating; /* or brings it in */
	struct sm *sms;
	size_t sm_count;
	size_t site_count;
	struct reuse_counts sums[MISS_CURVE_MAX];
	struct reuse_bins *site_sums; /* as those of an SM */
};

static int take_indices(struct miss_curve *c, const struct gpu *gpu, const struct gpu *sets,
                        struct err *err)
{
	struct gpu full = *gpu;
	int ret;

	full.l1_sets = 1;
	full.l1_index.kind = GPU_L1_INDEX_MODULO;
	ret = set_index_init(&c->indices[0], &full, err);
	for (size_t i = 1; i < c->count && !ret; i++)
		ret = set_index_init(&c->indices[i], &sets[i - 1], err);
	return ret;
}

int miss_curve_create(struct miss_curve **out, const struct gpu *gpu, const struct gpu *sets,
                      size_t count, struct err *err)
{
	struct miss_curve *c = array_alloc(1, sizeof(*c), "miss-ratio curves", err);
	int ret;

	assert(count < MISS_CURVE_MAX);
	if (!c)
		return ERR_NOMEM;
	c->count = count + 1;
	c->sm_count = gpu->sm_count;
	c->line_shift = (uint32_t)__builtin_ctz(gpu->l1_line_bytes);
	c->is_evicting = gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT;
	c->is_allocating = gpu->l1_write == GPU_L1_WRITE_THROUGH_ALLOCATE ||
	                   gpu->l1_write == GPU_L1_WRITE_BACK_ALLOCATE;
	ret = take_indices(c, gpu, sets, err);
	if (ret)
		goto out;
	c->sms = array_alloc(c->sm_count, sizeof(*c->sms), "SMs", err);
	if (!c->sms) {
		ret = ERR_NOMEM;
		goto out;
	}
	*out = c;
	c = NULL;
out:
	miss_curve_free(c);
	return ret;
}

/* Empty the caches. */
static void sm_end(struct sm *sm)
{
	for (size_t i = 0; i < MISS_CURVE_MAX; i++)
		reuse_stack_release(&sm->stacks[i]);
	line_numbers_release(&sm->numbers);
	sm->is_playing = false;
}

static void sm_release(struct sm *sm)
{
	sm_end(sm);
	for (size_t i = 0; i < MISS_CURVE_MAX; i++)
		reuse_counts_release(&sm->counts[i]);
	free(sm->sites);
}

void miss_curve_free(struct miss_curve *c)
{
	if (!c)
		return;
	for (size_t s = 0; c->sms && s < c->sm_count; s++)
		sm_release(&c->sms[s]);
	for (size_t i = 0; i < MISS_CURVE_MAX; i++)
		reuse_counts_release(&c->sums[i]);
	free(c->site_sums);
	free(c->sms);
	free(c);
}

int miss_curve_sites(struct miss_curve *c, size_t site_count, struct err *err)
{
	c->site_count = site_count;
	free(c->site_sums);
	c->site_sums = NULL;
	for (size_t s = 0; s < c->sm_count; s++) {
		free(c->sms[s].sites);
		c->sms[s].sites = NULL;
	}
	if (!site_count)
		return 0;
	c->site_sums = array_alloc(site_count, c->count * sizeof(*c->site_sums),
	                           "reuse distances of sites", err);
	return c->site_sums ? 0 : ERR_NOMEM;
}

/* The first request of a launch on an SM. */
static void sm_begin(const struct miss_curve *c, struct sm *sm)
{
	int ret = line_numbers_init(&sm->numbers, NULL);

	for (size_t i = 0; i < c->count && !ret; i++)
		ret = reuse_stack_init(&sm->stacks[i], &c->indices[i], NULL);
	if (!ret && c->site_count && !sm->sites) {
		sm->sites = array_alloc(c->site_count, c->count * sizeof(*sm->sites),
		                        "reuse distances of sites", NULL);
		ret = sm->sites ? 0 : ERR_NOMEM;
	}
	sm->is_playing = true;
	sm->is_failed = ret != 0;
}

static void sm_read(const struct miss_curve *c, struct sm *sm, uint64_t line, uint32_t site)
{
	uint32_t number = line_numbers_add(&sm->numbers, line);
	uint32_t limit = line_numbers_limit(&sm->numbers);

	for (size_t i = 0; i < c->count && !sm->is_failed; i++) {
		uint32_t distance = reuse_stack_read(&sm->stacks[i], line, number, limit);

		sm->is_failed = reuse_counts_add(&sm->counts[i], distance) != 0;
		if (sm->sites)
			reuse_bins_add(&sm->sites[i * c->site_count + site], distance);
	}
}

/* The line comes in as by a read, and no read is counted. */
static void sm_write(const struct miss_curve *c, struct sm *sm, uint64_t line)
{
	uint32_t number = line_numbers_add(&sm->numbers, line);
	uint32_t limit = line_numbers_limit(&sm->numbers);

	for (size_t i = 0; i < c->count; i++)
		reuse_stack_read(&sm->stacks[i], line, number, limit);
}

static void sm_take(const struct miss_curve *c, struct sm *sm, uint64_t line)
{
	uint32_t number = line_numbers_find(&sm->numbers, line);

	for (size_t i = 0; i < c->count; i++)
		reuse_stack_take(&sm->stacks[i], line, number);
}

void miss_curve_request(void *curve, uint32_t sm_id, const struct request *r, uint64_t now_cycles)
{
	const struct miss_curve *c = curve;
	struct sm *sm = &c->sms[sm_id];
	uint64_t line = r->line >> c->line_shift;

	assert(sm_id < c->sm_count && (!c->site_count || r->site < c->site_count));
	if (!sm->is_playing && !sm->is_failed)
		sm_begin(c, sm);
	if (sm->is_failed)
		return;
	if (r->kind == SITE_READ)
		sm_read(c, sm, line, r->site);
	else if (c->is_allocating && r->kind == SITE_WRITE)
		sm_write(c, sm, line);
	else if (c->is_evicting || r->kind == SITE_ATOMIC)
		sm_take(c, sm, line);
}

static bool has_failed(const struct miss_curve *c, const struct sm *sm)
{
	bool is_failed = sm->is_failed || sm->numbers.is_failed;

	for (size_t i = 0; i < c->count && !is_failed; i++)
		is_failed = reuse_stack_has_failed(&sm->stacks[i]);
	return is_failed;
}

/* Move the counts of an SM to the sums. */
static int add_sm(struct miss_curve *c, struct sm *sm, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->count && !ret; i++) {
		ret = reuse_counts_sum(&c->sums[i], &sm->counts[i], err);
		reuse_counts_release(&sm->counts[i]);
	}
	for (size_t i = 0; sm->sites && i < c->count * c->site_count; i++)
		reuse_bins_sum(&c->site_sums[i], &sm->sites[i]);
	free(sm->sites);
	sm->sites = NULL;
	return ret;
}

int miss_curve_end(struct miss_curve *c, struct err *err)
{
	int ret = 0;

	for (size_t s = 0; s < c->sm_count && !ret; s++) {
		struct sm *sm = &c->sms[s];

		if (!sm->is_playing)
			continue;
		if (has_failed(c, sm))
			ret = err_set(err, ERR_NOMEM, "out of memory for reuse distances");
		else
			ret = add_sm(c, sm, err);
		sm_end(sm);
	}
	return ret;
}

const struct reuse_counts *miss_curve_counts(const struct miss_curve *c, size_t organisation)
{
	assert(organisation < c->count);
	return &c->sums[organisation];
}

const struct reuse_bins *miss_curve_site_bins(const struct miss_curve *c, size_t organisation)
{
	assert(organisation < c->count);
	return c->site_sums ? c->site_sums + organisation * c->site_count : NULL;
}
