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
#include "launch_shape.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * item_watch - finds accesses of a work-item that a register could have served (private to this
 * room; struct item_reuse has the counts).
 *
 * Of each work-item that is looked at, the last ITEM_PLACES places that it accessed through each
 * argument are known, a place being an address with a size. A read is a reread when its place is
 * one of them and the work-item has since written its bytes as this place, through this argument,
 * or not at all. A write is overwritten when its place is still one of them at the work-item's next
 * write of it, and none of its bytes have been written otherwise in between. Pointers of no known
 * argument count as one.
 *
 * What other work-items do in between is not seen. They can rely on it only where something orders
 * them: a barrier or an atomic of the work-item therefore makes it forget all places. A fence alone
 * does not. What goes beside L1 is not looked at.
 *
 * Work-items are a sample: those of the launch whose number (group * items of a full group + item)
 * is a multiple of a stride, which is odd, at least ITEM_STRIDE, and such that they are about
 * ITEM_SAMPLE at most. It depends on the launch alone.
 */

struct err;
struct item_watch;
struct kernel_table;
struct lockstep;
struct warp_step;

enum { ITEM_PLACES = 8, ITEM_STRIDE = 127, ITEM_SAMPLE = 256 };

/* The stride of a launch. */
uint64_t item_watch_stride(const struct launch_shape *shape);

/*
 * Look at the work-items of a launch whose number is a multiple of `stride` >= 1. The table is
 * borrowed. Memory: 32 bytes for each place of the work-items of a warp that are looked at. Free
 * with item_watch_free(). Returns 0 or ERR_NOMEM.
 */
int item_watch_create(struct item_watch **out, const struct kernel_table *table, uint64_t stride,
                      struct err *err);

/* Free. NULL is allowed. */
void item_watch_free(struct item_watch *w);

/* A warp begins, or a large one: `lanes` work-items, the first of which has this number. Whether
 * there is one to look at: if not, its steps need not be given. */
bool item_watch_warp(struct item_watch *w, uint64_t first_item, uint32_t lanes);

/* The warp's next access or barrier; `length` iterations of all strands of *l, one after the other,
 * whose lanes are `lane`. Adds to the rows of the kernel's sites. */
void item_watch_step(struct item_watch *w, const struct warp_step *step,
                     struct access_pattern *sites);
void item_watch_bundle(struct item_watch *w, const struct lockstep *l, const uint16_t *lane,
                       uint64_t length, struct access_pattern *sites);

struct access_patterns;
struct gpu;
struct launch_shape;

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

/* What the warp's work-items do, in their order (item_watch_step()): an access or a barrier, that
 * of a large warp as a whole; or so many times all strands of *l. */
void access_patterns_items(struct access_patterns *p, const struct warp_step *step);
void access_patterns_items_bundle(struct access_patterns *p, const struct lockstep *l,
                                  const uint16_t *lane, uint64_t length);

/* Add what is known, between groups, to the rows of the kernel's sites. */
void access_patterns_sum(const struct access_patterns *p, struct access_pattern *sites);

#endif
