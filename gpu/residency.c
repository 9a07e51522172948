/* SPDX-License-Identifier: Apache-2.0 */
#include "residency.h"
#include "err.h"
#include "gpu.h"

#include <inttypes.h>
#include <stdio.h>

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

static int too_large(struct bound b, const struct gpu *gpu, struct err *err)
{
	uint64_t items = (uint64_t)b.have * gpu->warp_lanes;
	char remedy[192] = "";

	if (b.limit == RESIDENCY_MAX_WARPS)
		snprintf(remedy, sizeof(remedy),
		         "; record --max-group %" PRIu64
		         " where its size is left open, POCL_MAX_WORK_GROUP_SIZE=%" PRIu64
		         " where it is not",
		         items, items);
	return err_set(err, ERR_CONFIG,
	               "a work-group needs %" PRIu64 " %s, an SM of %s has %" PRIu32 "%s", b.need,
	               b.unit, gpu->name, b.have, remedy);
}

/* Lower *out to what a bound allows: groups <= floor(have / need). */
static int apply(struct bound b, const struct gpu *gpu, struct residency *out, struct err *err)
{
	if (b.need > b.have)
		return too_large(b, gpu, err);
	while (out->groups * b.need > b.have) /* need <= have: this ends at 1 */
		*out = (struct residency){ out->groups - 1, b.limit };
	return 0;
}

uint64_t residency_warps(const struct gpu *gpu, const struct residency_need *need)
{
	return need->items / gpu->warp_lanes + (need->items % gpu->warp_lanes != 0);
}

/* The registers of a group. The number of warps is limited: a need beyond any SM is enough to
 * refuse it, and cannot overflow. */
static uint64_t group_registers(const struct gpu *gpu, uint64_t warps, uint32_t registers)
{
	uint64_t of_warp = (uint64_t)gpu->warp_lanes * registers;

	if (warps > UINT32_MAX / 2)
		warps = UINT32_MAX / 2;
	if (gpu->register_rounding == GPU_REGISTER_ROUNDING_GROUP)
		return round_up(warps * of_warp, gpu->register_unit);
	return warps * round_up(of_warp, gpu->register_unit);
}

int residency_compute(const struct gpu *gpu, const struct residency_need *need,
                      struct residency *out, struct err *err)
{
	uint64_t per_sm = need->groups / gpu->sm_count + (need->groups % gpu->sm_count != 0);
	uint64_t warps = residency_warps(gpu, need);
	uint64_t local = need->local_bytes > UINT32_MAX ? UINT32_MAX : need->local_bytes;
	const struct bound bounds[] = {
		{ RESIDENCY_MAX_WARPS, "warps", warps, gpu->max_warps },
		{ RESIDENCY_REGISTERS, "registers", group_registers(gpu, warps, need->registers),
		  gpu->registers },
		{ RESIDENCY_LOCAL, "bytes of local memory", round_up(local, gpu->local_unit_bytes),
		  gpu->local_bytes },
	};
	int rc = 0;

	*out = (struct residency){ gpu->max_groups, RESIDENCY_MAX_GROUPS };
	if (need->groups && per_sm <= gpu->max_groups)
		*out = (struct residency){ (uint32_t)per_sm, RESIDENCY_GROUPS_TO_RUN };
	for (int i = 0; !rc && i < 3; i++)
		rc = apply(bounds[i], gpu, out, err);
	return rc;
}

/* Returns the residency with this many registers; 0 groups if none fits. */
static struct residency with_registers(const struct gpu *gpu, const struct residency_need *need,
                                       uint32_t registers)
{
	struct residency_need tried = *need;
	struct residency r;

	tried.registers = registers;
	if (residency_compute(gpu, &tried, &r, NULL) < 0)
		return (struct residency){ 0, RESIDENCY_REGISTERS };
	return r;
}

int residency_points(const struct gpu *gpu, const struct residency_need *need, uint32_t first,
                     uint32_t last, struct array *points, struct err *err)
{
	struct residency_need without = *need;
	struct residency now, next;
	int rc;

	without.registers = 0;
	rc = residency_compute(gpu, &without, &now, err);
	if (rc)
		return rc;
	now = with_registers(gpu, need, first);
	for (uint32_t r = first; r <= last && now.groups; r++, now = next) {
		struct residency_point *point;

		next = r < last ? with_registers(gpu, need, r + 1) : (struct residency){ 0 };
		if (next.groups >= now.groups)
			continue;
		point = array_push(points, 1, err);
		if (!point)
			return err ? err->code : ERR_NOMEM;
		*point = (struct residency_point){ r, now };
	}
	return 0;
}
