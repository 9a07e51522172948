/*
 * slice_box - a slice of a launch: consecutive work-groups that are also a box of the grid.
 *
 * So that one launch with a global offset runs them and get_global_id() is
 * right by itself. Boxes are whole planes, or whole rows of one plane, or a
 * part of one row. In the last group of a dimension fewer work-items may exist.
 */
#ifndef SLICE_BOX_H
#define SLICE_BOX_H

#include "launch_shape.h"

struct slice_box {
	uint64_t begin, end;         /* groups [begin, end), linear */
	uint64_t first[3], count[3]; /* in each dimension: first group, number of groups >= 1 */
};

/*
 * The largest box that begins with group `begin`, which the launch has, and holds at most `most`
 * >= 1 groups.
 */
struct slice_box slice_box_at(const struct launch_shape *shape, uint64_t begin, uint64_t most);

/*
 * What to launch: global offset and global size in work-items. Without a partial group the size
 * is a multiple of the local size.
 */
void slice_box_range(const struct slice_box *box, const struct launch_shape *shape,
                     uint64_t offset[3], uint64_t global[3]);

/* Work-items of the box in groups of lower number than g, which is one of its groups. */
uint64_t slice_box_items_before(const struct slice_box *box, const struct launch_shape *shape,
                                uint64_t g);

#endif
