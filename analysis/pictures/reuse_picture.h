/*
 * reuse_picture - three histograms of how far apart the reads of a line are, and how often a line
 * is read before it leaves L1: the numbers of `replay --stats distances,reuse` for all replayed
 * launches.
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
	struct player player;                  /* with the results of the replay */
	const struct reuse_counts *full, *set; /* distances in lines of the SM, and of the set */
	struct l1_stats_reuse lines;
	struct miss_curve *curve; /* has the distances */
	struct l1_stats *l1;      /* of the current launch */
};

/* Replay the launches of `player`, of which the caller sets all except the observers. Release in
 * every case. Returns 0, ERR_NOMEM, or as miss_curve_create() and player_play(). */
int reuse_picture_make(struct reuse_picture *p, const struct player *player, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void reuse_picture_release(struct reuse_picture *p);

/* Make the bars of distances in lines of the SM and of the set, with an edge at the capacity of L1,
 * and the bars of the further reads of a line. */
void reuse_picture_full_bins(const struct reuse_picture *p, struct plot_bins *bins);
void reuse_picture_set_bins(const struct reuse_picture *p, struct plot_bins *bins);
void reuse_picture_use_bins(const struct reuse_picture *p, struct plot_bins *bins);

#endif
