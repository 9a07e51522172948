/* SPDX-License-Identifier: Apache-2.0 */
#include "schedule.h"

#include "address_map.h"
#include "array.h"
#include "dispatcher.h"
#include "err.h"
#include "gpu.h"
#include "reorder_config.h"
#include "side_counts.h"
#include "sm_crew.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WORD_BITS = 64, WORDS_MAX = 4096 / WORD_BITS, RUN_READS = 512 };

struct sequence {
	const struct schedule_input *input;
	const struct memory_port *port;
	struct schedule_result *out;
	struct address_range range; /* the last one looked up */
	bool counts_unmapped;
	uint64_t line_mask; /* bits of an address within a line */
	uint64_t request_cycles;
	uint64_t now;       /* cycle of the next access, */
	uint64_t port_free; /* but not before this cycle */
	struct item_cursor cursor;
	uint64_t used[WORDS_MAX];
	uint64_t lines[RUN_READS];
};

/* Whether sequence_play() can simulate a launch: a sequence whose groups have one work-item, whose
 * sites are accesses of one byte to global memory, with a port that has no access(), settle() or
 * port_free(), and no reordering. */
static bool sequence_is_plain(const struct schedule_input *input, const struct memory_port *port)
{
	const struct kernel_table *t = input->table;
	uint32_t size[3];

	if (!input->is_sequence || port->access || port->settle || port->port_free ||
	    input->order.kind == ISSUE_ORDER_reorder ||
	    launch_shape_group_size(input->shape, 0, size) != 1)
		return false;
	for (size_t i = 0; i < t->site_count; i++)
		if (!site_kind_is_access(t->sites[i].kind) || t->sites[i].bytes != 1 ||
		    side_counts_take(&t->sites[i]))
			return false;
	return true;
}

static bool is_in_range(const struct sequence *s, uint64_t address)
{
	return address >= s->range.begin && address <= s->range.last;
}

/* Fill in the request of this event except for its line and bytes. */
static void begin_request(struct sequence *s, const struct event *e, struct request *r)
{
	if (!is_in_range(s, e->value))
		s->range = address_map_range(s->input->map, e->value);
	r->site = e->point;
	r->kind = s->input->table->sites[e->point].kind;
	r->buffer = s->range.buffer;
}

static void play_access(struct sequence *s, const struct event *e, struct request *r)
{
	uint64_t address = e->value + s->range.delta, inside = address & s->line_mask, there;

	s->out->unmapped_lanes += s->counts_unmapped && s->range.buffer < 0;
	r->line = address - inside;
	s->used[inside / WORD_BITS] = UINT64_C(1) << inside % WORD_BITS;
	if (s->now < s->port_free)
		s->now = s->port_free;
	s->port_free = s->now + s->request_cycles;
	there = s->port->request(s->port->context, 0, r, s->now);
	s->used[inside / WORD_BITS] = 0;
	s->now++;
	if (r->kind != SITE_WRITE && there > s->now)
		s->now = there;
	s->out->sm_reads[0] += r->kind == SITE_READ;
}

/* Simulate the leading reads of `count` events that differ only in their address. Returns their
 * number. */
static uint64_t play_reads(struct sequence *s, const struct event *e, uint64_t count,
                           const struct request *r)
{
	struct read_run run = { .lines = s->lines,
		                .request_cycles = s->request_cycles,
		                .now = s->now,
		                .port_free = s->port_free };

	count = count < RUN_READS ? count : RUN_READS;
	while (run.count < count && e[run.count].point == r->site &&
	       is_in_range(s, e[run.count].value)) {
		s->lines[run.count] = (e[run.count].value + s->range.delta) & ~s->line_mask;
		run.count++;
	}
	s->port->reads(s->port->context, 0, r, &run);
	s->now = run.now;
	s->port_free = run.port_free;
	if (s->counts_unmapped && s->range.buffer < 0)
		s->out->unmapped_lanes += run.count;
	s->out->sm_reads[0] += run.count;
	return run.count;
}

/* Simulate the accesses of a window; `before` accesses of the group precede it. */
static int play_window(struct sequence *s, uint64_t group, const struct event *events,
                       uint64_t count, uint64_t before, struct err *err)
{
	struct request r = { .used = s->used,
		             .bytes_used = 1,
		             .sectors = 1,
		             .lanes = 1,
		             .group = group,
		             .is_last = true };

	for (uint64_t i = 0; i < count;) {
		if (events[i].point >= s->input->table->site_count)
			return err_set(err, ERR_FORMAT,
			               "group %" PRIu64 ": event %" PRIu64
			               " is not an access: expected a sequence of accesses",
			               group, before + i);
		begin_request(s, &events[i], &r);
		if (s->port->reads && r.kind == SITE_READ) {
			i += play_reads(s, &events[i], count - i, &r);
		} else {
			play_access(s, &events[i], &r);
			i++;
		}
	}
	s->out->lanes += count;
	if (s->input->played)
		*s->input->played += count;
	return 0;
}

static int play_items(struct sequence *s, uint64_t group, const struct group_items *items,
                      struct err *err)
{
	struct item_events from;
	uint64_t before = 0;
	int rc = 0;

	if (items->events.item_count != 1)
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": has events of %" PRIu32
		               " work-items: expected 1",
		               group, items->events.item_count);
	from = group_items_at(items, 0);
	item_cursor_start(&s->cursor, &from);
	do {
		rc = item_cursor_fill(&s->cursor, err);
		if (!rc)
			rc = play_window(s, group, s->cursor.window, s->cursor.count, before, err);
		before += s->cursor.count;
	} while (!rc && s->cursor.count);
	s->out->sm_groups[0] += !rc;
	return rc;
}

static int play_group(struct sequence *s, uint64_t group, struct err *err)
{
	const struct group_source *source = &s->input->groups;
	struct group_items items = { 0 };
	int rc = source->read(source->context, group, &items, err);

	if (!rc)
		rc = play_items(s, group, &items, err);
	group_items_release(&items);
	return rc;
}

/* Returns the first group >= `group` that can be read. */
static uint64_t next_group(const struct schedule_input *input, uint64_t group)
{
	return input->groups.next ? input->groups.next(input->groups.context, group) : group;
}

/* Simulate a launch that sequence_is_plain(). The lists of `out` must be allocated; everything else
 * is filled in. Returns 0, ERR_FORMAT (an event that is not an access), or what groups.read
 * returns. */
static int sequence_play(const struct gpu *gpu, const struct schedule_input *input,
                         const struct memory_port *port, struct schedule_result *out,
                         struct err *err)
{
	struct sequence s = { .input = input,
		              .port = port,
		              .out = out,
		              .range = { 1, 0, 0, -1 }, /* holds nothing */
		              .counts_unmapped = !address_map_is_identity(input->map),
		              .line_mask = gpu->l1_line_bytes - 1,
		              .request_cycles = gpu->l1_request_cycles };
	uint64_t count = launch_shape_group_count(input->shape);
	int rc = 0;

	for (uint64_t g = next_group(input, 0); !rc && g < count; g = next_group(input, g + 1))
		rc = play_group(&s, g, err);
	item_cursor_release(&s.cursor);
	out->instructions = out->requests = out->sm_requests[0] = out->lanes;
	out->groups = out->sm_groups[0];
	out->cycles = s.now;
	return rc;
}

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

bool schedule_reaches(const struct gpu *gpu, const struct schedule_input *input, uint32_t sm)
{
	return dispatcher_plays(sm, gpu->sm_count, schedule_played(gpu, input)) &&
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
		out->sm_is_played[i] = dispatcher_plays(i, gpu->sm_count, played);
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
