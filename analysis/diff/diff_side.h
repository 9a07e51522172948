/*
 * diff_side - one of the two things that are compared: a recording and what a replay of it shows.
 */
#ifndef DIFF_SIDE_H
#define DIFF_SIDE_H

#include "replay_setup.h"
#include "report_data.h"

struct diff_side {
	struct recording *recording;
	struct replay_setup setup;
	struct report_data data;
};

/* Free what it owns. Accepts a zeroed struct. */
void diff_side_release(struct diff_side *s);

#endif
