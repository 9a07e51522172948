/*
 * record_report - what `warpline record` says when the program is done; on stderr, since stdout is
 * the program's.
 */
#ifndef RECORD_REPORT_H
#define RECORD_REPORT_H

#include <stdbool.h>

enum record_loudness {
	RECORD_QUIET, /* only what is wrong or missing */
	RECORD_NORMAL,
	RECORD_VERBOSE, /* each kernel too */
};

struct record_talk {
	enum record_loudness loudness;
	bool is_cost; /* what recording took its time for, too */
};

/*
 * Report on the recording `dir`; returns whether it has launches, and sets *is_full when something
 * is missing because a disk is full. Failures are told, not returned: the program ran, and its
 * status is the answer.
 */
bool record_report(const char *dir, const struct record_talk *talk, bool *is_full);

/* Whether a reason why something was not recorded is that a disk is full, a quota or a limit of the
 * size of files reached. */
bool record_report_is_full(const char *reason);

#endif
