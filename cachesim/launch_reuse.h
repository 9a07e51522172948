/*
 * launch_reuse - how much of a launch's data the launches just before it already had, in the same
 * work-group: one kernel instead of both would keep it.
 *
 * Launches that could be one form a chain: each comes right after the one before, on the same
 * device, and no work-group needs what another one has written, or writes what another one has
 * accessed, in an earlier launch of the chain. A launch of a kernel with the pointers of one
 * already in the chain is a repetition, as for measuring its time: it begins a new chain. A chain
 * has at most LAUNCH_CHAIN_MAX launches. Two groups are the same if they have the same number in
 * launches of one shape or, in launches of one dimension, if both have work-items of the same
 * numbers.
 *
 * Two things could be saved. Reads: data that a group reads, and did not write itself before, is
 * read again if the same group has read or written it in an earlier launch of the chain. This
 * counts the group's first request for a line, and the bytes that came from L2 for it, in
 * proportion. Writes: data that a launch has written need not be stored if later launches of the
 * chain read it, in the same groups, and no launch outside the chain does before it is overwritten
 * or the recording ends. Whether the host reads it is unknown.
 *
 * It uses the samples of lines that line_sharing.h takes of each launch, and keeps the lines that
 * are in all of them; numbers are scaled to the whole launch. A line that more than
 * LAUNCH_LINE_GROUPS groups of a launch access counts as not read again, and if it is written as
 * well, groups count as needing each other. One thread.
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

/* The possible savings of a site, in requests and in bytes between L1 and L2. */
struct launch_saving {
	double requests, bytes;
};

/* The link of a kernel to a site of an earlier launch. Sites of all kernels, numbered by the
 * caller. */
struct launch_link {
	uint32_t site;
	double bytes_read;           /* that this site has accessed and the kernel reads again */
	struct launch_saving writes; /* of this site, because of this kernel alone */
};

/* The next launch. Everything is borrowed for the call. */
struct launch_step {
	uint32_t kernel;     /* below the number passed to launch_reuse_create() */
	uint32_t first_site; /* the caller's number of its first one */
	const struct kernel_table *table;
	const struct launch_shape *shape;
	const struct l1_stats_row *rows; /* of its sites, of this launch */
	uint64_t identity;               /* of the kernel and its pointers: a hash */
	bool is_apart;                   /* it begins a chain in any case */
	bool is_after_unknown; /* it begins a chain, and earlier data may have been read */
};

/* For launches of this many kernels. Free with launch_reuse_free(). Returns 0 or ERR_NOMEM. */
int launch_reuse_create(struct launch_reuse **out, size_t kernel_count, struct err *err);

/* Free. NULL is allowed. */
void launch_reuse_free(struct launch_reuse *r);

/* Add a launch and its places. What its reads repeat is added to the rows of its sites. Returns
 * 0 or ERR_NOMEM. */
int launch_reuse_launch(struct launch_reuse *r, const struct launch_step *step,
                        const struct line_places *places, struct launch_saving *sites,
                        struct err *err);

/* End after the last launch: no launch reads what has been written so far, unless unknown
 * launches follow. Returns 0 or ERR_NOMEM. */
int launch_reuse_end(struct launch_reuse *r, bool is_before_unknown, struct err *err);

/* The links of a kernel, *count of them, valid until launch_reuse_free(). */
const struct launch_link *launch_reuse_links(const struct launch_reuse *r, uint32_t kernel,
                                             size_t *count);

#endif
