/*
 * l2_slice - a slice of the L2: tags, sectors and times, no data (private to this room).
 *
 * A request names sectors of one line; requests come in the order in which L2 sees them. Cycles are
 * those in which the L1 sent them; the caller adds the latency to L2 and back. A fetched sector is
 * on its way for dram_cycles; meanwhile it counts as valid, but its data does not arrive earlier.
 *
 *   read       sectors that are not valid are fetched: a miss. A missing line is allocated first,
 *              replacing the one that the policy selects; only its requested sectors are fetched.
 *              Data when the last of the sectors has arrived.
 *   read past  the same. No L1 has the line then, so none is told of its eviction.
 *   write      back_allocate: the line is allocated; sectors written as a whole are valid at once,
 *              other missing ones are fetched. All become dirty. With l2_partial_write = mask they
 *              are not fetched: L2 records which of their bytes are written. Such a sector is valid
 *              once all are; until then a read or an atomic fetches it like a missing one, and when
 *              it is evicted it is written like any other. through_update: written to DRAM; if the
 *              line is there, this is a use of it, and sectors written as a whole become valid.
 *   atomic     as a read; its sectors then become dirty, or with through_update go to DRAM.
 *   eviction   the dirty sectors of the evicted line are written to DRAM: a write-back.
 *
 * l2_dirty_percent: at most this share of a set's ways, rounded down but at least one, has dirty
 * lines. When a change makes one more dirty, all dirty sectors of the line of the set that was
 * changed longest ago are written to DRAM, a write-back; the line stays, clean.
 *
 * DRAM moves whole sectors. The number of fetches on their way is not limited, and a line on its
 * way may be replaced like any other; its fetched data still arrives.
 *
 * exclusive: a sector is in L2 or in the L1 that requested it, not in both.
 *   read       valid sectors move up: they leave L2, dirty ones are written to DRAM then, and a
 *              line without sectors is removed. Other sectors are fetched past L2.
 *   victim     a line that an L1 replaced is allocated and valid at once.
 *   write      its valid sectors become dirty (through_update: written to DRAM); the others are
 *              written to DRAM, and nothing is allocated.
 *   read past  allocates its line, as without exclusive; sectors that L1 has too are then in both.
 *   atomic     allocates its line in the same way.
 */
#ifndef L2_SLICE_H
#define L2_SLICE_H

#include "cache_array.h"
#include "counters.h"
#include "dram.h"
#include "outbox.h"
#include "set_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct gpu;

struct l2_line;

/* What all slices have in common. */
struct l2_shape {
	uint32_t line_bytes;
	uint32_t line_shift;   /* log2 of it */
	uint32_t sector_bytes; /* 1 to 64 sectors of a line */
	uint32_t sectors;      /* of a line */
	uint64_t dram_cycles;
	bool is_write_back;
	bool is_exclusive;
	bool keeps_parts;    /* records which bytes of missing sectors are written */
	uint32_t max_dirty;  /* lines of a set; 0: no limit */
	size_t sharer_words; /* of 64 SMs; 0: evictions are not reported */
};

struct l2_slice {
	const struct l2_shape *shape;
	struct dram *dram;
	struct l2_counters *sites; /* of all slices, added to */
	struct l2_counters total;
	struct cache_array tags; /* keys are line numbers */
	struct l2_line *lines;   /* of each slot of `tags` */
	uint32_t slot_count;
	uint64_t *ready;   /* of each sector of each slot: the cycle of its arrival */
	uint64_t *sharers; /* of each slot, shape->sharer_words: a bit for each SM that read it */
	uint64_t *left_sharers; /* of reply.left_line */
	uint64_t *parts; /* keeps_parts; of each slot: sectors that were written in part, including
	                    those that have arrived since */
	uint64_t *written; /* keeps_parts; of each slot: a bit for each byte of these, by word */
	uint64_t *changed; /* max_dirty; of each slot: the number of its last change; UINT64_MAX: it
	                      is clean */
	uint16_t *dirty_counts; /* max_dirty; lines of each set */
	uint64_t changes;
};

struct l2_request {
	uint64_t cycle;
	uint64_t line;           /* of L2: its address / line_bytes */
	uint64_t sectors;        /* of it, a bit each; at least one */
	uint64_t whole;          /* of these, those written completely */
	const uint64_t *written; /* with keeps_parts, if a write has others: its bytes, from
	                            first_byte on, a bit each; else NULL */
	uint32_t first_byte;     /* of the line, that the L1's line begins with, */
	uint32_t byte_count;     /* and its size */
	uint32_t set;            /* of the slice */
	uint32_t bytes;          /* that move between L1 and L2 */
	uint32_t site;
	uint32_t sm;
	enum message_kind kind;
};

struct l2_reply {
	uint64_t cycle; /* in which its data is in L2; the request's, if it needs none */
	bool has_left;  /* with sharers: a line was replaced, and its sharers are in left_sharers */
	uint64_t left_line;  /* its number */
	uint64_t left_cycle; /* in which its last data arrived, or the request's if later */
};

/* Make an empty slice with the sets, ways and policy of the GPU's L2; `number` seeds a random
 * policy. All pointers are borrowed. Returns 0, ERR_CONFIG or ERR_NOMEM; release it in every case.
 */
int l2_slice_init(struct l2_slice *slice, const struct gpu *gpu, uint32_t number, struct err *err);

/* Accepts a zeroed struct. */
void l2_slice_release(struct l2_slice *slice);

/* Serve a request. Cycles never decrease from call to call. */
void l2_slice_serve(struct l2_slice *slice, const struct l2_request *r, struct l2_reply *reply);

/* Prefetch for a request of this line that will be served soon: its set; and, shortly before, the
 * data of the line, or of the one that it is likely to replace. */
void l2_slice_fetch_set(const struct l2_slice *slice, uint32_t set, uint64_t line);
void l2_slice_fetch_line(const struct l2_slice *slice, uint32_t set, uint64_t line);

/* Write all dirty sectors to DRAM; lines stay, clean. */
void l2_slice_flush(struct l2_slice *slice);

#endif
