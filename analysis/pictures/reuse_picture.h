/*
 * reuse_picture - how far apart the reads of a line are, and how often a line is read before it
 * leaves L1: the numbers of `replay --stats distances,reuse`, of all launches that are replayed, in
 * the bars of three histograms.
 */
#ifndef REUSE_PICTURE_H
#define REUSE_PICTURE_H

#include "l1_stats.h"
#include "player.h"
#include "plot_bins.h"
#include "reuse_counts.h"

struct err;
struct miss_curve;

struct reuse_picture {
	struct player player;                  /* what was replayed */
	const struct reuse_counts *full, *set; /* distances in lines of the SM, and of the set */
	struct l1_stats_reuse lines;
	struct miss_curve *curve; /* which has the distances */
	struct l1_stats *l1;      /* of the launch at work */
};

/* Replay the launches of `player`, all of which is set but the observers. Release in every case.
 * Returns 0, ERR_NOMEM, or as miss_curve_create() and player_play(). */
int reuse_picture_make(struct reuse_picture *p, const struct player *player, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void reuse_picture_release(struct reuse_picture *p);

/* Bars of distances in lines of the SM and of the set, with an edge at what L1 holds; bars of the
 * further reads of a line. */
void reuse_picture_full_bins(const struct reuse_picture *p, struct plot_bins *bins);
void reuse_picture_set_bins(const struct reuse_picture *p, struct plot_bins *bins);
void reuse_picture_use_bins(const struct reuse_picture *p, struct plot_bins *bins);

#endif
