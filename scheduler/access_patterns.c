/* SPDX-License-Identifier: Apache-2.0 */
#include "access_patterns.h"

#include "address_map.h"
#include "array.h"
#include "coalesce.h"
#include "err.h"
#include "gpu.h"
#include "launch_shape.h"
#include "recording.h"
#include "request.h"
#include "warp_former.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What one SM tells. The step is that of the part at work. */
struct pattern_sm {
	struct access_pattern *sites;
	struct coalescer coalescer;
	struct warp_step step;
	uint64_t group; /* the last one, and */
	uint32_t items; /* its size; 0: none yet */
	struct err err; /* the first failure: what follows is not looked at */
};

struct access_patterns {
	const struct kernel_table *table;
	const struct launch_shape *shape;
	const struct gpu *gpu;
	struct address_map *map;
	uint32_t lanes; /* of a warp, as it is numbered */
	struct pattern_sm **sms;
	struct access_pattern *sum;
	atomic_bool is_failed; /* memory ran out */
};

int access_patterns_create(struct access_patterns **out, const struct recording *r, size_t launch,
                           const struct gpu *gpu, uint32_t lanes, struct err *err)
{
	struct access_patterns *p = array_alloc(1, sizeof(*p), "access patterns", err);
	const struct recorded_launch *l = &r->launches[launch];

	if (!p)
		return ERR_NOMEM;
	p->table = &r->kernels[l->kernel].table;
	p->shape = &l->shape;
	p->gpu = gpu;
	p->lanes = lanes;
	p->sms = array_alloc(gpu->sm_count, sizeof(struct pattern_sm *), "access patterns", err);
	p->sum = array_alloc(p->table->site_count, sizeof(*p->sum), "access patterns", err);
	if (!p->sms || !p->sum || address_map_create(&p->map, r, launch, err)) {
		access_patterns_free(p);
		return err && err->code ? err->code : ERR_NOMEM;
	}
	*out = p;
	return 0;
}

static void pattern_sm_free(struct pattern_sm *sm)
{
	if (!sm)
		return;
	coalescer_release(&sm->coalescer);
	free(sm->sites);
	free(sm);
}

void access_patterns_free(struct access_patterns *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; p->sms && i < p->gpu->sm_count; i++)
		pattern_sm_free(p->sms[i]);
	address_map_free(p->map);
	free(p->sms);
	free(p->sum);
	free(p);
}

/* The least frequent; an empty one where there is one. */
static size_t find_least(const struct access_stride strides[ACCESS_STRIDES])
{
	size_t least = 0;

	for (size_t i = 1; i < ACCESS_STRIDES; i++)
		if (strides[i].pairs < strides[least].pairs)
			least = i;
	return least;
}

/* Misra and Gries with weights: a new stride takes an empty row, or takes from all rows as much as
 * the least of them and it have. */
static void add_stride(struct access_stride strides[ACCESS_STRIDES], int64_t bytes, uint64_t pairs)
{
	size_t least;
	uint64_t less;

	for (size_t i = 0; i < ACCESS_STRIDES; i++)
		if (strides[i].pairs && strides[i].bytes == bytes) {
			strides[i].pairs += pairs;
			return;
		}
	least = find_least(strides);
	less = strides[least].pairs < pairs ? strides[least].pairs : pairs;
	for (size_t i = 0; i < ACCESS_STRIDES; i++)
		strides[i].pairs -= less;
	if (pairs > less)
		strides[least] = (struct access_stride){ bytes, pairs - less };
}

static int compare_strides(const void *a, const void *b)
{
	const struct access_stride *x = a, *y = b;

	if (x->pairs != y->pairs)
		return x->pairs > y->pairs ? -1 : 1;
	return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Agarwal and others: what is left when the rows of both are one list, less its row number
 * ACCESS_STRIDES + 1. */
static void merge_strides(struct access_stride sum[ACCESS_STRIDES],
                          const struct access_stride more[ACCESS_STRIDES])
{
	struct access_stride all[2 * ACCESS_STRIDES] = { 0 };
	size_t count = ACCESS_STRIDES;
	uint64_t less;

	memcpy(all, sum, ACCESS_STRIDES * sizeof(*all));
	for (size_t i = 0; i < ACCESS_STRIDES; i++) {
		size_t k = 0;

		if (!more[i].pairs)
			continue;
		while (k < count && (!all[k].pairs || all[k].bytes != more[i].bytes))
			k++;
		if (k == count)
			all[count++].bytes = more[i].bytes;
		all[k].pairs += more[i].pairs;
	}
	qsort(all, count, sizeof(*all), compare_strides);
	less = all[ACCESS_STRIDES].pairs;
	for (size_t i = 0; i < ACCESS_STRIDES; i++) {
		sum[i] = all[i];
		sum[i].pairs -= sum[i].pairs < less ? sum[i].pairs : less;
	}
}

void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more)
{
	sum->instructions += more->instructions;
	sum->lanes += more->lanes;
	sum->lanes_possible += more->lanes_possible;
	sum->requests += more->requests;
	sum->requests_least += more->requests_least;
	sum->misaligned_requests += more->misaligned_requests;
	sum->pairs += more->pairs;
	merge_strides(sum->strides, more->strides);
}

static struct pattern_sm *sm_of(struct access_patterns *p, uint32_t number)
{
	struct pattern_sm *sm = p->sms[number];

	if (sm)
		return sm;
	sm = p->sms[number] = array_alloc(1, sizeof(*sm), "access patterns", NULL);
	if (!sm)
		return NULL;
	coalescer_init(&sm->coalescer, p->gpu, p->map);
	sm->sites =
		array_alloc(p->table->site_count, sizeof(*sm->sites), "access patterns", &sm->err);
	return sm;
}

