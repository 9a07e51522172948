/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include "address_map.h"
#include "array.h"
#include "err.h"
#include "gpu.h"
#include "l1.h"
#include "launch_reader.h"
#include "recording.h"
#include "trace_source.h"

#include <assert.h>
#include <stdlib.h>

/* One L1 for each SM. Requests are counted once, in the cell of their SM and site; the result's
 * sums are made of the cells at the end. */
struct caches {
	struct l1 **l1s;
	size_t sm_count;
	struct counters *cells; /* of SM s and site i: cells[s * site_count + i] */
	size_t site_count;
};

static int caches_init(struct caches *c, const struct gpu *gpu, size_t site_count, struct err *err)
{
	size_t cell_count;
	int ret = 0;

	*c = (struct caches){ .sm_count = gpu->sm_count, .site_count = site_count };
	if (__builtin_mul_overflow(c->sm_count, site_count, &cell_count))
		return err_set(err, ERR_LIMIT, "%zu sites on %zu SMs are too many to count",
		               site_count, c->sm_count);
	c->cells = array_alloc(cell_count, sizeof(*c->cells), "counters of SMs and sites", err);
	c->l1s = array_alloc(c->sm_count, sizeof(*c->l1s), "L1 caches", err);
	if (!c->cells || !c->l1s)
		return ERR_NOMEM;
	for (size_t s = 0; s < c->sm_count && !ret; s++)
		ret = l1_create(&c->l1s[s], gpu, err);
	return ret;
}

static void caches_release(struct caches *c)
{
	for (size_t s = 0; c->l1s && s < c->sm_count; s++)
		l1_free(c->l1s[s]);
	free(c->l1s);
	free(c->cells);
}

static uint64_t caches_request(void *context, uint32_t sm, const struct request *r,
                               uint64_t now_cycles)
{
	struct caches *c = context;

	assert(sm < c->sm_count && r->site < c->site_count);
	return l1_request(c->l1s[sm], r, now_cycles, &c->cells[sm * c->site_count + r->site]);
}

static int caches_status(const struct caches *c, struct err *err)
{
	int ret = 0;

	for (size_t s = 0; s < c->sm_count && !ret; s++)
		ret = l1_status(c->l1s[s], err);
	return ret;
}

static int sum_up(const struct caches *c, struct replay_result *out, struct err *err)
{
	out->sites = array_alloc(c->site_count, sizeof(*out->sites), "counters of sites", err);
	out->sms = array_alloc(c->sm_count, sizeof(*out->sms), "counters of SMs", err);
	if (!out->sites || !out->sms)
		return ERR_NOMEM;
	out->site_count = c->site_count;
	out->sm_count = c->sm_count;
	for (size_t s = 0; s < c->sm_count; s++) {
		for (size_t i = 0; i < c->site_count; i++) {
			counters_add(&out->sites[i], &c->cells[s * c->site_count + i]);
			counters_add(&out->sms[s], &c->cells[s * c->site_count + i]);
		}
		counters_add(&out->total, &out->sms[s]);
	}
	return 0;
}

static int read_group(void *context, uint64_t group, struct group_events *out, struct err *err)
{
	return launch_reader_group(context, group, out, err);
}

/* Play the launch that `input` describes and leave schedule and sums in *out. */
static int play(const struct gpu *gpu, const struct schedule_input *input,
                struct replay_result *out, struct err *err)
{
	struct caches caches = { 0 };
	const struct memory_port port = { .context = &caches, .request = caches_request };
	int ret = caches_init(&caches, gpu, input->table->site_count, err);

	if (!ret)
		ret = schedule_launch(gpu, input, &port, &out->schedule, err);
	if (!ret)
		ret = caches_status(&caches, err);
	if (!ret)
		ret = sum_up(&caches, out, err);
	caches_release(&caches);
	return ret;
}

int replay_launch(const struct recording *r, size_t launch, const struct gpu *gpu,
                  const struct replay_options *options, struct replay_result *out, struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct address_map *map = NULL;
	const struct recorded_launch *recorded;
	struct schedule_input input;
	int ret;

	*out = (struct replay_result){ 0 };
	ret = recording_open_launch(r, launch, &source, &reader, err);
	if (ret)
		goto out;
	ret = address_map_create(&map, r, launch, err);
	if (ret)
		goto out;
	recorded = &r->launches[launch];
	input = (struct schedule_input){
		.shape = launch_reader_shape(reader),
		.table = &r->kernels[recorded->kernel].table,
		.map = map,
		.groups = { .context = reader, .read = read_group },
		.local_bytes = recorded->local_bytes,
		.registers = options->registers,
	};
	out->is_whole = launch_reader_is_whole(reader) && !recorded->dropped_events;
	ret = play(gpu, &input, out, err);
out:
	address_map_free(map);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

void replay_result_release(struct replay_result *r)
{
	schedule_result_release(&r->schedule);
	free(r->sites);
	free(r->sms);
	*r = (struct replay_result){ 0 };
}
