/*
 * stats_choice - the options of the statistics of `replay`: --stats, --top and --window.
 */
#ifndef STATS_CHOICE_H
#define STATS_CHOICE_H

#include "options.h"

struct err;
struct stats_run;

/* In the command's settings. */
struct stats_choice {
	const char *sections; /* "lines,sets", or NULL: none */
	struct option_number top, window;
};

/* Begin *s with what the options say; there is no launch yet. Returns 0, or ERR_USAGE with the
 * option in front. */
int stats_choice_read(const struct stats_choice *c, struct stats_run *s, struct err *err);

#endif
