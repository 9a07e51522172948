/*
 * l2 - the second-level cache of a GPU, in slices, and the DRAM behind it (private to this room;
 * SEMANTICS 5). What a slice does is said at struct l2_slice.
 *
 * A line's number, its address divided by l2_line_bytes, selects its slice, by l2_slice_index:
 *
 *   modulo  the number modulo l2_slices
 *   xor     XOR of the number and itself shifted right by b, 2 b, 3 b ... bits, modulo
 *           l2_slices; b is log2(l2_slices), rounded up. With a power of two: all pieces of
 *           b bits, XORed
 *
 * Its set in the slice is l2_index (set_index.h) of the number divided by l2_slices; with
 * bits:LIST, of the address.
 */
#ifndef L2_H
#define L2_H

#include "cache_array.h"
#include "counters.h"
#include "dram.h"
#include "outbox.h"
#include "set_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * l2_slice - a slice of the L2: tags, sectors and times, no data (private to this room).
 *
 * A request asks for sectors of one line, in the order in which L2 sees them. Cycles are those in
 * which the L1 sent them; the way to L2 and back is the caller's to add. A sector that is fetched
 * is on its way for dram_cycles; until then it counts as there, and data is not there earlier.
 *
 *   read       what of its sectors is not there is fetched: a miss. A line that is not there is
 *              brought in first, in place of the one that the policy names; of it only the sectors
 *              asked for are fetched. Data when the last of its sectors has come.
 *   read past  the same. No L1 has it then: it is told of no eviction.
 *   write      back_allocate: the line is brought in; sectors written as a whole are there at once,
 *              others that are not there are fetched. All are dirty. With l2_partial_write = mask
 *              they are not fetched: L2 keeps which of their bytes are written. Such a sector is
 *              there once all are; until then a read or an atomic fetches it, as one that is not
 *              there, and when it leaves it is written like any other. through_update: written to
 *              DRAM; if its line is there, which is a use of it, sectors written as a whole are
 *              there from now on.
 *   atomic     as a read; its sectors are dirty then, or with through_update written to DRAM.
 *   eviction   the dirty sectors of the line that goes are written to DRAM: a write-back.
 *
 * l2_dirty_percent: at most this share of a set's ways, rounded down, but at least one, has dirty
 * lines. When a change makes one more dirty, all dirty sectors of the line of its set whose last
 * change is longest ago are written to DRAM, a write-back; it stays, clean.
 *
 * DRAM moves whole sectors. Nothing limits how much is on its way, and a line on its way may be
 * replaced like any other; what was fetched still comes.
 *
 * exclusive: a sector is in L2 or in the L1 that asked for it, not in both.
 *   read       sectors that are there move up: they leave, dirty ones are written to DRAM as they
 *              go, and a line without sectors leaves. What is not there is fetched past L2.
 *   victim     what an L1 replaced comes in and is there at once.
 *   write      sectors of it that are there are dirty then (through_update: written to DRAM); the
 *              others are written to DRAM, and nothing is brought in.
 *   read past  brings its line in, as otherwise; what is in L1 as well is then in both.
 *   atomic     likewise.
 */

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
	bool keeps_parts;    /* of sectors that are not there, which bytes are written */
	uint32_t max_dirty;  /* lines of a set; 0: no limit */
	size_t sharer_words; /* of 64 SMs; 0: what leaves is told to nobody */
};

struct l2_slice {
	const struct l2_shape *shape;
	struct dram *dram;
	struct l2_counters *sites; /* of all slices, added to */
	struct l2_counters total;
	struct cache_array tags; /* keys are line numbers */
	struct l2_line *lines;   /* of each slot of `tags` */
	uint32_t slot_count;
	uint64_t *ready;   /* of each sector of each slot: the cycle in which it has come */
	uint64_t *sharers; /* of each slot, shape->sharer_words: a bit for each SM that asked */
	uint64_t *left_sharers; /* of reply.left_line */
	uint64_t *parts; /* keeps_parts; of each slot: sectors that were written in part, those that
	                    have come since included */
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
	uint64_t whole;          /* of these, those whose bytes are all written */
	const uint64_t *written; /* with keeps_parts, of a write that has others: its bytes, from
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
	uint64_t cycle; /* in which its data is in L2; the request's, if it wants none */
	bool has_left;  /* with sharers: a line was replaced, and its sharers are in left_sharers */
	uint64_t left_line;  /* its number */
	uint64_t left_cycle; /* in which the last of it has come, or the request's if that is later
	                      */
};

/* Serve a request. Cycles never decrease from call to call. */
void l2_slice_serve(struct l2_slice *slice, const struct l2_request *r, struct l2_reply *reply);

/* A request of this line is served soon, and sooner still: have the host fetch its set, and then
 * what is known of the line, or of the one that it is likely to replace. */
void l2_slice_fetch_set(const struct l2_slice *slice, uint32_t set, uint64_t line);
void l2_slice_fetch_line(const struct l2_slice *slice, uint32_t set, uint64_t line);

struct l2 {
	struct l2_shape shape;
	struct dram dram;
	struct set_index set_index;
	struct l2_slice *slices; /* slice_count of them */
	uint32_t slice_count;
	bool is_by_address;        /* l2_index = bits:LIST */
	uint32_t fold_bits;        /* b of xor; 0: modulo */
	struct l2_counters *sites; /* site_count of them, over all slices */
	size_t site_count;
};

struct l2_place {
	struct l2_slice *slice;
	uint32_t set; /* of the slice */
};

/* Make the empty L2 of a GPU with l2 = on. Returns 0, an error of gpu_check(), or ERR_NOMEM.
 * Release it in every case. */
int l2_init(struct l2 *l2, const struct gpu *gpu, size_t site_count, struct err *err);

/* Accepts a zeroed struct. */
void l2_release(struct l2 *l2);

/* The slice of a line: l2_slice_serve() serves it there. Cycles never decrease from call to
 * call, over all slices. */
struct l2_place l2_find(const struct l2 *l2, uint64_t line);

/* Write all dirty sectors to DRAM, as at the end of a launch. */
void l2_flush(struct l2 *l2);

#endif
