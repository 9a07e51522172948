/*
 * sweep_run - sweeps a recording's launches: a run for each line size and policy, with several
 * threads.
 *
 * If one pass can simulate all caches of a run (sweep.h), that is one task. Otherwise, as for other
 * policies, sectors, write allocation and latency, each cell is a task: a replay of the recording
 * with that cache. Tasks run in parallel.
 */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include "player.h"
#include "sweep.h"
#include "sweep_axes.h"

#include <pthread.h>
#include <stdatomic.h>

/* Maximum number of cells that are replayed one by one. */
#define SWEEP_CELLS_MAX (1u << 16)

struct sweep_cell {
	struct counters counters;
	bool is_there; /* the GPU can have this cache */
};

enum { SWEEP_JOBS_MAX = 64 };

struct sweep_run {
	const struct sweep_axes *axes;
	struct player player; /* of its tasks; line size, policy and latency are in: */
	struct gpu gpu;
	struct array geometries;  /* struct sweep_geometry */
	struct sweep *sweep;      /* NULL: cells are replayed one by one, */
	struct sweep_cell *cells; /* these, by geometry, then by ways */
	size_t task_count;
	size_t left_out;       /* geometries that the GPU cannot have, */
	struct err why;        /* and the reason for the first */
	pthread_mutex_t lock;  /* guards the following, which tasks share */
	size_t cells_left_out; /* that the policy cannot have, and the reason for the first */
	struct err cell_why;
	size_t played; /* launches */
	struct player_outcome outcome;
	int ret;
	struct err err;
};

/* All line sizes with all policies. Must not be moved. */
struct sweep_runs {
	struct sweep_axes axes; /* set by the caller */
	struct sweep_run *runs; /* by line size, then by policy */
	size_t run_count, task_count;
	atomic_size_t next; /* task */
};

/* Find the geometries. The caller sets all of `player`, with the GPU to vary; its pointers are
 * borrowed. With `jobs` threads; if there are fewer tasks, the SMs of a task use the others.
 * Returns 0, ERR_LIMIT, ERR_NOMEM, or ERR_USAGE when there is no geometry. Release in every case.
 */
int sweep_runs_init(struct sweep_runs *all, const struct player *player, uint64_t jobs,
                    struct err *err);
void sweep_runs_release(struct sweep_runs *all);

/* Run all tasks with up to `jobs` (<= SWEEP_JOBS_MAX) threads, including this one. Returns 0 or the
 * first error. */
int sweep_runs_play(struct sweep_runs *all, uint64_t jobs, struct err *err);

/* Get the counters of a cell; false: it does not exist. `way` is an index of the axis. */
bool sweep_run_cell(const struct sweep_run *r, size_t geometry, size_t way, struct counters *out);

#endif
