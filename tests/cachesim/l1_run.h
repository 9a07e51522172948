/*
 * l1_run - what an L1 made of some requests, to be compared with what another made of them (for
 * tests).
 */
#ifndef L1_RUN_H
#define L1_RUN_H

#include "counters.h"
#include "l1_observer.h"

#include <stdbool.h>
#include <stddef.h>

enum { L1_RUN_STEPS = 120, L1_RUN_SITES = 3, L1_RUN_STAYS = 8 * L1_RUN_STEPS };

struct l1_run {
	uint64_t data[L1_RUN_STEPS];
	bool is_write[L1_RUN_STEPS]; /* then nothing is said of its data */
	struct counters sites[L1_RUN_SITES];
	struct l1_outcome outcomes[L1_RUN_STEPS];
	size_t outcome_count;
	struct l1_residency left[L1_RUN_STAYS];
	size_t left_count;
	uint64_t port_free;
};

/* One that writes all that it is told to *run. */
struct l1_observer l1_run_observer(struct l1_run *run);

/* Fail at the first difference; is_observed: in what was observed as well. */
void l1_run_compare(const struct l1_run *got, const struct l1_run *want, bool is_observed);

struct counters l1_run_total(const struct l1_run *run);

/* The sums of SEMANTICS 7. */
void l1_run_check_sums(const struct counters *c);

#endif
