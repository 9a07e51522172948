/*
 * residency - computes how many work-groups an SM holds at once, and what limits them (Li 2016,
 * chapter 4; SEMANTICS 3).
 *
 * Arithmetic only: it uses neither a recording nor time.
 */
#ifndef RESIDENCY_H
#define RESIDENCY_H

#include "array.h"

#include <stdint.h>

struct err;
struct gpu;

/* The resources that a launch needs. */
struct residency_need {
	uint64_t groups;      /* of the launch, over all SMs; 0: unlimited */
	uint64_t items;       /* of a group */
	uint64_t local_bytes; /* of a group */
	uint32_t registers;   /* of a work-item; 0: not known, no limit */
};

/* Why no more groups are resident. */
enum residency_limit {
	RESIDENCY_GROUPS_TO_RUN, /* the launch has no more for this SM */
	RESIDENCY_MAX_GROUPS,
	RESIDENCY_MAX_WARPS,
	RESIDENCY_REGISTERS,
	RESIDENCY_LOCAL,
};

struct residency {
	uint32_t groups;            /* resident on an SM at most */
	enum residency_limit limit; /* the first limit above that gives this number */
};

/* Returns the warps of a group; the last may be partial. */
uint64_t residency_warps(const struct gpu *gpu, const struct residency_need *need);

/*
 * Compute the resident groups of an SM: n = min(ceil(groups/SMs), max_groups, floor(max_warps/w),
 * floor(registers/need), floor(local/(need rounded up))) (Li 2016, Eq. 4.3). A group needs w times
 * the registers of a warp, each rounded up, or, with register_rounding = group, their sum rounded
 * up. Returns 0, or ERR_CONFIG if not even one group fits; the message names the need and the limit
 * it exceeds.
 */
int residency_compute(const struct gpu *gpu, const struct residency_need *need,
                      struct residency *out, struct err *err);

/* A number of registers of a work-item beyond which fewer groups are resident. */
struct residency_point {
	uint32_t registers;
	struct residency residency;
};

/*
 * Find the critical points of register use (Li 2016, section 4.2): of the numbers first..last,
 * those with fewer groups at the next number, and the last. Numbers with which no group fits are
 * skipped. need->registers is ignored. The points are appended to *points (struct residency_point),
 * ascending. Returns 0, ERR_NOMEM, ERR_LIMIT; ERR_CONFIG, as residency_compute() does, if no group
 * fits with any of the numbers.
 */
int residency_points(const struct gpu *gpu, const struct residency_need *need, uint32_t first,
                     uint32_t last, struct array *points, struct err *err);

#endif
