/*
 * access_patterns - finds the access patterns of a launch's sites while its groups are formed
 * (private to this room).
 *
 * Told of each warp access that goes to L1, group by group, or once for several of one pattern. One
 * thread has one; their sums are those of the launch.
 */
#ifndef ACCESS_PATTERNS_H
#define ACCESS_PATTERNS_H

#include "access_pattern.h"
#include "coalesce.h"

#include <stddef.h>

struct access_patterns;
struct err;
struct gpu;
struct kernel_table;

/* Everything is borrowed until access_patterns_free(). Returns 0 or ERR_NOMEM. */
int access_patterns_create(struct access_patterns **out, const struct gpu *gpu,
                           const struct kernel_table *table, struct err *err);

/* Free. NULL is allowed. */
void access_patterns_free(struct access_patterns *p);

/* A warp of so many lanes begins; a group has ended. */
void access_patterns_warp(struct access_patterns *p, uint32_t lanes);
void access_patterns_group_end(struct access_patterns *p);

/* An access of that warp, which *c has just coalesced, and `times` - 1 others at addresses that lie
 * alike. */
void access_patterns_step(struct access_patterns *p, const struct warp_step *step,
                          struct coalescer *c, uint64_t times);

/* Add what is known, between groups, to the rows of the kernel's sites. */
void access_patterns_sum(const struct access_patterns *p, struct access_pattern *sites);

#endif
