/*
 * curve_run - replays launches for their miss-ratio curves.
 */
#ifndef CURVE_RUN_H
#define CURVE_RUN_H

#include "curve_set.h"
#include "player.h"

struct curve_run {
	struct curve_set set; /* with the GPU of the replays */
	struct player player; /* with the results of the replay */
	/* The only launch that was replayed; kernel NULL: several. */
	const char *kernel;
	uint64_t launch;    /* its number */
	double replay_rate; /* share of reads that miss in the replay */
};

/* Prepare the curves of a GPU. Returns as curve_set_init(). Release in every case.
 */
int curve_run_init(struct curve_run *run, const struct curve_gpu *gpu, bool is_exact,
                   struct err *err);
void curve_run_release(struct curve_run *run);

/* Replay the launches of `player`, of which the caller sets all except the observers, on the GPU of
 * the set. The kernel is borrowed from the recording. Returns 0 or as player_play(). */
int curve_run_play(struct curve_run *run, const struct player *player, struct err *err);

/* Returns the number of read requests replayed. */
uint64_t curve_run_reads(const struct curve_run *run);

#endif
