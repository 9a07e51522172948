/*
 * sweep_run - the sweep of one line size over the launches of a recording, and its cells as CSV.
 */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include "err.h"
#include "launch_choice.h"
#include "sweep.h"
#include "sweep_axes.h"

#include <stdio.h>

struct sweep_run {
	const struct recording *recording; /* borrowed, as all up to `options` */
	const struct sweep_axes *axes;
	const uint32_t *registers; /* of each kernel */
	struct launch_choice launches;
	struct replay_options options;
	struct gpu gpu;          /* with the line size */
	struct array geometries; /* struct sweep_geometry */
	struct sweep *sweep;
	size_t left_out;        /* geometries that the GPU cannot have; the first, */
	struct err why;         /* and what is wrong with it */
	size_t played, refused; /* launches; of those that the GPU cannot hold the first: */
	struct err refusal;
	bool is_whole;
	int ret; /* what sweep_run_play() came to */
	struct err err;
};

/* Find the geometries; the borrowed members and `gpu` are set. Returns 0, ERR_LIMIT, ERR_NOMEM, or
 * ERR_USAGE when there are none. Release it in every case. */
int sweep_run_init(struct sweep_run *r, struct err *err);
void sweep_run_release(struct sweep_run *r);

/* Play the launches; ret and err say how it went. Touches nothing but *r. */
void sweep_run_play(struct sweep_run *r);

/* Write the names of the columns, and a line for each cell: geometries in order, ascending ways. */
void sweep_run_head(FILE *out);
void sweep_run_write(const struct sweep_run *r, FILE *out);

#endif
