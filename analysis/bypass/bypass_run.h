/*
 * bypass_run - replays the launches of a recording with bypass lists and adds up the results.
 *
 * Kernels of one name are one kernel, as in a list. A kernel is first measured with nothing
 * bypassed, with the observer of address_use.h; then bypass_run_measure() is the bypass_measure_fn
 * of its judge. It replays the launches with all given lists in options.jobs threads; results do
 * not depend on their number.
 */
#ifndef BYPASS_RUN_H
#define BYPASS_RUN_H

#include "array.h"
#include "bypass_known.h"
#include "bypass_measure.h"
#include "player.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_use;
struct bypass_list;
struct gpu;
struct kernel_table;
struct recording;
struct work_watch;

/* Maximum of options.jobs. */
enum { BYPASS_RUN_JOBS_MAX = 256 };

/* For all kernels. The caller sets the first five. */
struct bypass_run {
	const struct recording *recording; /* borrowed, as the next two */
	const struct gpu *gpu;
	const uint32_t *registers;     /* of each kernel */
	struct replay_options options; /* jobs: threads in total; no list */
	struct work_watch *watch;      /* gets kernels and replays; borrowed; may be NULL */
	uint64_t replays;              /* of launches with a list */
	uint64_t lists;                /* lists replayed, counted for each kernel */
	uint64_t launches;             /* replayed */
	struct player_outcome outcome;
};

struct bypass_kernel {
	struct bypass_run *run; /* borrowed, like the members up to `table` */
	const char *name;
	const struct kernel_table *table; /* of the first kernel with the name */
	uint32_t kernel;                  /* its index */
	struct array launches;            /* size_t: indexes of launches that the GPU can hold */
	uint32_t warps;                   /* of a group, at most */
	uint32_t groups, least_groups;    /* maximum and minimum resident on an SM */
	struct address_use *use;
	struct bypass_known known;
	struct bypass_measure cache_all;
	struct bypass_measure without_bandwidth; /* cache_all as report replays it; only with
	                                            bandwidth = on */
};

/*
 * Fill *kernels (struct bypass_kernel) with the kernels of the chosen launches, in the order of
 * their first launches. They keep a pointer to *run. Returns 0, ERR_LIMIT or ERR_NOMEM. Release
 * each.
 */
int bypass_run_kernels(struct bypass_run *run, const struct launch_choice *choice,
                       struct array *kernels, struct err *err);
void bypass_kernel_release(struct bypass_kernel *k);

/*
 * Measure the kernel with nothing bypassed: fills cache_all and use. Launches that the GPU cannot
 * hold are counted and dropped, unless `is_one`: that is an error, as it is in replay. Returns 0 or
 * what replay_launch() returns.
 */
int bypass_kernel_begin(struct bypass_kernel *k, bool is_one, struct err *err);

/* Measure lists of a kernel (struct bypass_kernel) after bypass_kernel_begin(). Returns 0 or what
 * replay_launch() returns; of several failures, that of the first launch of the first list. */
int bypass_run_measure(void *kernel, const struct bypass_list *const *lists, size_t count,
                       struct bypass_measure *out, struct err *err);

#endif
