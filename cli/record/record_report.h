/*
 * record_report - the report of `warpline record` at the end of the program; on stderr, because
 * stdout is the program's.
 */
#ifndef RECORD_REPORT_H
#define RECORD_REPORT_H

#include <stdbool.h>

enum record_loudness {
	RECORD_QUIET, /* only problems */
	RECORD_NORMAL,
	RECORD_VERBOSE, /* with each kernel */
};

struct record_talk {
	enum record_loudness loudness;
	bool is_cost; /* with what recording spent its time on */
};

/*
 * Report on the recording `dir`. Returns whether it has launches, and sets *is_full if something is
 * missing because a disk is full. Failures are printed, not returned: the program ran, and its exit
 * status is the result.
 */
bool record_report(const char *dir, const struct record_talk *talk, bool *is_full);

/* Whether the reason for which something was not recorded is a full disk, a quota, or a limit on
 * the size of files. */
bool record_report_is_full(const char *reason);

#endif
