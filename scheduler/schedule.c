/* SPDX-License-Identifier: Apache-2.0 */
#include "schedule.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "group_stream.h"
#include "sequence.h"
#include "sm.h"

#include <inttypes.h>
#include <stdlib.h>

/* An SM with the streams of its slots, and the slot that it can give next. */
struct worker {
	struct sm *sm;
	struct group_stream *streams; /* one a slot */
	bool has_slot;                /* a group has ended and no other taken its place */
	uint32_t slot;
};

struct schedule {
	const struct gpu *gpu;
	const struct schedule_input *input;
	struct schedule_result *out;
	struct stream_maker maker;
	struct worker *workers; /* gpu->sm_count */
	uint64_t group_count;
	uint64_t next_group;
};

void schedule_result_release(struct schedule_result *r)
{
	free(r->sm_groups);
	free(r->sm_requests);
	free(r->sm_reads);
	free(r->sides);
	r->sides = NULL;
	r->sm_groups = r->sm_requests = r->sm_reads = NULL;
}

static int prepare_result(const struct gpu *gpu, size_t site_count, struct schedule_result *out,
                          struct err *err)
{
	out->sm_groups = array_alloc(gpu->sm_count, sizeof(uint64_t), "groups of SMs", err);
	out->sm_requests = array_alloc(gpu->sm_count, sizeof(uint64_t), "requests of SMs", err);
	out->sm_reads = array_alloc(gpu->sm_count, sizeof(uint64_t), "reads of SMs", err);
	out->sides = array_alloc(site_count, sizeof(*out->sides), "counters of sites", err);
	return out->sm_groups && out->sm_requests && out->sm_reads && out->sides ? 0 : ERR_NOMEM;
}

static int create_worker(struct schedule *s, uint32_t number, uint32_t warps_per_group,
                         const struct memory_port *port, struct err *err)
{
	struct worker *w = &s->workers[number];
	uint32_t slots = s->out->residency.groups;
	struct sm_shape shape = { .number = number,
		                  .schedulers = s->gpu->schedulers,
		                  .request_cycles = s->gpu->l1_request_cycles,
		                  .group_slots = slots,
		                  .warps_per_group = warps_per_group,
		                  .order = s->input->order,
		                  .is_in_order = s->gpu->scoreboard == GPU_SCOREBOARD_IN_ORDER };

	w->streams = array_alloc(slots, sizeof(*w->streams), "resident groups", err);
	if (!w->streams)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < slots; i++)
		group_stream_init(&w->streams[i], s->maker.coalescer.mask_words);
	return sm_create(&w->sm, &shape, s->input->table, port, err);
}

static int create_workers(struct schedule *s, const struct memory_port *port, struct err *err)
{
	uint32_t size[3], items = launch_shape_group_size(s->input->shape, 0, size);
	uint32_t lanes = issue_order_lanes(&s->input->order, s->gpu->warp_lanes);
	uint32_t warps = (items + lanes - 1) / lanes;

	s->workers = array_alloc(s->gpu->sm_count, sizeof(*s->workers), "SMs", err);
	if (!s->workers)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < s->gpu->sm_count; i++) {
		int rc = create_worker(s, i, warps, port, err);

		if (rc)
			return rc;
	}
	return 0;
}

static void free_workers(struct schedule *s)
{
	for (uint32_t i = 0; s->workers && i < s->gpu->sm_count; i++) {
		struct worker *w = &s->workers[i];

		sm_free(w->sm);
		for (uint32_t k = 0; w->streams && k < s->out->residency.groups; k++)
			group_stream_release(&w->streams[k]);
		free(w->streams);
	}
	free(s->workers);
	s->workers = NULL;
}

/* Read the next group, form it, and make it resident in a slot of SM `number`. */
static int start_next_group(struct schedule *s, uint32_t number, uint32_t slot, struct err *err)
{
	struct worker *w = &s->workers[number];
	struct group_stream *stream = &w->streams[slot];
	struct group_events events = { 0 };
	uint64_t group = s->next_group++;
	uint32_t size[3], items = launch_shape_group_size(s->input->shape, group, size);
	int rc = s->input->groups.read(s->input->groups.context, group, &events, err);

	if (!rc && events.item_count != items)
		rc = err_set(err, ERR_FORMAT,
		             "group %" PRIu64 ": has events of %" PRIu32
		             " work-items: expected %" PRIu32,
		             group, events.item_count, items);
	if (!rc)
		rc = group_stream_form(stream, &s->maker, group, &events, err);
	if (rc)
		return rc;
	s->out->lanes += stream->lanes;
	s->out->instructions += stream->accesses;
	sm_start_group(w->sm, slot, stream);
	w->has_slot = false;
	return 0;
}

