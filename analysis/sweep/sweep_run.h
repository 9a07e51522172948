/*
 * sweep_run - the sweep of one line size and policy over the launches of a recording.
 *
 * Where one pass can do all caches (sweep.h) that is one task. Otherwise each cell is a task of its
 * own, a replay of the recording with that cache: other policies, sectors, writes that allocate,
 * and whatever is played with latency. Tasks can be played at the same time.
 */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include "player.h"
#include "sweep.h"
#include "sweep_axes.h"

#include <pthread.h>

/* Cells that are replayed one by one, at most. */
#define SWEEP_CELLS_MAX (1u << 16)

struct sweep_cell {
	struct counters counters;
	bool is_there; /* the GPU can have it */
};

struct sweep_run {
	const struct recording *recording; /* borrowed, as all up to `options` */
	const struct sweep_axes *axes;
	const uint32_t *registers; /* of each kernel */
	struct launch_choice launches;
	struct replay_options options;
	struct gpu gpu;           /* with line size, policy and latency */
	struct array geometries;  /* struct sweep_geometry */
	struct sweep *sweep;      /* NULL: one by one, */
	struct sweep_cell *cells; /* by geometry, then by ways */
	size_t task_count;
	size_t left_out;       /* geometries that the GPU cannot have; the first, */
	struct err why;        /* and what is wrong with it */
	pthread_mutex_t lock;  /* of what follows, which the tasks come to */
	size_t cells_left_out; /* that the policy cannot have, likewise */
	struct err cell_why;
	size_t played; /* launches */
	struct player_outcome outcome;
	int ret;
	struct err err;
};

/* Find the geometries; the borrowed members and `gpu` are set. Returns 0, ERR_LIMIT, ERR_NOMEM, or
 * ERR_USAGE when there are none. Release it in every case. */
int sweep_run_init(struct sweep_run *r, struct err *err);
void sweep_run_release(struct sweep_run *r);

/* Play the launches for task 0 .. task_count - 1; ret and err say how it went. From any thread;
 * touches nothing but *r. */
void sweep_run_play(struct sweep_run *r, size_t task);

/* The counters of a cell, and whether there is one; `way` is an index of the axis. */
bool sweep_run_cell(const struct sweep_run *r, size_t geometry, size_t way, struct counters *out);

#endif
