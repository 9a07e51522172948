/*
 * launch_shape - the NDRange of a launch, and how ids become linear.
 *
 * Work-group g = gx + gy*nx + gz*nx*ny; local id = x + y*Lx + z*Lx*Ly (SEMANTICS 2).
 * Unused dimensions have size 1 and offset 0. The last group of a dimension may have fewer
 * work-items (non-uniform groups): its local size is the remainder, as get_local_size() returns.
 */
#ifndef LAUNCH_SHAPE_H
#define LAUNCH_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * local_sample - the work-groups of a launch in which accesses to local memory are recorded, if not
 * in all: FORMAT.md, section "Local memory of a sample".
 *
 * The kernel's table gives the number of pieces into which the launch's groups are divided as
 * equally as possible. One group of each piece is in the sample, chosen by a hash of the piece's
 * number. So the sample is spread over the whole launch, follows no row of groups, and is
 * reproducible. A launch with no more groups than pieces is recorded whole, and so is one whose
 * groups the user chose.
 *
 * Only arithmetic, without allocations.
 */

#define LOCAL_SAMPLE_GROUPS 32u        /* the recorder's default */
#define LOCAL_SAMPLE_MAX    (1u << 20) /* maximum of a table */

struct local_sample {
	uint64_t groups; /* of the launch, at most 2^32 */
	uint32_t pieces; /* at most LOCAL_SAMPLE_MAX; 0: all groups are in it */
};

/*
 * Returns the sample of a launch with `groups` groups. `wanted` is the table's local_groups;
 * `is_chosen`: the user chose groups.
 */
struct local_sample local_sample_of(uint32_t wanted, uint64_t groups, bool is_chosen);

/* Whether all groups are in the sample. */
bool local_sample_is_whole(const struct local_sample *s);

/* Whether group g of the launch is in the sample. */
bool local_sample_has(const struct local_sample *s, uint64_t g);

/* Returns the least group of the sample in [from, end), or `end`, which is at most the launch's
 * number of groups. */
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

/* Return the number of groups in dimension d (0..2), and in total. The shape must have passed the
 * check. */
uint64_t launch_shape_groups(const struct launch_shape *s, int d);
uint64_t launch_shape_group_count(const struct launch_shape *s);

/* Get the size of linear group g in size[3]. Returns the product, its number of work-items. */
uint32_t launch_shape_group_size(const struct launch_shape *s, uint64_t g, uint32_t size[3]);

/* Get the global id, with offset, of work-item `item` (linear) of group g. */
void launch_shape_global_id(const struct launch_shape *s, uint64_t g, uint32_t item,
                            uint64_t id[3]);

#endif
