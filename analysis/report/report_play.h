/*
 * report_play - the replay of a launch for report_data: its observers, and what they add to the
 * sums (private to analysis/report).
 */
#ifndef REPORT_PLAY_H
#define REPORT_PLAY_H

#include "report_data.h"
#include "reuse_counts.h"

#include <stdbool.h>

struct l1_stats;
struct launch_reuse;
struct miss_curve;
struct replay_options;
struct replay_result;

/* Maximum number of rows of sets, of all SMs together. */
enum { REPORT_SET_ROWS_MAX = 1 << 19 };

/* Reuse distances of the launches of a kernel: fully associative, and of the GPU's sets. */
enum { REPORT_WHOLE, REPORT_SETS, REPORT_ORGANISATIONS };

struct report_distances {
	struct reuse_counts counts[REPORT_ORGANISATIONS];
};

/* The observer of one SM's L1. */
struct report_observer;

/* The current launch, and what all launches share. Members that were not requested are NULL. */
struct report_play {
	struct report_data *data;
	const struct report_request *request;
	struct report_distances *distances; /* of each kernel of the recording */
	struct launch_reuse *launches;      /* NULL: a single launch */
	struct l1_stats_row *buffers;       /* row 0: not known; row n + 1: buffer n */
	struct report_kernel **kernels;     /* of each kernel of the recording: its row */
	uint32_t device;                    /* of the previous launch */
	struct report_kernel *kernel;       /* of the launch */
	size_t launch;
	struct l1_stats *stats;
	struct miss_curve *curve;
	struct line_sharing *sharing;
	struct report_observer *observers;
};

/*
 * Callbacks for struct player_visitor, with a struct report_play as the context. They add the
 * results of a launch to the row and sites of its kernel, the buffers and the distances, and fill
 * the row of the launch. Each returns 0 or what the rooms upstream return.
 */
int report_play_begin(void *play, size_t launch, struct replay_options *options, struct err *err);
int report_play_end(void *play, size_t launch, const struct replay_result *result, struct err *err);
void report_play_release(void *play);

/* Returns the row of a launch. */
struct report_launch *report_play_row(const struct report_play *p, size_t launch);

/* Add *more to *sum. */
void report_numbers_add(struct report_numbers *sum, const struct report_numbers *more);

#endif
