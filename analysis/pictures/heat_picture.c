/* SPDX-License-Identifier: Apache-2.0 */
#include "heat_picture.h"

#include "gpu.h"
#include "recording.h"
#include "request.h"

static void count_in_set(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct heat_picture *p = context;
	uint64_t time = p->is_by_kernel ? p->kernel : o->cycle;
	uint32_t row = o->set >> p->set_shift;

	plot_heat_add(&p->heat, HEAT_SET_REQUESTS, row, time, 1);
	if (r->kind == SITE_READ && o->event != L1_BYPASS)
		plot_heat_add(&p->heat, HEAT_SET_READS, row, time, 1);
	if (o->event >= L1_COLD && o->event <= L1_SECTOR)
		plot_heat_add(&p->heat, HEAT_SET_MISSES, row, time, 1);
}

static void count_lanes(struct heat_picture *p, uint32_t plane, uint32_t lanes, uint64_t cycle)
{
	uint32_t most = p->heat.rows;

	if (lanes)
		plot_heat_add(&p->heat, plane, (lanes < most ? lanes : most) - 1, cycle, 1);
}

static void count_instruction(void *context, uint32_t sm, const struct warp_access *a,
                              uint64_t now_cycles)
{
	(void)sm;
	count_lanes(context, HEAT_WARP_INSTRUCTIONS, a->lane_count, now_cycles);
}

static void count_request(void *context, const struct request *r, const struct l1_outcome *o)
{
	count_lanes(context, HEAT_WARP_REQUESTS, r->lanes, o->cycle);
}

static void ignore_line(void *context, const struct l1_residency *x)
{
	(void)context;
	(void)x;
}

static const struct l1_observer *observe(void *context, uint32_t sm)
{
	struct heat_picture *p = context;

	(void)sm;
	return &p->observer;
}

/* player_visitor.begin. */
static int begin_launch(void *context, size_t launch, struct replay_options *options,
                        struct err *err)
{
	struct heat_picture *p = context;
	uint32_t kernel = p->player.launches.recording->launches[launch].kernel;

	(void)err;
	p->kernel = kernel < HEAT_KERNELS ? kernel : HEAT_KERNELS - 1;
	options->observer = observe;
	options->observer_context = p;
	options->jobs = 1; /* all SMs count in one place */
	return 0;
}

static int play(struct heat_picture *p, struct err *err)
{
	const struct player_visitor visitor = { .context = p, .begin = begin_launch };

	return player_play(&p->player, &visitor, err);
}

int heat_picture_sets(struct heat_picture *p, const struct player *player, uint64_t window,
                      bool is_by_kernel, struct err *err)
{
	uint32_t last = player->gpu->l1_sets - 1;
	int ret;

	*p = (struct heat_picture){ .player = *player,
		                    .is_by_kernel = is_by_kernel,
		                    .observer = { p, count_in_set, ignore_line } };
	while (last >> p->set_shift >= HEAT_ROWS)
		p->set_shift++;
	ret = plot_heat_init(&p->heat, HEAT_SET_PLANES, (last >> p->set_shift) + 1,
	                     is_by_kernel ? HEAT_KERNELS : HEAT_COLUMNS, is_by_kernel ? 1 : window,
	                     err);
	return ret ? ret : play(p, err);
}

int heat_picture_warps(struct heat_picture *p, const struct player *player, uint64_t window,
                       struct err *err)
{
	int ret;

	*p = (struct heat_picture){ .player = *player,
		                    .observer = { p, count_request, ignore_line } };
	p->player.options.access = count_instruction;
	p->player.options.access_context = p;
	ret = plot_heat_init(&p->heat, HEAT_WARP_PLANES, player->gpu->warp_lanes, HEAT_COLUMNS,
	                     window, err);
	return ret ? ret : play(p, err);
}

void heat_picture_release(struct heat_picture *p)
{
	plot_heat_release(&p->heat);
}

const char *heat_picture_kernel(const struct heat_picture *p, uint32_t column)
{
	const struct recording *r = p->player.launches.recording;

	if (column == HEAT_KERNELS - 1 && r->kernel_count > HEAT_KERNELS)
		return "all others";
	return r->kernels[column].table.name;
}

uint32_t heat_picture_fullest_row(const struct heat_picture *p, uint32_t plane, uint64_t *sum)
{
	uint32_t fullest = 0;

	*sum = 0;
	for (uint32_t r = 0; r < p->heat.rows; r++)
		if (plot_heat_row(&p->heat, plane, r) > *sum) {
			*sum = plot_heat_row(&p->heat, plane, r);
			fullest = r;
		}
	return fullest;
}

double heat_picture_lanes(const struct heat_picture *p, uint32_t plane)
{
	uint64_t count = plot_heat_sum(&p->heat, plane), lanes = 0;

	for (uint32_t r = 0; r < p->heat.rows; r++)
		lanes += (r + 1) * plot_heat_row(&p->heat, plane, r);
	return count ? (double)lanes / (double)count : 0;
}
