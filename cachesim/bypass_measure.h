/*
 * bypass_measure - the results of replays with a bypass list, and which of two lists is better.
 *
 * A measure is a sum over launches. Each launch begins with empty caches, so a list's effect on it
 * does not depend on the others, and lists of different kernels can be chosen separately.
 */
#ifndef BYPASS_MEASURE_H
#define BYPASS_MEASURE_H

#include <stddef.h>
#include <stdint.h>

struct bypass_list;
struct err;
struct replay_result;

struct bypass_measure {
#define BYPASS_MEASURE(name, value) uint64_t name;
#include "bypass_measures.def"
#undef BYPASS_MEASURE
};

/* Estimates that differ by up to half a percent count as equal when lists are chosen
 * (bypass_pick()). */
enum { BYPASS_SLACK_PPM = 5000, BYPASS_CEILING_PPM = 10000 };

/*
 * The figure to minimise. Misses include bypassing reads: otherwise bypassing everything would
 * always be best.
 */
enum bypass_objective {
#define BYPASS_OBJECTIVE(name, word, unit, value, text) BYPASS_##name,
#include "bypass_objectives.def"
#undef BYPASS_OBJECTIVE
	BYPASS_OBJECTIVES
};

/*
 * Replay with each of lists[0..count) and store the results in out[0..count). The lists are
 * borrowed for the call. Returns 0, or an error, which ends the search and is passed on. The same
 * list always gets the same measure.
 */
typedef int (*bypass_measure_fn)(void *context, const struct bypass_list *const *lists,
                                 size_t count, struct bypass_measure *out, struct err *err);

/* The measuring function and its objective; borrowed wherever it is passed. */
struct bypass_judge {
	bypass_measure_fn measure;
	void *context;
	enum bypass_objective objective;
	const struct bypass_measure *before; /* all cached, for `balanced`; NULL: no ceiling */
};

/* Add a launch, or another sum of launches. */
void bypass_measure_add(struct bypass_measure *sum, const struct replay_result *r);
void bypass_measure_sum(struct bypass_measure *sum, const struct bypass_measure *more);

/* The figure to minimise; and the one that decides between equals: bytes, or cycles if the first
 * is not cycles. */
uint64_t bypass_measure_value(const struct bypass_measure *m, enum bypass_objective objective);
uint64_t bypass_measure_second(const struct bypass_measure *m, enum bypass_objective objective);

/*
 * The most bytes from L2 that a list may move: with `balanced` those of `before` plus 1%. A list
 * that moves more is worse than any that does not, and the more, the worse. Cycles are estimates in
 * which no port of L2 is ever busy: fewer cycles at several times the traffic are no advice.
 * UINT64_MAX with other objectives, and if `before` is NULL.
 */
uint64_t bypass_measure_ceiling(const struct bypass_measure *before,
                                enum bypass_objective objective);

/* floor(value * ppm / 10^6), ppm <= 10^6. */
uint64_t bypass_measure_part(uint64_t value, uint32_t ppm);

/* Static storage. */
const char *bypass_objective_word(enum bypass_objective objective);

/* Parse a word of bypass_objectives.def. Returns 0, or ERR_USAGE with a message that lists all
 * words. */
int bypass_objective_read(enum bypass_objective *out, const char *word, struct err *err);

/* < 0: a is better, > 0: b is, 0: neither. Compares the first figure, then the second; ignores
 * the ceiling. */
int bypass_measure_compare(const struct bypass_measure *a, const struct bypass_measure *b,
                           enum bypass_objective objective);

/* The share of `before` by which the objective's figure falls, < 0 if it grows; if it was 0: 0,
 * or -1 if it grows. */
double bypass_measure_gain(const struct bypass_measure *before, const struct bypass_measure *after,
                           enum bypass_objective objective);

#endif
