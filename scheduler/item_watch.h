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
#ifndef ITEM_WATCH_H
#define ITEM_WATCH_H

#include "access_pattern.h"
#include "launch_shape.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
