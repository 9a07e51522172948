/*
 * diff_judge - whether B is worse than A by more than allowed: --fail-above, --fail-on, --fail-by.
 *
 * A metric is a regression if B's exceeds A's by more than PERCENT percent; if A's is 0, any of B's
 * does. It is judged in the sum of all launches and, with --fail-by kernel, in each kernel as well.
 * A kernel that only B has counts only in the sum.
 */
#ifndef DIFF_JUDGE_H
#define DIFF_JUDGE_H

#include "array.h"
#include "diff_compare.h"

struct err;

struct diff_judge {
	bool is_wanted; /* --fail-above was given */
	bool is_by_kernel;
	double percent;
	bool is_judged[DIFF_METRICS];
	struct array found; /* struct diff_regression */
};

struct diff_regression {
	const struct diff_row *row; /* borrowed from the diff */
	bool is_total;
	enum diff_metric metric;
};

/* Read the options; each string may be NULL. Returns 0 or ERR_USAGE. Release in every case. */
int diff_judge_init(struct diff_judge *j, const char *above, const char *on, bool is_by_kernel,
                    struct err *err);
void diff_judge_release(struct diff_judge *j);

/* Look for regressions. Returns 0 or ERR_NOMEM. */
int diff_judge_look(struct diff_judge *j, const struct diff *d, struct err *err);

#endif
