/*
 * bypass_measure - what replays say of a bypass list, and which of two lists is better.
 *
 * A measure is of some launches, summed: each begins with empty caches, so what a list does to one
 * does not depend on the others, and lists of different kernels may be chosen one by one.
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

/* Estimates that differ by half a percent are taken to be the same where lists are chosen
 * (bypass_pick()). */
enum { BYPASS_SLACK_PPM = 5000, BYPASS_CEILING_PPM = 10000 };

/*
 * What is to become least. Misses are counted with the reads that bypass: else to bypass all would
 * always be best.
 */
enum bypass_objective {
#define BYPASS_OBJECTIVE(name, word, unit, value, text) BYPASS_##name,
#include "bypass_objectives.def"
#undef BYPASS_OBJECTIVE
	BYPASS_OBJECTIVES
};

/*
 * Replay with each of lists[0..count) and leave what they do in out[0..count). The lists are
 * borrowed for the call. Returns 0, or an error, which ends the search and is handed on. The same
 * list gets the same measure whenever it is asked for.
 */
typedef int (*bypass_measure_fn)(void *context, const struct bypass_list *const *lists,
                                 size_t count, struct bypass_measure *out, struct err *err);

/* Who measures, and what for; borrowed wherever it is given. */
struct bypass_judge {
	bypass_measure_fn measure;
	void *context;
	enum bypass_objective objective;
	const struct bypass_measure *before; /* with all cached, for `balanced`; NULL: no ceiling */
};

/* Add a launch, or the launches of another sum. */
void bypass_measure_add(struct bypass_measure *sum, const struct replay_result *r);
void bypass_measure_sum(struct bypass_measure *sum, const struct bypass_measure *more);

/* The figure that is to become least; the one that decides between equals of it: bytes, or cycles
 * where the first is not cycles. */
uint64_t bypass_measure_value(const struct bypass_measure *m, enum bypass_objective objective);
uint64_t bypass_measure_second(const struct bypass_measure *m, enum bypass_objective objective);

/*
 * The most bytes from L2 that a list may move: with `balanced` those of `before` and a hundredth.
 * One that moves more is worse than any that does not, and the more, the worse. Cycles are
 * estimates, in which no port of L2 is ever busy: fewer of them for several times the traffic are
 * no advice. UINT64_MAX with other objectives, and with NULL.
 */
uint64_t bypass_measure_ceiling(const struct bypass_measure *before,
                                enum bypass_objective objective);

/* floor(value * ppm / 10^6), ppm <= 10^6. */
uint64_t bypass_measure_part(uint64_t value, uint32_t ppm);

/* Static storage. */
const char *bypass_objective_word(enum bypass_objective objective);

/* Read a word of bypass_objectives.def. Returns 0, or ERR_USAGE with all of them. */
int bypass_objective_read(enum bypass_objective *out, const char *word, struct err *err);

/* < 0: a is better, > 0: b is, 0: neither. By the first figure, then by the second; of a ceiling
 * nothing is known here. */
int bypass_measure_compare(const struct bypass_measure *a, const struct bypass_measure *b,
                           enum bypass_objective objective);

/* By what part of `before` the objective's figure falls, < 0 when it grows; of 0 before: 0, or -1
 * when it grows. */
double bypass_measure_gain(const struct bypass_measure *before, const struct bypass_measure *after,
                           enum bypass_objective objective);

#endif
