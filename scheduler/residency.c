/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "gpu.h"
#include "schedule.h"

#include <inttypes.h>

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return n / unit * unit + (n % unit ? unit : 0);
}

/* A limit of the form have / need. */
struct bound {
	enum residency_limit limit;
	const char *unit;
	uint64_t need;
	uint32_t have;
};

/* Lower *out to what a bound allows: groups <= floor(have / need). */
static int apply(struct bound b, const struct gpu *gpu, struct residency *out, struct err *err)
{
	if (b.need > b.have)
		return err_set(err, ERR_CONFIG,
		               "a work-group needs %" PRIu64 " %s, an SM of %s has %" PRIu32,
		               b.need, b.unit, gpu->name, b.have);
	while (out->groups * b.need > b.have) /* need <= have: this ends at 1 */
		*out = (struct residency){ out->groups - 1, b.limit };
	return 0;
}

int residency_compute(const struct gpu *gpu, const struct schedule_input *input,
                      struct residency *out, struct err *err)
{
	uint64_t groups = launch_shape_group_count(input->shape);
	uint64_t per_sm = groups / gpu->sm_count + (groups % gpu->sm_count != 0);
	uint32_t size[3], items = launch_shape_group_size(input->shape, 0, size);
	uint64_t warps = ((uint64_t)items + gpu->warp_lanes - 1) / gpu->warp_lanes;
	uint64_t registers = (uint64_t)gpu->warp_lanes * input->registers;
	/* a need past every SM is enough to refuse it, and cannot overflow when rounded up */
	uint64_t local = input->local_bytes > UINT32_MAX ? UINT32_MAX : input->local_bytes;
	const struct bound bounds[] = {
		{ RESIDENCY_MAX_WARPS, "warps", warps, gpu->max_warps },
		{ RESIDENCY_REGISTERS, "registers", warps * round_up(registers, gpu->register_unit),
		  gpu->registers },
		{ RESIDENCY_LOCAL, "bytes of local memory", round_up(local, gpu->local_unit_bytes),
		  gpu->local_bytes },
	};
	int rc = 0;

	*out = (struct residency){ gpu->max_groups, RESIDENCY_MAX_GROUPS };
	if (per_sm <= gpu->max_groups)
		*out = (struct residency){ (uint32_t)per_sm, RESIDENCY_GROUPS_TO_RUN };
	for (int i = 0; !rc && i < 3; i++)
		rc = apply(bounds[i], gpu, out, err);
	return rc;
}
