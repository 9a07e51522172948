/*
 * diff_side - one of the two things that `warpline diff` compares: a recording and how it is
 * replayed.
 *
 * The options of A are those of replay; B's are the same but for those given with -b behind their
 * names. A GPU of its own has its own L1 configurations: with --gpu-b, --l1 is not B's.
 */
#ifndef DIFF_SIDE_H
#define DIFF_SIDE_H

#include "diff_compare.h"
#include "replay_choice.h"
#include "report_data.h"

struct err;

/* B's own options, in the command's settings; NULL, 0: not given. */
struct diff_choice {
	const char *gpu, *l1, *read_only, *bypass, *ptxas;
	struct order_choice order;
	struct option_list set;
	struct option_number launch, registers;
	struct launch_pick pick;
	struct cache_choice cache;
};

struct diff_side {
	struct recording *recording;
	struct replay_choice choice;
	struct replay_setup setup;
	struct report_data data;
};

/* What B is replayed with. Returns 0, or ERR_USAGE for more --set than there may be. */
int diff_choice_of_b(const struct diff_choice *b, const struct replay_choice *a,
                     struct replay_choice *out, struct err *err);

/* Open and replay. Returns 0 or what the rooms upstream return; release in every case. */
int diff_side_play(struct diff_side *s, const char *dir, const struct replay_choice *choice,
                   bool is_quiet, struct err *err);
void diff_side_release(struct diff_side *s);

#endif
