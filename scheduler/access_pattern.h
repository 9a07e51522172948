/*
 * access_pattern - how the lanes of a site's accesses lie in memory: strides between neighbours,
 * requests against the fewest that could carry the same bytes, and lanes that are idle.
 *
 * The fewest requests of lanes that are served together (coalesce.h) and touch D distinct bytes are
 * ceil(D / line): as many as the bytes would need side by side from the start of a line on. What is
 * above that has one of two causes: the bytes lie side by side but begin within a line
 * (`misaligned_requests`), or they do not (the rest). Sectors are counted likewise: what moves is
 * sectors, and two halves of lines are no more of these than a whole one. Those beyond the least
 * have one of two causes likewise: the lanes' bytes are at least 4 of 7 from the first to the last
 * (`close_sectors`: they begin within a sector, or have gaps, as indices do that were sorted), or
 * not. Where not all of them lie so, each row is looked at alone: lanes whose lines are neighbours,
 * one after another.
 *
 * Strides are the differences between the addresses of lanes i and i + 1 of a warp that are both
 * active. A stride is counted in the groups in which it is that of at least half of the site's
 * pairs, with its pairs there, which are at most a ninth of all pairs too few (Misra and Gries
 * 1982, with 8 rows). Of different ones the ACCESS_STRIDES of the smallest amount are kept.
 *
 * Does not look at accesses whose size is known only at run time but for their lanes, nor at what
 * goes beside L1. Sums are the same in whatever order groups come.
 */
#ifndef ACCESS_PATTERN_H
#define ACCESS_PATTERN_H

#include "coalesce.h"
#include "launch_shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ACCESS_STRIDES = 32 };

struct access_stride {
	int64_t bytes;
	uint64_t pairs; /* of neighbours */
};

/*
 * What a register could have held: accesses of single work-items to what the same work-item has
 * itself accessed shortly before. item_watch below has the definition; it looks at a sample.
 */
struct item_reuse {
	uint64_t accesses;    /* reads and writes that were looked at */
	uint64_t rereads;     /* reads of what this work-item has read or written before */
	uint64_t overwritten; /* writes that its next write replaces, read by none but itself */
};

/* Of a site. A zeroed one is that of no access. */
struct access_pattern {
	uint64_t instructions;        /* warp accesses */
	uint64_t lanes;               /* active in them */
	uint64_t lanes_possible;      /* that their warps have */
	uint64_t idle_lanes;          /* of these; 0 where warp_step_is_dense() */
	uint64_t requests;            /* of accesses whose size is known */
	uint64_t requests_least;      /* that could carry the same bytes */
	uint64_t misaligned_requests; /* of requests - requests_least */
	uint64_t sectors;             /* that these requests ask for; lines where there are none */
	uint64_t sectors_least;       /* that could carry the same bytes */
	uint64_t close_sectors;       /* of sectors - sectors_least: of lanes that lie close */
	uint64_t steps;  /* accesses of which the one before, by the same warp, is known */
	uint64_t slides; /* of these, less than a line beside that one, but not at its place */
	uint64_t pairs;  /* of neighbours that are both active */
	struct item_reuse items;
	struct access_stride strides[ACCESS_STRIDES]; /* the most frequent first; pairs 0: none */
};

/* Add *more to *sum. */
void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more);

/* Add so many pairs of a stride. */
void access_pattern_add_stride(struct access_pattern *sum, int64_t bytes, uint64_t pairs);

/*
 * access_patterns - finds the access patterns of a launch's sites while its groups are formed
 * (private to this room).
 *
 * It sees each warp access that goes to L1, group by group, or once for several of one pattern.
 * Each thread has its own; together their sums are those of the launch.
 */

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
