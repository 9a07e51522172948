/*
 * diff_judge - whether B is worse than A by more than may be: --fail-above, --fail-on, --fail-by.
 *
 * A metric of which B has more than A's * (1 + PERCENT / 100) is a regression; where A has none,
 * any that B has. It is looked for in the sum of all launches, and with --fail-by kernel in each
 * kernel as well; one that only B has is new, and no regression but in the sum.
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

/* Read the options, of which each may be NULL. Returns 0 or ERR_USAGE; release in every case. */
int diff_judge_init(struct diff_judge *j, const char *above, const char *on, bool is_by_kernel,
                    struct err *err);
void diff_judge_release(struct diff_judge *j);

/* Look for regressions. Returns 0 or ERR_NOMEM. */
int diff_judge_look(struct diff_judge *j, const struct diff *d, struct err *err);

#endif
