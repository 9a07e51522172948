/*
 * played_launch - a launch that was replayed, and the rows of its tables (private to this room).
 */
#ifndef PLAYED_LAUNCH_H
#define PLAYED_LAUNCH_H

#include "replay.h"
#include "sum_rows.h"

struct err;
struct recorded_launch;
struct recording;

/* The first of sum_rows.h's kinds are tables. */
enum { PLAYED_SUMS = SUM_SETS + 1 };

/* Zeroed: none. */
struct played_launch {
	const struct recording *recording; /* borrowed */
	const struct recorded_launch *launch;
	const struct kernel_table *table;
	struct replay_result result;
	bool has_classes;
	struct l1_stats *stats; /* NULL: none were asked for; `sums` are then empty */
	struct sum_rows sums[PLAYED_SUMS];
	size_t *sites; /* those that access memory */
	size_t site_count;
	size_t *sms; /* those that were played */
	size_t sm_count;
};

/* Take a result (in every case) and the statistics, which have ended. Returns 0 or ERR_NOMEM;
 * release it in every case. */
int played_launch_init(struct played_launch *p, const struct recording *r, size_t launch,
                       struct replay_result *result, struct l1_stats *stats, struct err *err);
void played_launch_release(struct played_launch *p);

#endif
