/*
 * played_launch - a launch that was replayed, and the rows of its tables (private to this room).
 */
#ifndef PLAYED_LAUNCH_H
#define PLAYED_LAUNCH_H

#include "replay.h"
#include "stats_row.h"

struct err;
struct l1_stats;
struct recorded_launch;
struct recording;

/* Tables that are made of statistics. */
enum played_list { PLAYED_LINES, PLAYED_BUFFERS, PLAYED_ARGUMENTS, PLAYED_SETS, PLAYED_LISTS };

/* Zeroed: none. */
struct played_launch {
	const struct recording *recording; /* borrowed */
	const struct recorded_launch *launch;
	const struct kernel_table *table;
	struct replay_result result;
	bool has_classes;
	struct l1_stats *stats; /* NULL: none were asked for; so are `rows` */
	struct stats_row *rows[PLAYED_LISTS];
	size_t row_counts[PLAYED_LISTS];
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
