/*
 * plot_launches - plays the launches that a picture is of, one after another, and knows what to say
 * of them.
 */
#ifndef PLOT_LAUNCHES_H
#define PLOT_LAUNCHES_H

#include "plot_job.h"

#include "counters.h"

struct plot_launches {
	const struct plot_job *job; /* borrowed */
	/* What was played: */
	size_t played, kernels;
	size_t first;       /* the index of the first one */
	struct counters l1; /* what replay says of these launches */
	uint64_t beside;    /* requests of those that went through read-only caches */
	struct plot_outcome outcome;
};

/* What is done before a launch is played (may be NULL; it sets the callbacks in options) and when
 * it has been. Both return 0 or an error. */
struct plot_launches_visitor {
	void *context;
	int (*begin)(void *context, size_t launch, struct replay_options *options, struct err *err);
	int (*end)(void *context, size_t launch, struct err *err);
};

/* The choice of job->launch alone. */
struct launch_choice plot_launches_one(const struct plot_job *job);

/* None yet. */
void plot_launches_init(struct plot_launches *p, const struct plot_job *job);

/* Play all traced launches of job->launches, on job->gpu. One that the GPU cannot hold is counted,
 * and the others are played, if all were asked for. Returns 0 or the first error. */
int plot_launches_play(struct plot_launches *p, const struct plot_launches_visitor *visitor,
                       struct err *err);

/* After the rest has been written: 0, or ERR_CONFIG that says how many were refused, and why. */
int plot_outcome_verdict(const struct plot_outcome *o, const struct gpu *gpu, struct err *err);

#endif
