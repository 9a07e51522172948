/* SPDX-License-Identifier: Apache-2.0 */
#include "sequence.h"

#include "address_map_private.h"
#include "err.h"
#include "gpu.h"
#include "side_counts.h"

#include <inttypes.h>

enum { WORD_BITS = 64, WORDS_MAX = 4096 / WORD_BITS, RUN_READS = 512 };

struct sequence {
	const struct schedule_input *input;
	const struct memory_port *port;
	struct schedule_result *out;
	struct address_range range; /* the last one looked up */
	bool counts_unmapped;
	uint64_t line_mask; /* of the bits inside a line */
	uint64_t request_cycles;
	uint64_t now;       /* the next access goes, */
	uint64_t port_free; /* but not before this cycle */
	uint64_t used[WORDS_MAX];
	uint64_t lines[RUN_READS];
};

bool sequence_is_plain(const struct schedule_input *input, const struct memory_port *port)
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

/* What a request of this event is but for its line and bytes. */
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

/* The reads from the first of `count` events on that differ in nothing but their address: how many.
 */
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

static int play_group(struct sequence *s, uint64_t group, struct err *err)
{
	const struct group_source *source = &s->input->groups;
	struct request r = { .used = s->used,
		             .bytes_used = 1,
		             .sectors = 1,
		             .lanes = 1,
		             .group = group,
		             .is_last = true };
	struct group_events events = { 0 };
	int rc = source->read(source->context, group, &events, err);

	if (rc)
		return rc;
	if (events.item_count != 1)
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": has events of %" PRIu32
		               " work-items: expected 1",
		               group, events.item_count);
	for (uint64_t i = 0; i < events.first[1];) {
		if (events.events[i].point >= s->input->table->site_count)
			return err_set(err, ERR_FORMAT,
			               "group %" PRIu64 ": event %" PRIu64
			               " is no access: expected a sequence of accesses",
			               group, i);
		begin_request(s, &events.events[i], &r);
		if (s->port->reads && r.kind == SITE_READ) {
			i += play_reads(s, &events.events[i], events.first[1] - i, &r);
		} else {
			play_access(s, &events.events[i], &r);
			i++;
		}
	}
	s->out->lanes += events.first[1];
	if (s->input->played)
		*s->input->played += events.first[1];
	s->out->sm_groups[0]++;
	return 0;
}

/* The first group from `group` on that there is. */
static uint64_t next_group(const struct schedule_input *input, uint64_t group)
{
	return input->groups.next ? input->groups.next(input->groups.context, group) : group;
}

int sequence_play(const struct gpu *gpu, const struct schedule_input *input,
                  const struct memory_port *port, struct schedule_result *out, struct err *err)
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
	out->instructions = out->requests = out->sm_requests[0] = out->lanes;
	out->groups = out->sm_groups[0];
	out->cycles = s.now;
	return rc;
}
