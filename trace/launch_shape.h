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

#include <stdbool.h>
#include <stdint.h>

/*
 * local_sample - in which work-groups of a launch accesses to local memory are recorded, where not
 * in all: FORMAT.md, section "Local memory of a sample".
 *
 * The launch's groups are divided into as many pieces as the kernel's table says, as equal as
 * possible, and one group of each piece is in the sample, chosen by a number that depends only on
 * the piece's number. So the sample is spread over the whole launch, follows no row of groups, and
 * is the same each time. A launch with no more groups than pieces is recorded whole, and so is one
 * of which the user chose groups.
 *
 * Plain arithmetic: no memory.
 */

#define LOCAL_SAMPLE_GROUPS 32u        /* what the recorder takes */
#define LOCAL_SAMPLE_MAX    (1u << 20) /* the most that a table may have */

struct local_sample {
	uint64_t groups; /* of the launch, at most 2^32 */
	uint32_t pieces; /* at most LOCAL_SAMPLE_MAX; 0: all groups are in it */
};

/*
 * The sample of a launch of `groups` groups. `wanted` is the table's local_groups; `is_chosen`: the
 * user chose groups.
 */
struct local_sample local_sample_of(uint32_t wanted, uint64_t groups, bool is_chosen);

/* Whether all groups are in it. */
bool local_sample_is_whole(const struct local_sample *s);

/* Whether group g of the launch is in it. */
bool local_sample_has(const struct local_sample *s, uint64_t g);

/* The least group >= `from` and < `end` that is in it, or `end`; `end` is at most the launch's. */
uint64_t local_sample_next(const struct local_sample *s, uint64_t from, uint64_t end);

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

/* The work-items that exist in linear group g: size[3] gets the sizes; returns their product. */
uint32_t launch_shape_group_size(const struct launch_shape *s, uint64_t g, uint32_t size[3]);

/* Global id, with offset, of work-item `item` (linear) of group g. */
void launch_shape_global_id(const struct launch_shape *s, uint64_t g, uint32_t item,
                            uint64_t id[3]);

#endif
