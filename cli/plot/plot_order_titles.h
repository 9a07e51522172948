/*
 * plot_order_titles - what is written over a picture of the order of access: kernel, launch, GPU,
 * order, and what part of the accesses it shows.
 */
#ifndef PLOT_ORDER_TITLES_H
#define PLOT_ORDER_TITLES_H

#include "plot_job.h"
#include "plot_picture.h"

struct plot_order_facts {
	uint64_t chosen;   /* accesses that --group, --sm and --buffer leave */
	uint64_t from, to; /* of which these are drawn */
	const struct schedule_result *schedule;
	bool is_whole; /* the launch's file lacks nothing */
};

/* Set p->titles and those of its panels. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int plot_order_titles(struct plot_picture *p, const struct plot_job *job,
                      const struct plot_order_facts *facts, struct err *err);

#endif
