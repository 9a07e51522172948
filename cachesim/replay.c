/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "l1.h"
#include "launch_input.h"
#include "reorder_config.h"
#include "reorder_plan.h"

#include <assert.h>
#include <stdlib.h>

/* Requests are counted once, for their SM and site; the result's sums are made at the end. */
struct sm {
	struct l1 *l1;
	struct counters *sites;
};

struct sms {
	struct sm *sms;
	size_t sm_count;
	size_t site_count;
	const struct replay_options *options;
};

/* Only those that are played have anything. */
static int sms_init(struct sms *all, const struct gpu *gpu, const struct schedule_input *input,
                    const struct replay_options *options, struct err *err)
{
	size_t site_count = input->table->site_count;
	uint32_t played = schedule_played(gpu, input);
	int ret = 0;

	*all = (struct sms){ .sm_count = gpu->sm_count,
		             .site_count = site_count,
		             .options = options };
	all->sms = array_alloc(all->sm_count, sizeof(*all->sms), "SMs", err);
	if (!all->sms)
		return ERR_NOMEM;
	for (size_t s = 0; s < all->sm_count && !ret; s++) {
		struct sm *sm = &all->sms[s];
		struct l1_setup setup = { 0 };

		if (!schedule_plays(gpu, played, (uint32_t)s))
			continue;
		sm->sites = array_alloc(site_count, sizeof(*sm->sites), "counters of sites", err);
		if (options->observer)
			setup.observer = options->observer(options->observer_context, (uint32_t)s);
		ret = sm->sites ? l1_create(&sm->l1, gpu, &setup, err) : ERR_NOMEM;
	}
	return ret;
}

static void sms_release(struct sms *all)
{
	for (size_t s = 0; all->sms && s < all->sm_count; s++) {
		l1_free(all->sms[s].l1);
		free(all->sms[s].sites);
	}
	free(all->sms);
}

static uint64_t sms_request(void *context, uint32_t sm, const struct request *r,
                            uint64_t now_cycles)
{
	struct sms *all = context;

	assert(sm < all->sm_count && r->site < all->site_count);
	return l1_request(all->sms[sm].l1, r, now_cycles, &all->sms[sm].sites[r->site]);
}

/* The same where somebody else wants to know: two functions, so that nobody else pays. */
static uint64_t sms_request_told(void *context, uint32_t sm, const struct request *r,
                                 uint64_t now_cycles)
{
	const struct sms *all = context;

	all->options->request(all->options->request_context, sm, r, now_cycles);
	return sms_request(context, sm, r, now_cycles);
}

static void sms_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now_cycles)
{
	const struct sms *all = context;

	all->options->access(all->options->access_context, sm, a, now_cycles);
}

static int sms_status(const struct sms *all, struct err *err)
{
	int ret = 0;

	for (size_t s = 0; s < all->sm_count && !ret; s++)
		ret = all->sms[s].l1 ? l1_status(all->sms[s].l1, err) : 0;
	return ret;
}

static int sms_sum(const struct sms *all, struct replay_result *out, struct err *err)
{
	out->sites = array_alloc(all->site_count, sizeof(*out->sites), "counters of sites", err);
	out->sms = array_alloc(all->sm_count, sizeof(*out->sms), "counters of SMs", err);
	if (!out->sites || !out->sms)
		return ERR_NOMEM;
	out->site_count = all->site_count;
	out->sm_count = all->sm_count;
	for (size_t s = 0; s < all->sm_count; s++) {
		for (size_t i = 0; all->sms[s].sites && i < all->site_count; i++) {
			counters_add(&out->sites[i], &all->sms[s].sites[i]);
			counters_add(&out->sms[s], &all->sms[s].sites[i]);
		}
		counters_add(&out->total, &out->sms[s]);
	}
	return 0;
}

/* Play the launch that `input` describes and leave schedule and sums in *out. */
static int play(const struct gpu *gpu, const struct schedule_input *input,
                const struct replay_options *options, struct replay_result *out, struct err *err)
{
	struct sms sms = { 0 };
	const struct memory_port port = { .context = &sms,
		                          .request =
		                                  options->request ? sms_request_told : sms_request,
		                          .access = options->access ? sms_access : NULL };
	int ret = sms_init(&sms, gpu, input, options, err);

	if (!ret)
		ret = schedule_launch(gpu, input, &port, &out->schedule, err);
	if (!ret)
		ret = sms_status(&sms, err);
	if (!ret)
		ret = sms_sum(&sms, out, err);
	sms_release(&sms);
	return ret;
}

int replay_launch(const struct recording *r, size_t launch, const struct gpu *gpu,
                  const struct replay_options *options, struct replay_result *out, struct err *err)
{
	struct launch_input input;
	int ret;

	*out = (struct replay_result){ 0 };
	ret = launch_input_open(&input, r, launch, options, err);
	out->is_whole = input.is_whole;
	out->groups = input.groups;
	if (!ret)
		ret = play(gpu, &input.schedule, options, out, err);
	launch_input_close(&input);
	return ret;
}

void replay_result_release(struct replay_result *r)
{
	schedule_result_release(&r->schedule);
	free(r->sites);
	free(r->sms);
	*r = (struct replay_result){ 0 };
}

int replay_reorder_config(const struct recording *r, size_t launch, const struct gpu *gpu,
                          struct reorder_config *out, bool *is_whole, struct err *err)
{
	const struct replay_options options = { 0 };
	struct launch_input input;
	int ret = launch_input_open(&input, r, launch, &options, err);

	reorder_config_init(out);
	*is_whole = input.is_whole;
	if (!ret)
		ret = reorder_plan_make(out, gpu, &input.schedule, err);
	launch_input_close(&input);
	return ret;
}
