/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warp_order RECORDING GPU.conf WARP_LANES - whether the kernels of warp_order.cl are replayed in
 * the order in which a warp executes them (simt.h).
 *
 * Compared are kind, argument, lanes and every lane's offset, for each memory instruction of each
 * warp. Prints how many there were, or the first difference of a kernel, and ends with 1 then.
 */
#include "simt.h"

#include "err.h"
#include "gpu.h"
#include "number.h"
#include "recording.h"
#include "replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD = 1 << 15 };

/* Accesses that the replay told, in its order. */
struct told {
	uint64_t group;
	uint32_t warp;
	struct simt_step step; /* lanes and offsets by place in the warp */
};

struct replayed {
	const struct recorded_launch *launch;
	const struct kernel_table *table;
	uint32_t warp_lanes;
	struct told *told;
	uint32_t count;
};

static void take_down(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct replayed *r = context;
	const struct site *site = &r->table->sites[a->site];
	struct told *t = &r->told[r->count];
	uint64_t base = 0;

	(void)sm, (void)now;
	if (++r->count == TOLD)
		abort();
	for (size_t i = 0; i < r->launch->argument_count; i++)
		if ((int32_t)r->launch->arguments[i].index == site->argument)
			base = r->launch->arguments[i].address;
	*t = (struct told){ a->group, a->warp, { .kind = site->kind, .argument = site->argument } };
	for (uint32_t i = 0; i < a->lane_count; i++) {
		uint32_t lane = a->item[i] - a->warp * r->warp_lanes;

		t->step.mask |= UINT64_C(1) << lane;
		t->step.offset[lane] = (int64_t)(a->address[i] - base);
	}
}

/* --- comparison ------------------------------------------------------------------------------ */

static bool is_same(const struct simt_step *a, const struct simt_step *b)
{
	bool is_same = a->kind == b->kind && a->argument == b->argument && a->mask == b->mask;

	for (int l = 0; l < SIMT_LANES; l++)
		is_same = is_same && (!(a->mask >> l & 1) || a->offset[l] == b->offset[l]);
	return is_same;
}

static void begin_warp(struct simt *s, const struct launch_shape *shape, uint64_t group,
                       uint32_t first, uint32_t lanes)
{
	uint32_t size[3], items = launch_shape_group_size(shape, group, size);

	s->active = 0;
	s->depth = 0;
	s->step_count = 0;
	for (uint32_t l = 0; l < lanes && first + l < items; l++) {
		uint64_t id[3];

		launch_shape_global_id(shape, group, first + l, id);
		s->active |= UINT64_C(1) << l;
		s->gid[l] = (int64_t)id[0];
		for (int d = 0; d < 3; d++)
			s->id[d][l] = (int64_t)(id[d] % size[d]);
	}
}

/* Compare one warp; returns whether it is as expected. */
static bool compare_warp(const struct replayed *r, const struct simt *s, const char *kernel,
                         uint64_t group, uint32_t warp)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		const struct told *t = &r->told[i];

		if (t->group != group || t->warp != warp)
			continue;
		if (at == s->step_count || !is_same(&t->step, &s->steps[at])) {
			printf("%s: group %" PRIu64 ", warp %" PRIu32 ", instruction %" PRIu32
			       ": argument %d of lanes %" PRIx64 ", expected %d of %" PRIx64 "\n",
			       kernel, group, warp, at, t->step.argument, t->step.mask,
			       at < s->step_count ? s->steps[at].argument : -1,
			       at < s->step_count ? s->steps[at].mask : 0);
			return false;
		}
		at++;
	}
	if (at < s->step_count)
		printf("%s: group %" PRIu64 ", warp %" PRIu32 " ends after %" PRIu32
		       " instructions, expected %" PRIu32 "\n",
		       kernel, group, warp, at, s->step_count);
	return at == s->step_count;
}

/* All warps of a launch; returns how many memory instructions are as expected, or -1. */
static int64_t compare_launch(const struct replayed *r, int kernel)
{
	static struct simt s;
	const struct launch_shape *shape = &r->launch->shape;
	int64_t steps = 0;

	for (uint64_t group = 0; group < launch_shape_group_count(shape); group++) {
		uint32_t size[3], items = launch_shape_group_size(shape, group, size);

		for (uint32_t first = 0; first < items; first += r->warp_lanes) {
			begin_warp(&s, shape, group, first, r->warp_lanes);
			simt_kernels[kernel].execute(&s);
			if (!compare_warp(r, &s, simt_kernels[kernel].name, group,
			                  first / r->warp_lanes))
				return -1;
			steps += s.step_count;
		}
	}
	return steps;
}

/* Replay a launch of a kernel that is known here. */
static int check_launch(const struct recording *recording, size_t launch, const struct gpu *gpu,
                        struct err *err)
{
	struct replayed r = { .launch = &recording->launches[launch],
		              .warp_lanes = gpu->warp_lanes,
		              .told = calloc(TOLD, sizeof(*r.told)) };
	struct replay_options options = { .access = take_down, .access_context = &r };
	struct replay_result result = { 0 };
	int kernel = 0, ret;
	int64_t steps = -1;

	r.table = &recording->kernels[r.launch->kernel].table;
	while (kernel < SIMT_KERNELS && strcmp(simt_kernels[kernel].name, r.table->name) != 0)
		kernel++;
	ret = r.told ? replay_launch(recording, launch, gpu, &options, &result, err) : ERR_NOMEM;
	if (!ret && kernel < SIMT_KERNELS)
		steps = compare_launch(&r, kernel);
	if (steps > 0)
		printf("%s: %" PRId64 " instructions\n", r.table->name, steps);
	replay_result_release(&result);
	free(r.told);
	return ret ? ret : steps > 0 ? 0 : 1;
}

int main(int count, char **words)
{
	struct recording *recording = NULL;
	struct err err = { 0 };
	struct gpu gpu = { 0 };
	uint64_t lanes = 0;
	int ret = 0;

	if (count != 4) {
		fprintf(stderr, "usage: warp_order RECORDING GPU.conf WARP_LANES\n");
		return 2;
	}
	ret = recording_open(&recording, words[1], &err);
	if (!ret)
		ret = gpu_load(&gpu, words[2], NULL, &err);
	if (!ret)
		ret = number_parse(words[3], "WARP_LANES", 1, SIMT_LANES, &lanes, &err);
	gpu.warp_lanes = (uint32_t)lanes;
	for (size_t i = 0; !ret && i < recording->launch_count; i++)
		ret = check_launch(recording, i, &gpu, &err);
	if (!ret && recording->launch_count != SIMT_KERNELS)
		ret = err_set(&err, ERR_FORMAT, "%zu launches", recording->launch_count);
	if (err.code)
		fprintf(stderr, "warp_order: %s\n", err.msg);
	recording_close(recording);
	return ret ? 1 : 0;
}
