/*
 * access_pattern - how the lanes of a site's accesses are laid out in memory: strides between
 * neighbouring lanes, requests compared with the fewest that could carry the same bytes, and idle
 * lanes.
 *
 * If lanes that are served together (coalesce.h) touch D distinct bytes, the fewest requests are
 * ceil(D / line): the number needed if the bytes were contiguous and began at a line boundary.
 * Requests beyond that have one of two causes: the bytes are contiguous but begin within a line
 * (`misaligned_requests`), or they are not contiguous (the rest).
 *
 * Sectors are counted in the same way, because sectors are what moves: two half lines are no more
 * sectors than one whole line. Sectors beyond the fewest have one of two causes: the lanes lie
 * close, that is, their bytes are at least 4/7 of the range from the first to the last
 * (`close_sectors`: the range begins within a sector, or has gaps, as after sorted indices), or
 * they do not. If the lanes of an access are not close as a whole, each row is tested alone; a row
 * is a sequence of uses whose lines are neighbours.
 *
 * Strides are the differences between the addresses of lanes i and i + 1 of a warp, both active.
 * Each group contributes its most frequent stride, if at least half of the site's pairs in the
 * group have it, with the number of these pairs. That number may be too low by at most a ninth of
 * the group's pairs (Misra and Gries 1982, with 8 rows). Of different strides, the ACCESS_STRIDES
 * smallest in magnitude are kept.
 *
 * For accesses whose size is known only at run time only the lanes are counted. Accesses to local
 * and constant memory are not included. The sums do not depend on the order of groups.
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
	uint64_t pairs; /* pairs of neighbouring lanes with this stride */
};

/*
 * Accesses that a register could have served: accesses of a single work-item to what the same
 * work-item accessed shortly before. item_watch below has the definition; it examines a sample.
 */
struct item_reuse {
	uint64_t accesses;    /* reads and writes that were examined */
	uint64_t rereads;     /* reads of what this work-item has read or written before */
	uint64_t overwritten; /* writes replaced by this work-item's next write, with no read except
	                         its own */
};

/* The access pattern of a site. Zeroed: no accesses. */
struct access_pattern {
	uint64_t instructions;        /* warp accesses */
	uint64_t lanes;               /* active in them */
	uint64_t lanes_possible;      /* lanes of their warps */
	uint64_t idle_lanes;          /* of these, inactive; 0 where warp_step_is_dense() */
	uint64_t requests;            /* of accesses whose size is known */
	uint64_t requests_least;      /* fewest that could carry the same bytes */
	uint64_t misaligned_requests; /* of requests - requests_least, those of contiguous bytes */
	uint64_t sectors;             /* requested; lines if the GPU has no sectors */
	uint64_t sectors_least;       /* fewest that could carry the same bytes */
	uint64_t close_sectors; /* of sectors - sectors_least, those of lanes that lie close */
	uint64_t steps;         /* accesses whose previous access by the same warp is known */
	uint64_t slides; /* of these, less than a line away from it, but not at the same address */
	uint64_t pairs;  /* pairs of neighbouring lanes, both active */
	struct item_reuse items;
	struct access_stride strides[ACCESS_STRIDES]; /* the most frequent first; pairs 0: none */
};

/* Add *more to *sum. */
void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more);

/* Add `pairs` pairs of a stride of `bytes` to *sum. */
void access_pattern_add_stride(struct access_pattern *sum, int64_t bytes, uint64_t pairs);

/*
 * access_patterns - finds the access patterns of a launch's sites while its groups are formed
 * (private to this room).
 *
 * It is given each warp access that goes to L1, group by group, or once for several accesses of one
 * pattern. Each thread has its own; their sum is that of the launch.
 */

