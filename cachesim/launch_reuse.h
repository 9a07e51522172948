/*
 * launch_reuse - what a launch accesses of what launches just before it had, in the same
 * work-group: one kernel in place of both would keep it.
 *
 * Launches that could be one are a chain: each comes right after the one before, is of the same
 * device, and no work-group needs what another one has written, or writes what another one has
 * accessed, in an earlier launch of the chain. A launch of a kernel with the pointers of one that
 * is in the chain already is a repetition, as for measuring its time: it begins a chain. A chain
 * has at most LAUNCH_CHAIN_MAX launches. Two groups are the same when they have the same number in
 * launches of one shape, or, where both launches have one dimension, if work-items of the same
 * numbers are in both.
 *
 * Two things could be saved. What a group reads, and did not write itself before, is read again if
 * the same group has read or written it in an earlier launch of the chain: the first request of the
 * group for a line, and what came from L2 for it, in proportion to its bytes. What a launch has
 * written is kept if later launches of the chain read it, in the same groups, and none beyond the
 * chain does before it is overwritten or the recording ends. Nobody knows whether the host reads
 * it.
 *
 * It looks at the samples of lines that line_sharing.h takes of each launch, of which it keeps what
 * all of them have; numbers are scaled to the whole launch. A line that more than
 * LAUNCH_LINE_GROUPS groups of a launch access is read by none again, and if it is written as well,
 * groups need each other. One thread.
 *
 * Memory: at most 20 MB.
 */
#ifndef LAUNCH_REUSE_H
#define LAUNCH_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;
struct l1_stats_row;
struct launch_reuse;
struct launch_shape;
struct line_places;

enum { LAUNCH_CHAIN_MAX = 8, LAUNCH_LINE_GROUPS = 32 };

/* What could be saved of a site, in requests and in bytes between L1 and L2. */
struct launch_saving {
	double requests, bytes;
};

/* What a kernel has to do with a site of an earlier launch. Sites are of any kernel, by a number of
 * the caller's. */
struct launch_link {
	uint32_t site;
	double bytes_read;           /* that this site has accessed and the kernel reads again */
	struct launch_saving writes; /* of this site, for the kernel alone */
};

/* The next launch. All is borrowed for the call. */
struct launch_step {
	uint32_t kernel;     /* below the number that was given */
	uint32_t first_site; /* the caller's number of its first one */
	const struct kernel_table *table;
	const struct launch_shape *shape;
	const struct l1_stats_row *rows; /* of its sites, of this launch */
	uint64_t identity;               /* of the kernel and its pointers: a hash */
	bool is_apart;                   /* it begins a chain, whatever it does */
	bool is_after_unknown;           /* so it does, and what was there may have been read */
};

/* For launches of so many kernels. Free with launch_reuse_free(). Returns 0 or ERR_NOMEM. */
int launch_reuse_create(struct launch_reuse **out, size_t kernel_count, struct err *err);

/* Free. NULL is allowed. */
void launch_reuse_free(struct launch_reuse *r);

/* A launch, and its places. What its reads repeat is added to the rows of its sites. Returns 0 or
 * ERR_NOMEM. */
int launch_reuse_launch(struct launch_reuse *r, const struct launch_step *step,
                        const struct line_places *places, struct launch_saving *sites,
                        struct err *err);

/* That was the last one: no launch reads what it and those before have written, unless unknown ones
 * come after it. Returns 0 or ERR_NOMEM. */
int launch_reuse_end(struct launch_reuse *r, bool is_before_unknown, struct err *err);

/* The links of a kernel, *count of them, until launch_reuse_free(). */
const struct launch_link *launch_reuse_links(const struct launch_reuse *r, uint32_t kernel,
                                             size_t *count);

#endif
