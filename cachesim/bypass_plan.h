/*
 * bypass_plan - a list of rules (bypass_list.h) applied to one launch: the read requests that it
 * names. For reads that bypass L1, and for reads that use a read-only cache.
 *
 * Rules for other kernels name nothing; nor does a rule whose site is at another place in the
 * source.
 */
#ifndef BYPASS_PLAN_H
#define BYPASS_PLAN_H

#include "bypass_list.h"
#include "bypass_sites.h"
#include "request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * number_set - a set of numbers that is filled once and then queried often (private to this room).
 *
 * Open addressing with linear probing (Knuth, TAOCP 3, 6.4, algorithm L), at most three quarters
 * full. Memory: 8 bytes for each place.
 */

struct err;

/* Zeroed: the empty set, to which nothing can be added. */
struct number_set {
	uint64_t *places; /* number + 1; 0: free */
	size_t mask;      /* places - 1 */
	uint32_t shift;   /* 64 - log2(places) */
};

/* Make *s an empty set with room for `count` numbers. Returns 0 or ERR_NOMEM; release it in every
 * case. */
int number_set_init(struct number_set *s, size_t count, struct err *err);

/* Accepts a zeroed struct. */
void number_set_release(struct number_set *s);

/* Add a number other than UINT64_MAX, once or more. */
void number_set_add(struct number_set *s, uint64_t number);

/* Returns the place of a number, or the free place for it. The set must have places. */
static inline size_t number_set_place(const struct number_set *s, uint64_t number)
{
	size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> s->shift);

	while (s->places[at] && s->places[at] != number + 1)
		at = (at + 1) & s->mask;
	return at;
}

static inline bool number_set_has(const struct number_set *s, uint64_t number)
{
	return s->places && s->places[number_set_place(s, number)];
}

struct kernel_table;

/* Zeroed: names nothing. */
struct bypass_plan {
	bool is_any;         /* it may name something; otherwise the rest is unused */
	bool *sites;         /* by site of the kernel's table: whether all its reads are named */
	uint64_t first_warp; /* all reads of this warp of a group and of later ones are named */
	uint32_t line_shift; /* log2 of the line's bytes */
	uint32_t set_count;  /* of `lines`: SMs + 1, or 0 */
	struct number_set buffers;
	struct number_set *lines; /* line numbers: a set for each SM, then one for all SMs */
};

/* Apply *list to a launch. `line_bytes` is a power of two. Everything is borrowed for the call
 * only. Returns 0 or ERR_NOMEM; release the plan in every case. */
int bypass_plan_init(struct bypass_plan *plan, const struct bypass_list *list,
                     const struct kernel_table *table, uint32_t sm_count, uint32_t line_bytes,
                     struct err *err);

/* Accepts a zeroed struct. */
void bypass_plan_release(struct bypass_plan *plan);

/* Returns whether a request of this SM, below sm_count, is a read that is named. */
static inline bool bypass_plan_takes(const struct bypass_plan *plan, uint32_t sm,
                                     const struct request *r)
{
	uint64_t line = r->line >> plan->line_shift;

	if (!plan->is_any || r->kind != SITE_READ)
		return false;
	if (plan->sites[r->site] || r->warp >= plan->first_warp)
		return true;
	if (r->buffer >= 0 && number_set_has(&plan->buffers, (uint64_t)r->buffer))
		return true;
	return plan->set_count && (number_set_has(&plan->lines[sm], line) ||
	                           number_set_has(&plan->lines[plan->set_count - 1], line));
}

#endif
