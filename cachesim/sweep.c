/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "launch_input.h"
#include "sweep_plan.h"
#include "sweep_sm.h"

#include <assert.h>
#include <stdlib.h>

struct sweep {
	struct gpu gpu;
	struct sweep_plan plan;
	struct sweep_sm *sms; /* gpu.sm_count */
};

/* An SM's stacks are made when its first request comes, too late to be told of. */
static int check_places(const struct sweep_plan *p, struct err *err)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < p->count; i++)
		lines += (uint64_t)p->indices[i].sets * p->ways;
	if (lines <= SWEEP_LINES_MAX)
		return 0;
	return err_set(err, ERR_LIMIT,
	               "the caches of all set counts hold %llu lines together: at most %u can be "
	               "swept at once",
	               (unsigned long long)lines, SWEEP_LINES_MAX);
}

int sweep_create(struct sweep **out, const struct gpu *gpu, const struct sweep_geometry *list,
                 size_t count, uint32_t ways, struct err *err)
{
	struct sweep *s = array_alloc(1, sizeof(*s), "caches", err);
	int ret;

	if (!s)
		return ERR_NOMEM;
	s->gpu = *gpu;
	ret = sweep_plan_init(&s->plan, gpu, list, count, ways, err);
	if (!ret)
		ret = check_places(&s->plan, err);
	if (ret)
		goto out;
	s->sms = array_alloc(gpu->sm_count, sizeof(*s->sms), "SMs", err);
	if (!s->sms) {
		ret = ERR_NOMEM;
		goto out;
	}
	for (uint32_t i = 0; i < gpu->sm_count; i++)
		sweep_sm_init(&s->sms[i], &s->plan);
	*out = s;
	s = NULL;
out:
	sweep_free(s);
	return ret;
}

void sweep_free(struct sweep *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; s->sms && i < s->gpu.sm_count; i++)
		sweep_sm_release(&s->sms[i]);
	free(s->sms);
	sweep_plan_release(&s->plan);
	free(s);
}

void sweep_request(struct sweep *s, uint32_t sm, const struct request *r)
{
	assert(sm < s->gpu.sm_count);
	sweep_sm_request(&s->sms[sm], r);
}

int sweep_end(struct sweep *s, struct err *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < s->gpu.sm_count; i++)
		ret = sweep_sm_end(&s->sms[i], err);
	return ret;
}

/* The data is there at once, whatever the caches hold. */
static uint64_t take_request(void *context, uint32_t sm, const struct request *r,
                             uint64_t now_cycles)
{
	sweep_request(context, sm, r);
	return now_cycles;
}

int sweep_launch(struct sweep *s, const struct recording *r, size_t launch,
                 const struct replay_options *options, bool *is_whole, struct err *err)
{
	const struct memory_port port = { .context = s, .request = take_request };
	struct schedule_result result = { 0 };
	struct launch_input input;
	int ret = launch_input_open(&input, r, launch, options, err);

	if (!ret)
		ret = schedule_launch(&s->gpu, &input.schedule, &port, &result, err);
	*is_whole = !ret && input.is_whole;
	if (!ret)
		ret = sweep_end(s, err);
	schedule_result_release(&result);
	launch_input_close(&input);
	return ret;
}

void sweep_cell(const struct sweep *s, size_t geometry, uint32_t ways, struct counters *out)
{
	struct sweep_plan_place at = s->plan.places[geometry];

	assert(geometry < s->plan.count && ways && ways <= s->plan.ways);
	*out = (struct counters){ 0 };
	for (uint32_t i = 0; i < s->gpu.sm_count; i++)
		sweep_sm_count(&s->sms[i], at.chain, at.level, ways, out);
	counters_count_lines(out);
}
