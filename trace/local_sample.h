/*
 * local_sample - in which work-groups of a launch accesses to local memory are recorded, where not
 * in all: FORMAT.md, section "Local memory of a sample".
 *
 * The launch's groups are cut into as many pieces as the kernel's table says, as equal as can be,
 * and of each piece one group is in the sample, by a number that depends on nothing but the
 * piece's. So the sample lies all over the launch, in step with no row of groups, and is the same
 * each time. A launch of no more groups is recorded whole, and so is one of which the user chose
 * groups.
 *
 * Plain arithmetic: no memory.
 */
#ifndef LOCAL_SAMPLE_H
#define LOCAL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#define LOCAL_SAMPLE_GROUPS 32u        /* that the recorder takes */
#define LOCAL_SAMPLE_MAX    (1u << 20) /* that a table may say */

struct local_sample {
	uint64_t groups; /* of the launch, at most 2^32 */
	uint32_t pieces; /* at most LOCAL_SAMPLE_MAX; 0: all groups are in it */
};

/*
 * The sample of a launch of so many groups. `wanted` is the table's local_groups; `is_chosen`: the
 * user chose groups.
 */
struct local_sample local_sample_of(uint32_t wanted, uint64_t groups, bool is_chosen);

/* Whether all groups are in it. */
bool local_sample_is_whole(const struct local_sample *s);

/* Whether group g of the launch is in it. */
bool local_sample_has(const struct local_sample *s, uint64_t g);

/* The least group >= `from` and < `end` that is in it, or `end`; `end` is at most the launch's. */
uint64_t local_sample_next(const struct local_sample *s, uint64_t from, uint64_t end);

/* How many groups are in it. */
uint64_t local_sample_count(const struct local_sample *s);

#endif
