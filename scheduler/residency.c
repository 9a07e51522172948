/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "gpu.h"
#include "schedule.h"

#include <inttypes.h>

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return n / unit * unit + (n % unit ? unit : 0);
}

/* What a limit would allow and why it allows not even one: the need, what there is, the unit. */
struct bound {
	enum residency_limit limit;
	uint64_t need, have;
	const char *unit;
};

/* Bounds that are "have / need", in the order of enum residency_limit. */
static void list_bounds(const struct gpu *gpu, const struct schedule_input *input,
                        struct bound bounds[3])
{
	uint32_t size[3];
	uint64_t items = launch_shape_group_size(input->shape, 0, size);
	uint64_t warps = (items + gpu->warp_lanes - 1) / gpu->warp_lanes;
	uint64_t warp_registers =
		round_up((uint64_t)gpu->warp_lanes * input->registers, gpu->register_unit);
	/* a need past every SM is enough to refuse it, and cannot overflow when rounded up */
	uint64_t local = input->local_bytes > UINT32_MAX ? UINT32_MAX : input->local_bytes;

	bounds[0] = (struct bound){ RESIDENCY_MAX_WARPS, warps, gpu->max_warps, "warps" };
	bounds[1] = (struct bound){ RESIDENCY_REGISTERS, warps * warp_registers, gpu->registers,
		                    "registers" };
	bounds[2] = (struct bound){ RESIDENCY_LOCAL, round_up(local, gpu->local_unit_bytes),
		                    gpu->local_bytes, "bytes of local memory" };
}

int residency_compute(const struct gpu *gpu, const struct schedule_input *input,
                      struct residency *out, struct err *err)
{
	uint64_t groups = launch_shape_group_count(input->shape);
	uint64_t per_sm = groups / gpu->sm_count + (groups % gpu->sm_count != 0);
	struct bound bounds[3];

	*out = (struct residency){ gpu->max_groups, RESIDENCY_MAX_GROUPS };
	if (per_sm <= gpu->max_groups)
		*out = (struct residency){ (uint32_t)per_sm, RESIDENCY_GROUPS_TO_RUN };
	list_bounds(gpu, input, bounds);
	for (int i = 0; i < 3; i++) {
		const struct bound *b = &bounds[i];

		if (b->need > b->have)
			return err_set(err, ERR_CONFIG,
			               "a work-group needs %" PRIu64 " %s, an SM "
			               "of %s has %" PRIu64,
			               b->need, b->unit, gpu->name, b->have);
		if (b->need && b->have / b->need < out->groups)
			*out = (struct residency){ (uint32_t)(b->have / b->need), b->limit };
	}
	return 0;
}
