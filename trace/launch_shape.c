/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_shape.h"

#include "err.h"

#include <inttypes.h>

struct local_sample local_sample_of(uint32_t wanted, uint64_t groups, bool is_chosen)
{
	bool is_whole = is_chosen || wanted == 0 || wanted >= groups;

	return (struct local_sample){ groups, is_whole ? 0 : wanted };
}

bool local_sample_is_whole(const struct local_sample *s)
{
	return s->pieces == 0;
}

/* The final mix of SplitMix64 (Steele, Lea and Flood 2014), for its first output. */
static uint64_t mix(uint64_t n)
{
	n += UINT64_C(0x9e3779b97f4a7c15);
	n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
	return n ^ n >> 31;
}

/* Returns the group of piece p that is in the sample. */
static uint64_t chosen(const struct local_sample *s, uint64_t p)
{
	uint64_t first = p * s->groups / s->pieces, end = (p + 1) * s->groups / s->pieces;

	return first + mix(p) % (end - first);
}

static uint64_t piece_of(const struct local_sample *s, uint64_t g)
{
	return ((g + 1) * s->pieces - 1) / s->groups;
}

bool local_sample_has(const struct local_sample *s, uint64_t g)
{
	return !s->pieces || chosen(s, piece_of(s, g)) == g;
}

uint64_t local_sample_next(const struct local_sample *s, uint64_t from, uint64_t end)
{
	uint64_t g = from;

	if (s->pieces) {
		uint64_t p = piece_of(s, from);

		g = chosen(s, p);
		if (g < from) /* after the last piece, it is after the launch */
			g = chosen(s, p + 1);
	}
	return g < end ? g : end;
}

#define GROUP_ITEMS_MAX (UINT64_C(1) << 20)

/* Check the sizes and offset of dimension d. */
static int check_dimension(const struct launch_shape *s, uint32_t d, struct err *err)
{
	uint64_t end;

	if (s->global[d] < 1 || s->local[d] < 1)
		return err_set(err, ERR_FORMAT,
		               "launch shape: dimension %" PRIu32 ": a size is 0, expected >= 1",
		               d);
	if (__builtin_add_overflow(s->offset[d], s->global[d] - 1, &end))
		return err_set(err, ERR_FORMAT,
		               "launch shape: dimension %" PRIu32 ": offset %" PRIu64
		               " + size %" PRIu64 " does not fit in 64 bits",
		               d, s->offset[d], s->global[d]);
	if (d >= s->dimensions && (s->global[d] != 1 || s->local[d] != 1 || s->offset[d] != 0))
		return err_set(err, ERR_FORMAT,
		               "launch shape: unused dimension %" PRIu32
		               ": expected sizes 1 and offset 0",
		               d);
	return 0;
}

int launch_shape_check(const struct launch_shape *s, struct err *err)
{
	uint64_t items = 1, group = 1, groups = 1;

	if (s->dimensions < 1 || s->dimensions > 3)
		return err_set(err, ERR_FORMAT,
		               "launch shape: %" PRIu32 " dimensions, expected 1..3",
		               s->dimensions);
	for (uint32_t d = 0; d < 3; d++) {
		int ret = check_dimension(s, d, err);

		if (ret)
			return ret;
		if (__builtin_mul_overflow(group, s->local[d], &group) || group > GROUP_ITEMS_MAX)
			return err_set(err, ERR_FORMAT,
			               "launch shape: a group has more than %" PRIu64 " work-items",
			               GROUP_ITEMS_MAX);
		if (__builtin_mul_overflow(items, s->global[d], &items) || items > INT64_MAX ||
		    __builtin_mul_overflow(groups, launch_shape_groups(s, (int)d), &groups))
			return err_set(err, ERR_FORMAT,
			               "launch shape: the work-items do not fit in 63 bits");
	}
	return 0;
}

uint64_t launch_shape_groups(const struct launch_shape *s, int d)
{
	return (s->global[d] - 1) / s->local[d] + 1;
}

uint64_t launch_shape_group_count(const struct launch_shape *s)
{
	return launch_shape_groups(s, 0) * launch_shape_groups(s, 1) * launch_shape_groups(s, 2);
}

/* Returns the first work-item of group g in each dimension, without the offset. */
static void group_origin(const struct launch_shape *s, uint64_t g, uint64_t origin[3])
{
	for (int d = 0; d < 3; d++) {
		uint64_t n = launch_shape_groups(s, d);

		origin[d] = g % n * s->local[d];
		g /= n;
	}
}

uint32_t launch_shape_group_size(const struct launch_shape *s, uint64_t g, uint32_t size[3])
{
	uint64_t origin[3];

	group_origin(s, g, origin);
	for (int d = 0; d < 3; d++) {
		uint64_t left = s->global[d] - origin[d];

		size[d] = (uint32_t)(left < s->local[d] ? left : s->local[d]);
	}
	return size[0] * size[1] * size[2];
}

void launch_shape_global_id(const struct launch_shape *s, uint64_t g, uint32_t item, uint64_t id[3])
{
	uint32_t size[3];

	launch_shape_group_size(s, g, size);
	group_origin(s, g, id);
	for (int d = 0; d < 3; d++) {
		id[d] += s->offset[d] + item % size[d];
		item /= size[d];
	}
}