/* The first groups: one to each SM in turn, until all slots are taken. */
static int start_first_groups(struct schedule *s, struct err *err)
{
	uint32_t sms = s->input->is_sequence ? 1 : s->gpu->sm_count;

	for (uint32_t slot = 0; slot < s->out->residency.groups; slot++)
		for (uint32_t i = 0; i < sms; i++) {
			int rc;

			if (s->next_group == s->group_count)
				return 0;
			rc = start_next_group(s, i, slot, err);
			if (rc)
				return rc;
		}
	return 0;
}

/* The SM that frees a slot first, the lowest on a tie; NULL when all are done. */
static struct worker *first_to_free(struct schedule *s)
{
	struct worker *first = NULL;

	for (uint32_t i = 0; i < s->gpu->sm_count; i++) {
		struct worker *w = &s->workers[i];

		if (!w->has_slot)
			w->has_slot = sm_run(w->sm, &w->slot);
		if (w->has_slot && (!first || sm_now(w->sm) < sm_now(first->sm)))
			first = w;
	}
	return first;
}

/* Give out the other groups, each to the SM that frees a slot first, and run to the end. */
static int play(struct schedule *s, struct err *err)
{
	int rc = start_first_groups(s, err);
	struct worker *w;

	while (!rc && s->next_group < s->group_count) {
		w = first_to_free(
			s); /* there is one: every SM has had a group, or all are given out */
		rc = start_next_group(s, (uint32_t)(w - s->workers), w->slot, err);
	}
	for (uint32_t i = 0; !rc && i < s->gpu->sm_count; i++)
		while (sm_run(s->workers[i].sm, &s->workers[i].slot))
			;
	return rc;
}

static void fill_result(struct schedule *s)
{
	struct schedule_result *out = s->out;

	for (uint32_t i = 0; i < s->gpu->sm_count; i++) {
		const struct sm_counts *counts = sm_counts(s->workers[i].sm);

		out->sm_groups[i] = counts->groups;
		out->sm_requests[i] = counts->requests;
		out->sm_reads[i] = counts->reads;
		out->requests += counts->requests;
		if (sm_now(s->workers[i].sm) > out->cycles)
			out->cycles = sm_now(s->workers[i].sm);
	}
	for (size_t i = 0; i < s->input->table->site_count; i++)
		side_counts_add(&out->side, &out->sides[i]);
	out->unmapped_lanes = s->maker.coalescer.unmapped_lanes;
}

static int check_input(const struct gpu *gpu, const struct schedule_input *input, struct err *err)
{
	int rc = gpu_check(gpu, err);

	if (!rc)
		rc = issue_order_check(&input->order, gpu->warp_lanes, err);
	if (!rc)
		rc = launch_shape_check(input->shape, err);
	return rc ? rc : kernel_table_check(input->table, err);
}

static int find_residency(struct schedule *s, struct err *err)
{
	const struct schedule_input *input = s->input;
	uint32_t size[3];
	int rc;

	s->group_count = launch_shape_group_count(input->shape);
	rc = residency_compute(
		s->gpu,
		&(struct residency_need){ .groups = s->group_count,
	                                  .items = launch_shape_group_size(input->shape, 0, size),
	                                  .local_bytes = input->local_bytes,
	                                  .registers = input->registers },
		&s->out->residency, err);
	if (!rc && input->is_sequence)
		s->out->residency = (struct residency){ 1, RESIDENCY_GROUPS_TO_RUN };
	return rc;
}

int schedule_launch(const struct gpu *gpu, const struct schedule_input *input,
                    const struct memory_port *port, struct schedule_result *out, struct err *err)
{
	struct schedule s = { .gpu = gpu, .input = input, .out = out };
	int rc;

	*out = (struct schedule_result){ 0 };
	rc = check_input(gpu, input, err);
	if (!rc)
		rc = find_residency(&s, err);
	if (!rc)
		rc = prepare_result(gpu, input->table->site_count, out, err);
	if (!rc && sequence_is_plain(input, port))
		return sequence_play(gpu, input, port, out, err);
	if (!rc)
		rc = stream_maker_init(&s.maker, gpu, input->table, input->map, out->sides, err);
	s.maker.keeps_lanes = port->access;
	stream_maker_set_order(&s.maker, &input->order);
	if (!rc)
		rc = create_workers(&s, port, err);
	if (!rc)
		rc = play(&s, err);
	if (!rc)
		fill_result(&s);
	free_workers(&s);
	stream_maker_release(&s.maker);
	return rc;
}
