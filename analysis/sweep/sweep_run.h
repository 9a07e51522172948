/*
 * sweep_run - the sweep of a recording's launches: a run for each line size and policy, and the
 * threads that make them.
 *
 * Where one pass can do all caches of a run (sweep.h), that is one task. Otherwise each cell is a
 * task, a replay of the recording with that cache: other policies, sectors, writes that allocate,
 * and whatever is replayed with latency. Tasks run at the same time.
 */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include "player.h"
#include "sweep.h"
#include "sweep_axes.h"

#include <pthread.h>
#include <stdatomic.h>

/* Cells that are replayed one by one, at most. */
#define SWEEP_CELLS_MAX (1u << 16)

struct sweep_cell {
	struct counters counters;
	bool is_there; /* the GPU can have it */
};

enum { SWEEP_JOBS_MAX = 64 };

struct sweep_run {
	const struct sweep_axes *axes;
	struct player player; /* of its tasks; with the line size, policy and latency in: */
	struct gpu gpu;
	struct array geometries;  /* struct sweep_geometry */
	struct sweep *sweep;      /* NULL: one by one, */
	struct sweep_cell *cells; /* by geometry, then by ways */
	size_t task_count;
	size_t left_out;       /* geometries that the GPU cannot have; the first, */
	struct err why;        /* and what is wrong with it */
	pthread_mutex_t lock;  /* of what follows, which the tasks come to */
	size_t cells_left_out; /* that the policy cannot have, and why for the first */
	struct err cell_why;
	size_t played; /* launches */
	struct player_outcome outcome;
	int ret;
	struct err err;
};

/* All line sizes with all policies. Stays where it is. */
struct sweep_runs {
	struct sweep_axes axes; /* set by the caller */
	struct sweep_run *runs; /* by line size, then by policy */
	size_t run_count, task_count;
	atomic_size_t next; /* task */
};

/* Find the geometries. All of `player` is set, with the GPU that is varied; what it points to is
 * borrowed. With `jobs` threads; where there are fewer tasks, SMs of a task take the others.
 * Returns 0, ERR_LIMIT, ERR_NOMEM, or ERR_USAGE when there is no geometry. Release in every case.
 */
int sweep_runs_init(struct sweep_runs *all, const struct player *player, uint64_t jobs,
                    struct err *err);
void sweep_runs_release(struct sweep_runs *all);

/* Run all tasks with up to `jobs` (<= SWEEP_JOBS_MAX) threads, this one among them. Returns 0 or
 * the first error. */
int sweep_runs_play(struct sweep_runs *all, uint64_t jobs, struct err *err);

/* The counters of a cell, and whether there is one; `way` is an index of the axis. */
bool sweep_run_cell(const struct sweep_run *r, size_t geometry, size_t way, struct counters *out);

#endif
