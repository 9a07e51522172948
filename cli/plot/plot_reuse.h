/*
 * plot_reuse - `plot --what reuse`: how far apart the reads of a line are, and how often a line is
 * read before it leaves: the numbers of `replay --stats distances,reuse`, of all launches played.
 */
#ifndef PLOT_REUSE_H
#define PLOT_REUSE_H

#include "player.h"
#include "plot_bins.h"
#include "plot_job.h"

#include "l1_stats.h"
#include "reuse_counts.h"

/* What is drawn. */
struct plot_reuse {
	const struct plot_job *job;
	struct player player;
	const struct reuse_counts *full, *set; /* over the lines of an SM, over those of a set */
	struct l1_stats_reuse lines;
	char *titles;
};

plot_write_fn plot_reuse_write;

/* Bars of distances of the one or the other, with an edge at what L1 holds; of further uses. */
void plot_reuse_full_bins(const struct plot_reuse *p, struct plot_bins *bins);
void plot_reuse_set_bins(const struct plot_reuse *p, struct plot_bins *bins);
void plot_reuse_use_bins(const struct plot_reuse *p, struct plot_bins *bins);

/* "replaced", ...: why lines left, by enum l1_leave. */
const char *plot_reuse_reason(size_t reason);

void plot_reuse_script(const struct plot_reuse *reuse, FILE *out);

#endif
