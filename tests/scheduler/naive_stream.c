/* SPDX-License-Identifier: Apache-2.0 */
/* What the warps, large warps or work-items of a naive launch do. */
#include "naive_sm.h"

#include "cmocka_all.h"

uint32_t naive_lanes(const struct naive_launch *launch)
{
	switch (launch->play->order.kind) {
	case ISSUE_ORDER_sequential:
	case ISSUE_ORDER_random:
	case ISSUE_ORDER_roundrobin:
		return 1;
	case ISSUE_ORDER_lwf:
		return (uint32_t)launch->play->order.number;
	case ISSUE_ORDER_lrr:
	case ISSUE_ORDER_prr:
	case ISSUE_ORDER_gto:
	case ISSUE_ORDER_twolevel:
	case ISSUE_ORDER_fifo:
	case ISSUE_ORDER_reorder:
		break;
	}
	return launch->play->gpu.warp_lanes;
}

/* The part-th active lane of a column, or -1. */
static int lane_of(const struct naive_launch *launch, uint64_t group, const uint32_t unit_column[2],
                   const uint32_t place[2])
{
	uint32_t lanes = naive_lanes(launch), skip = place[1];

	for (uint32_t i = unit_column[1]; i < lanes; i += launch->play->gpu.warp_lanes) {
		uint32_t item = unit_column[0] * lanes + i;

		if (item < launch->items && launch->address(group, item, place[0]) && !skip--)
			return (int)item;
	}
	return -1;
}

static void add_line(struct naive_instruction *out, uint64_t line)
{
	for (uint32_t i = 0; i < out->count; i++)
		if (out->line[i] == line) {
			out->lanes[i]++;
			return;
		}
	out->line[out->count] = line;
	out->lanes[out->count++] = 1;
}

/* Fill in the sub-warp at `place`; false when it has no lane. */
static bool fill(const struct naive_launch *launch, uint64_t group, uint32_t unit,
                 const uint32_t place[2], struct naive_instruction *out)
{
	bool is_any = false;

	*out = (struct naive_instruction){ .site = place[0] };
	for (uint32_t column = 0; column < launch->play->gpu.warp_lanes; column++) {
		int item = lane_of(launch, group, (uint32_t[2]){ unit, column }, place);

		if (item < 0)
			continue;
		is_any = true;
		add_line(out, launch->address(group, (uint32_t)item, place[0]) / 128 * 128);
	}
	return is_any;
}

bool naive_next(const struct naive_launch *launch, uint64_t group, uint32_t unit, uint32_t place[2],
                struct naive_instruction *out)
{
	for (; place[0] < launch->play->table.site_count; place[0]++, place[1] = 0) {
		struct naive_instruction further;

		if (!fill(launch, group, unit, place, out))
			continue;
		place[1]++;
		if (launch->play->table.sites[out->site].kind == SITE_BARRIER) {
			place[0]++;
			place[1] = 0;
			out->count = 0;
		} else {
			out->is_followed = fill(launch, group, unit, place, &further);
		}
		return true;
	}
	return false;
}

bool naive_is_independent(const struct naive_launch *launch, uint32_t site)
{
	const struct kernel_table *t = &launch->play->table;

	for (size_t i = 0; naive_lanes(launch) > 1 && i < t->companion_count; i++)
		if (t->companions[i].site == site)
			return t->sites[site].kind == SITE_READ;
	return false;
}

struct logged *naive_log(struct naive_launch *launch, const struct naive_instruction *n, uint32_t i)
{
	struct logged *r = &launch->log[launch->log_count++];

	assert_true(launch->log_count < NAIVE_LOG);
	*r = (struct logged){ .line = n->line[i],
		              .site = n->site,
		              .lanes = n->lanes[i],
		              .kind = launch->play->table.sites[n->site].kind };
	return r;
}
