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
struct launch_shape;
struct lockstep;

/* For a launch of that shape. All else is borrowed until access_patterns_free(). Returns 0 or
 * ERR_NOMEM. */
int access_patterns_create(struct access_patterns **out, const struct gpu *gpu,
                           const struct kernel_table *table, const struct launch_shape *shape,
                           struct err *err);

/* Free. NULL is allowed. */
void access_patterns_free(struct access_patterns *p);

/* A warp of so many lanes begins, the first of which is this work-item of the group; a group has
 * ended. */
void access_patterns_warp(struct access_patterns *p, uint64_t group, uint32_t first_item,
                          uint32_t lanes);
void access_patterns_group_end(struct access_patterns *p);

/* An access of that warp, which *c has just coalesced, and `times` - 1 others at addresses that lie
 * alike. */
void access_patterns_step(struct access_patterns *p, const struct warp_step *step,
                          struct coalescer *c, uint64_t times);

/* What the warp's work-items do, in their order (item_watch.h): an access or a barrier, that of a
 * large warp as a whole; or so many times all strands of *l. */
void access_patterns_items(struct access_patterns *p, const struct warp_step *step);
void access_patterns_items_bundle(struct access_patterns *p, const struct lockstep *l,
                                  const uint16_t *lane, uint64_t length);

/* Add what is known, between groups, to the rows of the kernel's sites. */
void access_patterns_sum(const struct access_patterns *p, struct access_pattern *sites);

#endif
