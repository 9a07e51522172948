/*
 * bypass_search - finds which of a kernel's candidates (sites, arguments, buffers) are best
 * bypassed, by replays and greedy improvement.
 *
 * It climbs from each of three starts: nothing bypassed, what Huangfu's criterion names, every
 * candidate. In a round it measures every list that differs from the current one in one candidate.
 * Then it measures those changes that help together, the most helpful first, and takes them as long
 * as each list is better than the last (by the objective's ceiling, its first figure, its second,
 * then fewer rules). It repeats this until no single change helps. The best of the three results is
 * the greedy list. First figures within `slack` of the best count as equal, so it climbs on from
 * there (`trades`) to the least second figure. Then it removes rules (`drops`), the least costly
 * first, as long as the second figure stays within `slack` as well.
 *
 * Quality: each result is a local optimum. Its distance from the best of all 2^n lists has no bound
 * in theory, since candidates interact (two tables may fit into L1 alone but not together). So with
 * up to `exhaustive` candidates all 2^n lists are measured; among those within `slack` of the least
 * first figure and then of the least second figure, the one with the fewest rules is taken
 * (bypass_pick()). Then `paths` cost no further replays, and show what the greedy search alone
 * would have found.
 *
 * Deterministic: the result depends only on the candidates, their order, and the measures. No list
 * is measured twice. At most `limit` lists are measured (a start needs about n of them for each
 * round, and rounds are few). At the limit each climb ends where it is, and is_limited is set.
 */
#ifndef BYPASS_SEARCH_H
#define BYPASS_SEARCH_H

#include "address_use.h"
#include "bypass_list.h"
#include "bypass_measure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * bypass_candidates - what a bypass list may name in a kernel: its read sites, arguments or
 * buffers, with the sums of Huangfu's criterion.
 */

struct err;
struct kernel_table;

struct bypass_candidate {
	struct bypass_rule rule; /* its strings are the table's */
	uint64_t reads;          /* read requests to L1 */
	struct address_use_sum use;
	bool is_poor; /* the criterion names it */
};

/*
 * Return the candidates with any read in `use`, after address_use_end(); its launches must be of
 * the kernel of the table. They are sorted by bytes moved, then by reads, most first, then by
 * number. A site has its place in the source. An argument has the sums of the sites whose pointer
 * comes from it; an argument without a name is not a candidate, and neither are reads of unknown
 * buffers. The caller frees *out; the table is borrowed as long as *out is used. Returns 0 or
 * ERR_NOMEM.
 */
int bypass_candidates_sites(const struct address_use *use, const struct kernel_table *table,
                            struct bypass_candidate **out, size_t *count, struct err *err);
int bypass_candidates_arguments(const struct address_use *use, const struct kernel_table *table,
                                struct bypass_candidate **out, size_t *count, struct err *err);
int bypass_candidates_buffers(const struct address_use *use, const struct kernel_table *table,
                              size_t buffer_count, struct bypass_candidate **out, size_t *count,
                              struct err *err);

struct bypass_candidate;
struct bypass_list;

enum {
	BYPASS_SEARCH_CANDIDATES = 64, /* the first ones; others are never bypassed */
	BYPASS_SEARCH_EXHAUSTIVE = 6,  /* by default */
	BYPASS_SEARCH_EXHAUSTIVE_MAX = 16,
	BYPASS_SEARCH_LIMIT = 512, /* lists measured, by default */
	BYPASS_SEARCH_SLACK_PPM = BYPASS_SLACK_PPM
};

struct bypass_search_setup {
	struct bypass_judge judge;
	const struct bypass_candidate *candidates; /* the most important first */
	size_t count;
	const struct bypass_list *base; /* in every list that is measured; NULL: nothing */
	uint32_t exhaustive;            /* candidates for which all lists are measured */
	uint32_t limit; /* most lists to measure, >= 1, not counting those of the exhaustive search
	                 */
	uint32_t slack_ppm; /* millionths of the figure */
};

/* Returns the defaults above, for these candidates. */
struct bypass_search_setup bypass_search_defaults(const struct bypass_judge *judge,
                                                  const struct bypass_candidate *candidates,
                                                  size_t count);

enum bypass_start { BYPASS_START_NOTHING, BYPASS_START_CRITERION, BYPASS_START_ALL, BYPASS_STARTS };

/* A step of a climb. Lists are sets: bit i is candidate i. */
struct bypass_step {
	uint64_t chosen; /* the list after the step */
	uint32_t candidate;
	bool is_added; /* else removed */
	struct bypass_measure measure;
};

struct bypass_path {
	bool is_walked; /* false: it would start where another did, or the limit was reached */
	uint64_t start, end;
	struct bypass_measure start_measure, end_measure;
	struct bypass_step *steps;
	size_t count;
};

struct bypass_found {
	size_t count;                            /* candidates that were searched */
	size_t left_out;                         /* candidates that were not */
	struct bypass_path paths[BYPASS_STARTS]; /* by start */
	enum bypass_start best;           /* the path with the best result; the first of equals */
	struct bypass_path trades, drops; /* continued from its result */
	uint64_t chosen;                  /* the result */
	struct bypass_measure measure;
	uint64_t evaluations; /* lists measured */
	bool is_limited;      /* the limit ended it */
	bool is_exhaustive;   /* all 2^count lists were measured */
	uint64_t optimum;     /* the best of these */
	struct bypass_measure optimum_measure;
};

/*
 * Search. Fills *out (release it in every case). Returns 0, ERR_NOMEM, or an error of the judge or
 * bypass_list_add().
 */
int bypass_search(const struct bypass_search_setup *setup, struct bypass_found *out,
                  struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void bypass_found_release(struct bypass_found *f);

/* Add the rules of a set of candidates to *list. Returns 0 or an error of bypass_list_add(). */
int bypass_search_list(const struct bypass_candidate *candidates, size_t count, uint64_t chosen,
                       struct bypass_list *list, struct err *err);

#endif
