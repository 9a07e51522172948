/*
 * launch_shape - the NDRange of a launch, and how ids become linear.
 *
 * Work-group g = gx + gy*nx + gz*nx*ny; local id likewise x + y*Lx + z*Lx*Ly
 * (SEMANTICS 2). Unused dimensions have size 1 and offset 0. In the last group
 * of a dimension fewer work-items may exist (non-uniform groups): there the
 * local size is what is left, as get_local_size() says.
 */
#ifndef LAUNCH_SHAPE_H
#define LAUNCH_SHAPE_H

#include <stdint.h>

struct err;

struct launch_shape {
	uint32_t dimensions; /* 1..3 */
	uint64_t global[3];  /* work-items, >= 1 */
	uint64_t local[3];   /* work-items of a full group, >= 1 */
	uint64_t offset[3];  /* global offset */
};

/*
 * Returns 0, or ERR_FORMAT when a size is 0, a group has more than 2^20 work-items, the number
 * of groups or work-items does not fit in 63 bits, or a global id does not fit in 64.
 */
int launch_shape_check(const struct launch_shape *s, struct err *err);

/* Number of groups in dimension d (0..2), and in all. The shape has passed the check. */
uint64_t launch_shape_groups(const struct launch_shape *s, int d);
uint64_t launch_shape_group_count(const struct launch_shape *s);

/* Work-items that exist in linear group g: sizes in size[3]; returns their product. */
uint32_t launch_shape_group_size(const struct launch_shape *s, uint64_t g, uint32_t size[3]);

/* Global id, with offset, of work-item `item` (linear) of group g. */
void launch_shape_global_id(const struct launch_shape *s, uint64_t g, uint32_t item,
                            uint64_t id[3]);

#endif
