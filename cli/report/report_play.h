/*
 * report_play - the replay of one launch for report_data: its observers, and the sums that they
 * leave (private to cli/report).
 */
#ifndef REPORT_PLAY_H
#define REPORT_PLAY_H

#include "report_data.h"
#include "reuse_counts.h"

#include <stdbool.h>

struct l1_stats;
struct miss_curve;
struct replay_options;
struct replay_result;

/* No more rows of sets than this, of all SMs together, are counted. */
enum { REPORT_SET_ROWS_MAX = 1 << 19 };

/* Reuse distances of the launches of a kernel: fully associative, and of the GPU's sets. */
enum { REPORT_WHOLE, REPORT_SETS, REPORT_ORGANISATIONS };

struct report_distances {
	struct reuse_counts counts[REPORT_ORGANISATIONS];
};

/* What one SM's L1 is told by. */
struct report_ear;

/* The launch at work, and what all of them share. What is not asked for is NULL. */
struct report_play {
	struct report_data *data;
	const struct report_request *request;
	struct report_distances *distances; /* of each kernel of the recording */
	struct l1_stats_row *buffers;       /* row 0: not known; row n + 1: buffer n */
	struct report_kernel *kernel;       /* of the launch */
	size_t launch;
	struct l1_stats *stats;
	struct miss_curve *curve;
	struct line_sharing *sharing;
	struct report_ear *ears;
};

/*
 * Play one traced launch, and add what it shows to its kernel's row and sites, the buffers and the
 * distances; what is of the launch alone goes to *row. Returns 0 or what the rooms upstream return:
 * nothing has been added then.
 */
int report_play_launch(struct report_play *p, struct report_kernel *kernel, size_t launch,
                       struct report_launch *row, struct err *err);

/* Free what the launch left. */
void report_play_release(struct report_play *p);

/* Add *more to *sum. */
void report_numbers_add(struct report_numbers *sum, const struct report_numbers *more);

#endif
