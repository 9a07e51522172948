/*
 * site_sums - all that is counted of a site, or of several, over the launches of a replay.
 *
 * A plain struct. Adding a kind of statistics: a member here, and its sum in site_sums_add().
 */
#ifndef SITE_SUMS_H
#define SITE_SUMS_H

#include "access_pattern.h"
#include "l1_stats.h"
#include "launch_reuse.h"
#include "line_sharing.h"
#include "reuse_counts.h"
#include "side_counts.h"

struct site_sums {
	struct l1_stats_row l1;
	struct access_pattern pattern;
	struct line_share sharing;
	uint64_t atomic_waits;      /* turns that atomics wait for others on their word */
	struct launch_saving again; /* of what launches before it had */
	struct side_counts side;
	struct reuse_bins distances; /* fully associative */
};

/* Add every member of *more to *sum. */
void site_sums_add(struct site_sums *sum, const struct site_sums *more);

#endif
