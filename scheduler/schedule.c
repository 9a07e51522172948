/* SPDX-License-Identifier: Apache-2.0 */
#include "schedule.h"

#include "array.h"
#include "dispatcher.h"
#include "err.h"
#include "gpu.h"
#include "reorder_config.h"
#include "sequence.h"
#include "sm_crew.h"

#include <inttypes.h>
#include <stdlib.h>

void schedule_result_release(struct schedule_result *r)
{
	free(r->sm_is_played);
	free(r->sm_groups);
	free(r->sm_requests);
	free(r->sm_reads);
	free(r->sides);
	free(r->patterns);
	r->sides = NULL;
	r->patterns = NULL;
	r->sm_is_played = NULL;
	r->sm_groups = r->sm_requests = r->sm_reads = NULL;
}

static int check_input(const struct gpu *gpu, const struct schedule_input *input, struct err *err)
{
	int rc = gpu_check(gpu, err);

	if (!rc)
		rc = issue_order_check(&input->order, gpu->warp_lanes, err);
	if (!rc)
		rc = launch_shape_check(input->shape, err);
	if (!rc && input->reorder)
		rc = reorder_config_check(input->reorder, input->shape, err);
	if (!rc)
		rc = kernel_table_check(input->table, err);
	if (!rc && input->sms > gpu->sm_count)
		rc = err_set(err, ERR_CONFIG,
		             "%s has %" PRIu32 " SMs: %" PRIu32 " of them cannot be replayed",
		             gpu->name, gpu->sm_count, input->sms);
	return rc;
}

uint32_t schedule_played(const struct gpu *gpu, const struct schedule_input *input)
{
	return input->sms ? input->sms : gpu->sm_count;
}

bool schedule_plays(const struct gpu *gpu, uint32_t played, uint32_t sm)
{
	return dispatcher_plays(sm, gpu->sm_count, played);
}

bool schedule_reaches(const struct gpu *gpu, const struct schedule_input *input, uint32_t sm)
{
	return schedule_plays(gpu, schedule_played(gpu, input), sm) &&
	       (input->dispatch.kind == DISPATCH_random ||
	        sm < launch_shape_group_count(input->shape));
}

static int prepare_result(const struct gpu *gpu, const struct schedule_input *input,
                          struct schedule_result *out, struct err *err)
{
	uint32_t played = schedule_played(gpu, input);

	out->sm_is_played = array_alloc(gpu->sm_count, sizeof(bool), "SMs", err);
	out->sm_groups = array_alloc(gpu->sm_count, sizeof(uint64_t), "groups of SMs", err);
	out->sm_requests = array_alloc(gpu->sm_count, sizeof(uint64_t), "requests of SMs", err);
	out->sm_reads = array_alloc(gpu->sm_count, sizeof(uint64_t), "reads of SMs", err);
	out->sides = array_alloc(input->table->site_count, sizeof(*out->sides), "counters of sites",
	                         err);
	if (input->has_patterns) {
		out->patterns = array_alloc(input->table->site_count, sizeof(*out->patterns),
		                            "access patterns", err);
		if (!out->patterns)
			return ERR_NOMEM;
	}
	for (uint32_t i = 0; out->sm_is_played && i < gpu->sm_count; i++)
		out->sm_is_played[i] = schedule_plays(gpu, played, i);
	return out->sm_is_played && out->sm_groups && out->sm_requests && out->sm_reads &&
	                       out->sides
	               ? 0
	               : ERR_NOMEM;
}

static int find_residency(const struct gpu *gpu, const struct schedule_input *input,
                          struct residency *out, struct err *err)
{
	uint32_t size[3];
	const struct residency_need need = {
		.groups = launch_shape_group_count(input->shape),
		.items = launch_shape_group_size(input->shape, 0, size),
		.local_bytes = input->local_bytes,
		.registers = input->registers,
	};

	int rc = residency_compute(gpu, &need, out, err);

	if (!rc && input->is_sequence)
		*out = (struct residency){ 1, RESIDENCY_GROUPS_TO_RUN };
	return rc;
}

static void fill_result(const struct sm_crew *crew, const struct schedule_input *input,
                        struct schedule_result *out)
{
	sm_crew_count(crew, out);
	for (size_t i = 0; i < input->table->site_count; i++) {
		side_counts_scale(&out->sides[i], &out->side_sample);
		side_counts_add(&out->side, &out->sides[i]);
	}
}

int schedule_launch(const struct gpu *gpu, const struct schedule_input *input,
                    const struct memory_port *port, struct schedule_result *out, struct err *err)
{
	struct sm_crew *crew = NULL;
	int rc;

	*out = (struct schedule_result){ 0 };
	rc = check_input(gpu, input, err);
	if (!rc)
		rc = find_residency(gpu, input, &out->residency, err);
	if (!rc)
		rc = prepare_result(gpu, input, out, err);
	if (!rc && sequence_is_plain(input, port))
		return sequence_play(gpu, input, port, out, err);
	if (!rc)
		rc = sm_crew_create(&crew, gpu, input, port, out->residency.groups, err);
	if (!rc)
		rc = sm_crew_play(crew, err);
	if (!rc)
		fill_result(crew, input, out);
	sm_crew_free(crew);
	return rc;
}
