/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_path.h"

#include "err.h"

#include <inttypes.h>

uint32_t loop_path_levels(const struct kernel_table *t)
{
	uint32_t levels = 1;

	for (size_t i = 0; i < t->loop_count; i++)
		if (t->loops[i].depth > levels)
			levels = t->loops[i].depth;
	return levels;
}

/* Forget the next deeper level, and with it all deeper ones, which are reached through it. */
static void forget_below(struct loop_level *path, uint32_t levels, uint32_t level)
{
	if (level + 1 < levels)
		path[level + 1].loop = -1;
}

void loop_path_start(struct loop_level *path, uint32_t levels)
{
	for (uint32_t i = 0; i < levels; i++)
		path[i] = (struct loop_level){ .loop = -1 };
}

/* Check that the lane is in `loop`, or enter it: only an outermost loop is entered without an
 * event. */
static int ensure_in(struct loop_level *path, uint32_t levels, const struct kernel_table *t,
                     int32_t loop, struct err *err)
{
	uint32_t level = t->loops[loop].depth - 1;

	if (path[level].loop == loop)
		return 0;
	if (level > 0)
		return err_set(err, ERR_FORMAT, "loop %" PRId32 " has events without being entered",
		               loop);
	path[0] = (struct loop_level){ .loop = loop };
	forget_below(path, levels, 0);
	return 0;
}

int loop_path_enter(struct loop_level *path, uint32_t levels, const struct kernel_table *t,
                    uint32_t loop, uint64_t parent_iteration, struct err *err)
{
	uint32_t level;

	if (loop >= t->loop_count)
		return err_set(err, ERR_FORMAT, "loop %" PRIu32 " is entered: the kernel has %zu",
		               loop, t->loop_count);
	level = t->loops[loop].depth - 1;
	if (level == 0)
		return err_set(err, ERR_FORMAT,
		               "loop %" PRIu32 " is entered by an event: it lies "
		               "in no other",
		               loop);
	if (ensure_in(path, levels, t, t->loops[loop].parent, err))
		return ERR_FORMAT;
	path[level - 1].iteration = parent_iteration;
	/* Lanes that join here may or may not have had an epoch event. */
	path[level - 1].high = (uint32_t)(parent_iteration >> 32);
	path[level] = (struct loop_level){ .loop = (int32_t)loop };
	forget_below(path, levels, level);
	return 0;
}

int loop_path_epoch(struct loop_level *path, uint32_t levels, const struct kernel_table *t,
                    uint32_t loop, uint64_t iteration, struct err *err)
{
	if (loop >= t->loop_count)
		return err_set(err, ERR_FORMAT, "loop %" PRIu32 " has an epoch: the kernel has %zu",
		               loop, t->loop_count);
	if (!iteration || (uint32_t)iteration)
		return err_set(err, ERR_FORMAT,
		               "loop %" PRIu32 " has an epoch at iteration %" PRIu64
		               ": expected a multiple of 2^32",
		               loop, iteration);
	if (ensure_in(path, levels, t, (int32_t)loop, err))
		return ERR_FORMAT;
	path[t->loops[loop].depth - 1].high = (uint32_t)(iteration >> 32);
	return 0;
}

int loop_path_stand(struct loop_level *path, uint32_t levels, const struct kernel_table *t,
                    uint32_t site, uint32_t iteration, struct err *err)
{
	int32_t loop = t->sites[site].loop;
	struct loop_level *own;

	if (loop < 0) {
		if (iteration)
			return err_set(err, ERR_FORMAT,
			               "site %" PRIu32 " is in iteration %" PRIu32
			               ": it lies in no loop",
			               site, iteration);
		return 0;
	}
	if (ensure_in(path, levels, t, loop, err))
		return ERR_FORMAT;
	own = &path[t->loops[loop].depth - 1];
	own->iteration = (uint64_t)own->high << 32 | iteration;
	return 0;
}

static uint32_t site_depth(const struct kernel_table *t, uint32_t site)
{
	return t->sites[site].loop < 0 ? 0 : t->loops[t->sites[site].loop].depth;
}

int loop_path_compare(const struct kernel_table *t, const struct loop_level *a, uint32_t site_a,
                      const struct loop_level *b, uint32_t site_b)
{
	uint32_t depth_a = site_depth(t, site_a), depth_b = site_depth(t, site_b);
	uint32_t common = depth_a < depth_b ? depth_a : depth_b;

	for (uint32_t i = 0; i < common && a[i].loop == b[i].loop; i++)
		if (a[i].iteration != b[i].iteration)
			return a[i].iteration < b[i].iteration ? -1 : 1;
	return site_a < site_b ? -1 : site_a > site_b;
}
