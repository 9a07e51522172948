/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_play.h"

#include "cmocka_all.h"
#include "err.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void launch_play_event(struct launch_play *p, uint64_t value, uint32_t point, uint32_t iteration)
{
	assert_true(p->event_count < PLAY_EVENTS);
	p->events[p->event_count++] = (struct event){ value, point, iteration };
}

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	struct launch_play *p = context;
	uint32_t size[3], items = launch_shape_group_size(&p->shape, group, size);

	assert_true(items <= PLAY_ITEMS);
	p->groups_read++;
	p->event_count = 0;
	for (uint32_t i = 0; i < items; i++) {
		p->first[i] = p->event_count;
		p->item(p, group, i);
	}
	p->first[items] = p->event_count;
	for (uint64_t i = 0; i < p->event_count; i++)
		if ((p->events[i].point & EVENT_KIND_MASK) == EVENT_SITE)
			p->accesses += site_kind_is_access(p->table.sites[p->events[i].point].kind);
	*out = (struct group_items){ .events = { items, p->first, p->events } };
	return 0;
}

static uint32_t count_used(const struct launch_play *p, const struct request *r)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < p->gpu.l1_line_bytes; i++)
		bits += (uint32_t)(r->used[i / 64] >> i % 64 & 1);
	return bits;
}

static uint32_t count_sectors(const struct launch_play *p, const struct request *r)
{
	uint32_t sectors = 0, last = UINT32_MAX;

	for (uint32_t i = 0; i < p->gpu.l1_line_bytes; i++)
		if (r->used[i / 64] >> i % 64 & 1 && last != i / 32) {
			sectors++;
			last = i / 32;
		}
	return sectors;
}

static uint64_t write_down(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	struct launch_play *p = context;
	struct logged *l = &p->log[p->log_count++];

	assert_true(p->log_count < PLAY_LOG);
	*l = (struct logged){ .cycle = now,
		              .group = r->group,
		              .line = r->line,
		              .sm = sm,
		              .warp = r->warp,
		              .site = r->site,
		              .lanes = r->lanes,
		              .bytes_used = r->bytes_used,
		              .buffer = r->buffer,
		              .kind = r->kind };
	assert_int_equal(r->bytes_used, count_used(p, r));
	assert_int_equal(r->sectors, count_sectors(p, r));
	return now + p->latency(l);
}

/* request.h: each when the one before has its data, in the next cycle at least, and the port is
 * free. */
static void write_run_down(void *context, uint32_t sm, const struct request *r,
                           struct read_run *run)
{
	static const uint64_t used[4096 / 64] = { 1 };
	struct request each = *r;

	each.used = used;
	for (size_t i = 0; i < run->count; i++) {
		uint64_t at = run->now > run->port_free ? run->now : run->port_free, there;

		each.line = run->lines[i];
		there = write_down(context, sm, &each, at);
		run->now = there > at ? there : at + 1;
		run->port_free = at + run->request_cycles;
	}
}

int launch_play(struct launch_play *p, struct err *err)
{
	struct schedule_input input = { .shape = &p->shape,
		                        .table = &p->table,
		                        .map = p->map,
		                        .groups = { .context = p, .read = read_group },
		                        .local_bytes = p->local_bytes,
		                        .sample = p->sample,
		                        .registers = p->registers,
		                        .order = p->order,
		                        .reorder = p->reorder,
		                        .dispatch = p->dispatch,
		                        .sms = p->sms,
		                        .jobs = p->jobs,
		                        .is_sequence = p->is_sequence };
	struct memory_port port = { .context = p, .request = write_down, .access = p->access };

	if (p->takes_runs)
		port.reads = write_run_down;
	p->groups_read = p->accesses = p->log_count = 0;
	return schedule_launch(&p->gpu, &input, p->port ? p->port : &port, &p->result, err);
}

void launch_play_init(struct launch_play *p,
                      void (*item)(struct launch_play *p, uint64_t group, uint32_t item),
                      uint64_t (*latency)(const struct logged *r))
{
	memset(p, 0, offsetof(struct launch_play, events));
	p->table = launch_play_table();
	p->gpu = launch_play_gpu();
	p->item = item;
	p->latency = latency;
}

bool launch_play_is_same_log(const struct logged *a, const struct logged *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (a[i].cycle != b[i].cycle || a[i].group != b[i].group ||
		    a[i].line != b[i].line || a[i].sm != b[i].sm || a[i].warp != b[i].warp ||
		    a[i].site != b[i].site || a[i].lanes != b[i].lanes ||
		    a[i].bytes_used != b[i].bytes_used || a[i].kind != b[i].kind)
			return false;
	return true;
}

void launch_play_shape(struct launch_play *p, uint64_t groups, uint64_t items)
{
	p->shape = (struct launch_shape){ 1, { groups * items, 1, 1 }, { items, 1, 1 }, { 0 } };
}

struct gpu launch_play_gpu(void)
{
	return (struct gpu){ .name = "test",
		             .sm_count = 1,
		             .warp_lanes = 4,
		             .schedulers = 1,
		             .max_groups = 16,
		             .max_warps = 64,
		             .registers = 1 << 20,
		             .register_unit = 64,
		             .local_bytes = 1 << 20,
		             .local_unit_bytes = 128,
		             .coalescing = GPU_COALESCING_FERMI,
		             .l1_sets = 32,
		             .l1_ways = 4,
		             .l1_line_bytes = 128,
		             .l1_index.kind = GPU_L1_INDEX_FERMI,
		             .l1_hit_cycles = 35,
		             .l2_cycles = 220 };
}

struct kernel_table launch_play_table(void)
{
	static struct site sites[] = {
		{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
		{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
		{ .kind = SITE_WRITE, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
		{ .kind = SITE_ATOMIC, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
		{ .kind = SITE_BARRIER, .space = 1, .loop = -1, .argument = -1 },
		{ .kind = SITE_FENCE, .space = 1, .loop = -1, .argument = -1 },
	};
	static char name[] = "test";

	return (struct kernel_table){ .name = name, .sites = sites, .site_count = COUNT(sites) };
}