/* How many lanes the warp of an access has. */
static uint32_t lanes_of(struct access_patterns *p, struct pattern_sm *sm,
                         const struct warp_access *a)
{
	uint32_t size[3], first = a->item[0] / p->lanes * p->lanes, left;
	uint32_t wide = p->lanes < p->gpu->warp_lanes ? p->lanes : p->gpu->warp_lanes;

	if (!sm->items || sm->group != a->group) {
		sm->group = a->group;
		sm->items = launch_shape_group_size(p->shape, a->group, size);
	}
	left = sm->items > first ? sm->items - first : a->lane_count;
	return left < wide ? left : wide;
}

static void count_strides(struct access_pattern *s, const struct warp_access *a)
{
	uint64_t run = 0;
	int64_t last = 0;

	for (uint32_t i = 1; i < a->lane_count; i++) {
		int64_t stride = (int64_t)(a->address[i] - a->address[i - 1]);

		if (a->item[i] != a->item[i - 1] + 1)
			continue;
		if (run && stride != last) {
			add_stride(s->strides, last, run);
			run = 0;
		}
		last = stride;
		run++;
		s->pairs++;
	}
	if (run)
		add_stride(s->strides, last, run);
}

/* The first and the last byte of a line's mask. */
static void find_ends(const uint64_t *mask, uint32_t words, uint64_t *first, uint64_t *last)
{
	uint32_t low = 0, high = words - 1;

	while (low < high && !mask[low])
		low++;
	while (high > low && !mask[high])
		high--;
	*first = UINT64_C(64) * low + (uint64_t)__builtin_ctzll(mask[low]);
	*last = UINT64_C(64) * high + 63 - (uint64_t)__builtin_clzll(mask[high]);
}

/* Add the part that has just been coalesced. */
static void count_part(struct access_pattern *s, struct coalescer *c)
{
	const struct line_use *uses = c->uses.data;
	uint64_t bytes = 0, begin = UINT64_MAX, end = 0, least, more;

	for (size_t i = 0; i < c->uses.count; i++) {
		const uint64_t *mask = coalescer_mask(c, i);
		uint64_t first, last;

		find_ends(mask, c->mask_words, &first, &last);
		for (uint32_t k = 0; k < c->mask_words; k++)
			bytes += (uint64_t)__builtin_popcountll(mask[k]);
		begin = uses[i].line + first < begin ? uses[i].line + first : begin;
		end = uses[i].line + last > end ? uses[i].line + last : end;
	}
	if (!c->uses.count)
		return;
	least = (bytes - 1) / c->line_bytes + 1;
	more = c->uses.count - least;
	s->requests += c->uses.count;
	s->requests_least += least;
	if (end - begin == bytes - 1)
		s->misaligned_requests += more;
}

/* Coalesce the lanes part by part. */
static int count_requests(struct access_patterns *p, struct pattern_sm *sm,
                          const struct warp_access *a)
{
	struct access_pattern *s = &sm->sites[a->site];
	uint32_t part, i = 0;
	int ret = 0;

	sm->step.site = a->site;
	sm->step.bytes = p->table->sites[a->site].bytes;
	part = coalescer_part_lanes(&sm->coalescer, sm->step.bytes);
	while (!ret && i < a->lane_count) {
		uint32_t lane = a->item[i] % p->gpu->warp_lanes, beyond = (lane / part + 1) * part;
		uint32_t count = 0;

		do {
			lane = a->item[i] % p->gpu->warp_lanes;
			if (lane >= beyond || lane + part < beyond)
				break;
			sm->step.lane[count] = (uint16_t)lane;
			sm->step.address[count++] = a->address[i++];
		} while (i < a->lane_count);
		sm->step.lane_count = count;
		ret = coalesce(&sm->coalescer, &sm->step, &sm->err);
		if (!ret)
			count_part(s, &sm->coalescer);
	}
	return ret;
}

void access_patterns_access(void *patterns, uint32_t number, const struct warp_access *a,
                            uint64_t now_cycles)
{
	struct access_patterns *p = patterns;
	struct pattern_sm *sm = sm_of(p, number);
	struct access_pattern *s;

	(void)now_cycles;
	if (!sm || !sm->sites || sm->err.code || !a->lane_count)
		return;
	assert(a->site < p->table->site_count && a->lane_count <= LARGE_WARP_LANES_MAX);
	s = &sm->sites[a->site];
	s->instructions++;
	s->lanes += a->lane_count;
	s->lanes_possible += lanes_of(p, sm, a);
	if (!p->table->sites[a->site].bytes)
		return;
	count_strides(s, a);
	(void)count_requests(p, sm, a);
}

int access_patterns_end(struct access_patterns *p, struct err *err)
{
	if (p->is_failed)
		return err_set(err, ERR_NOMEM, "out of memory for access patterns");
	for (uint32_t i = 0; i < p->gpu->sm_count; i++) {
		struct pattern_sm *sm = p->sms[i];

		if (!sm)
			continue;
		if (sm->err.code)
			return err_set(err, (enum err_code)sm->err.code, "%s", sm->err.msg);
		for (size_t s = 0; s < p->table->site_count; s++)
			access_pattern_add(&p->sum[s], &sm->sites[s]);
	}
	for (size_t s = 0; s < p->table->site_count; s++)
		qsort(p->sum[s].strides, ACCESS_STRIDES, sizeof(p->sum[s].strides[0]),
		      compare_strides);
	return 0;
}

const struct access_pattern *access_patterns_sites(const struct access_patterns *p)
{
	return p->sum;
}
