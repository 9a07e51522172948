/*
 * diff_choice - how the two sides of a diff are replayed.
 *
 * The options of A are those of replay; B's are the same but for those given with -b behind their
 * names. A GPU of its own has its own L1 configurations: with --gpu-b, --l1 is not B's.
 */
#ifndef DIFF_CHOICE_H
#define DIFF_CHOICE_H

#include "replay_choice.h"
#include "report_data.h"

struct err;

/* One of the two: a recording and what its replay shows. Zeroed: nothing. */
struct diff_side {
	struct recording *recording;
	struct replay_setup setup;
	struct report_data data;
};

/* B's own options, in the command's settings; NULL, 0: not given. */
struct diff_choice {
	const char *gpu, *l1, *read_only, *bypass, *ptxas;
	struct order_choice order;
	struct option_list set;
	struct option_number launch, registers;
	struct launch_pick pick;
	struct cache_choice cache;
};

/* What B is replayed with. Returns 0, or ERR_USAGE for more --set than there may be. */
int diff_choice_of_b(const struct diff_choice *b, const struct replay_choice *a,
                     struct replay_choice *out, struct err *err);

/* Open and replay a side, which is zeroed. Returns 0 or what the rooms upstream return; release it
 * in every case. */
int diff_side_play(struct diff_side *s, const struct replay_choice *choice, const char *dir,
                   bool is_quiet, struct err *err);
void diff_side_release(struct diff_side *s);

#endif