/*
 * item_watch - finds accesses of a work-item that a register could have served (private to this
 * room; struct item_reuse has the counts).
 *
 * For each examined work-item, the last ITEM_PLACES places that it accessed through each argument
 * are remembered; a place is an address with a size. A read is a reread if its place is remembered
 * and, since then, the work-item has written bytes of the place only as this same place and through
 * this argument, or not at all. A write is overwritten if its place is still remembered at the
 * work-item's next write of it, and none of its bytes were written in another way in between.
 * Pointers whose argument is unknown count as one argument.
 *
 * Accesses of other work-items in between are not seen. A work-item can rely on them only if
 * something orders them. So a barrier, or an atomic of the work-item, makes it forget all places; a
 * fence alone does not. Accesses to local and constant memory are ignored.
 *
 * The examined work-items are a sample: those whose number in the launch (group * items of a full
 * group + item) is a multiple of a stride. The stride is odd, at least ITEM_STRIDE, and large
 * enough that the sample has at most about ITEM_SAMPLE work-items. It depends on the launch alone.
 */

struct err;
struct item_watch;
struct kernel_table;
struct lockstep;
struct warp_step;

enum { ITEM_PLACES = 8, ITEM_STRIDE = 127, ITEM_SAMPLE = 256 };

/* Returns the stride of the sample for a launch. */
uint64_t item_watch_stride(const struct launch_shape *shape);

/*
 * Examine the work-items of a launch whose number is a multiple of `stride` >= 1. The table is
 * borrowed. Memory: 32 bytes for each place of the examined work-items of one warp. Free with
 * item_watch_free(). Returns 0 or ERR_NOMEM.
 */
int item_watch_create(struct item_watch **out, const struct kernel_table *table, uint64_t stride,
                      struct err *err);

/* Free. NULL is allowed. */
void item_watch_free(struct item_watch *w);

/* Begin a warp or a large warp of `lanes` work-items, the first of which has this number in the
 * launch. Returns whether any of them is examined; if not, its steps need not be given. */
bool item_watch_warp(struct item_watch *w, uint64_t first_item, uint32_t lanes);

/* Add the warp's next access or barrier, or `length` iterations of all strands of *l, one after the
 * other, with active lanes `lane`. The counts are added to `sites`, indexed by site. */
void item_watch_step(struct item_watch *w, const struct warp_step *step,
                     struct access_pattern *sites);
void item_watch_bundle(struct item_watch *w, const struct lockstep *l, const uint16_t *lane,
                       uint64_t length, struct access_pattern *sites);

struct access_patterns;
struct gpu;
struct launch_shape;

/* Create the patterns of a launch of that shape. Everything else is borrowed until
 * access_patterns_free(). Returns 0 or ERR_NOMEM. */
int access_patterns_create(struct access_patterns **out, const struct gpu *gpu,
                           const struct kernel_table *table, const struct launch_shape *shape,
                           struct err *err);

/* Free. NULL is allowed. */
void access_patterns_free(struct access_patterns *p);

/* Begin a warp of `lanes` lanes, the first of which is work-item `first_item` of the group; end a
 * group. */
void access_patterns_warp(struct access_patterns *p, uint64_t group, uint32_t first_item,
                          uint32_t lanes);
void access_patterns_group_end(struct access_patterns *p);

/* Add an access of that warp, which *c has just coalesced, and `times` - 1 others whose addresses
 * have the same layout. */
void access_patterns_step(struct access_patterns *p, const struct warp_step *step,
                          struct coalescer *c, uint64_t times);

/* Add what the warp's work-items do, in order, for item_watch: an access or a barrier, of a large
 * warp as a whole; or `length` iterations of all strands of *l. */
void access_patterns_items(struct access_patterns *p, const struct warp_step *step);
void access_patterns_items_bundle(struct access_patterns *p, const struct lockstep *l,
                                  const uint16_t *lane, uint64_t length);

/* Add the results to `sites`, indexed by site. Must not be called within a group. */
void access_patterns_sum(const struct access_patterns *p, struct access_pattern *sites);

#endif
