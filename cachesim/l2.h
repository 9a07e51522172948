/*
 * l2 - the second-level cache of a GPU, in slices, and the DRAM below it (private to this room;
 * SEMANTICS 5). struct l2_slice describes what a slice does.
 *
 * A line's number, its address divided by l2_line_bytes, selects its slice, by l2_slice_index:
 *
 *   modulo  the number modulo l2_slices
 *   xor     XOR of the number and the number shifted right by b, 2 b, 3 b ... bits, modulo
 *           l2_slices; b is log2(l2_slices), rounded up. If l2_slices is a power of two: all pieces
 *           of b bits, XORed
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
 * A request asks for sectors of one line. Requests are served in the order in which L2 receives
 * them. Cycles are those in which the L1 sent them; the caller adds the time to L2 and back. A
 * fetched sector is on its way for dram_cycles. Until then it counts as valid, but its data is not
 * available earlier.
 *
 *   read       fetches those of its sectors that are not valid: a miss. A line that is not in L2 is
 *              first brought in, replacing the line that the policy selects; only the requested
 *              sectors are fetched. Data when the last of its sectors has arrived.
 *   read past  as a read. No L1 keeps the line, so the SM gets no invalidation for it.
 *   write      back_allocate: the line is brought in. Sectors written completely are valid at once,
 *              others that are not valid are fetched. All are dirty. With l2_partial_write = mask
 *              they are not fetched: L2 keeps which of their bytes are written. Such a sector is
 *              valid once all its bytes are written. Until then a read or an atomic fetches it, as
 *              a sector that is not valid; when it is evicted it is written to DRAM like any other.
 *              through_update: written to DRAM; if its line is in L2, which is a use of it, sectors
 *              written completely become valid.
 *   atomic     as a read; its sectors become dirty, or with through_update are written to DRAM.
 *   eviction   the dirty sectors of the evicted line are written to DRAM: a write-back.
 *
 * l2_dirty_percent: at most this share of a set's ways, rounded down, but at least one, has dirty
 * lines. When a change makes one more line dirty, all dirty sectors of the line of its set that was
 * changed least recently are written to DRAM, a write-back; the line stays, clean.
 *
 * DRAM moves whole sectors. The number of sectors on their way is not limited. A line on its way
 * may be replaced like any other; the sectors fetched for it still arrive.
 *
 * exclusive: a sector is in L2 or in the L1 that requested it, not in both.
 *   read       valid sectors move to L1: they are removed from L2, dirty ones are written to DRAM,
 *              and a line without sectors is removed. Sectors that are not valid are fetched past
 *              L2.
 *   victim     sectors of a line that an L1 replaced become valid at once.
 *   write      those of its sectors that are valid become dirty (through_update: are written to
 *              DRAM); the others are written to DRAM, and nothing is brought in.
 *   read past  brings its line in, as without exclusive; sectors that are also in L1 are then in
 *              both.
 *   atomic     as read past.
 */

struct err;
struct gpu;

struct l2_line;

/* Properties common to all slices. */
struct l2_shape {
	uint32_t line_bytes;
	uint32_t line_shift;   /* log2(line_bytes) */
	uint32_t sector_bytes; /* a line has 1 to 64 sectors */
	uint32_t sectors;      /* sectors of a line */
	uint64_t dram_cycles;
	bool is_write_back;
	bool is_exclusive;
	bool keeps_parts; /* l2_partial_write = mask: keep which bytes of sectors that are not valid
	                     were written */
	uint32_t max_dirty;  /* dirty lines of a set; 0: no limit */
	size_t sharer_words; /* words of 64 SMs; 0: no invalidations */
};

struct l2_slice {
	const struct l2_shape *shape;
	struct dram *dram;
	struct l2_counters *sites; /* counters of all slices, to which this one adds */
	struct l2_counters total;
	struct cache_array tags; /* keys are line numbers */
	struct l2_line *lines;   /* for each slot of `tags` */
	uint32_t slot_count;
	uint64_t *ready;   /* for each sector of each slot: the cycle in which it arrives */
	uint64_t *sharers; /* for each slot, shape->sharer_words: a bit for each SM that read it */
	uint64_t *left_sharers; /* sharers of reply.left_line */
	uint64_t *parts;   /* keeps_parts; for each slot: sectors written in part, including those
	                      that became valid since */
	uint64_t *written; /* keeps_parts; for each slot: a bit for each written byte of these */
	uint64_t *changed; /* max_dirty; for each slot: the number of its last change; UINT64_MAX:
	                      clean */
	uint16_t *dirty_counts; /* max_dirty; dirty lines of each set */
	uint64_t changes;
};

struct l2_request {
	uint64_t cycle;
	uint64_t line;           /* number of the L2 line: its address / line_bytes */
	uint64_t sectors;        /* requested sectors of the line, a bit each; at least one */
	uint64_t whole;          /* of these, those written completely */
	const uint64_t *written; /* with keeps_parts, for a write of other sectors: the written
	                            bytes, a bit each, from first_byte on; else NULL */
	uint32_t first_byte;     /* byte of the L2 line where the L1 line begins */
	uint32_t byte_count;     /* size of the L1 line */
	uint32_t set;            /* in the slice */
	uint32_t bytes;          /* bytes that move between L1 and L2 */
	uint32_t site;
	uint32_t sm;
	enum message_kind kind;
};

struct l2_reply {
	uint64_t cycle; /* in which its data is in L2; that of the request if it needs no data */
	bool has_left;  /* with sharer_words: a line was replaced; left_sharers has its sharers */
	uint64_t left_line;  /* number of the replaced line */
	uint64_t left_cycle; /* in which its last sector arrives, or that of the request if later */
};

/* Serve a request. Cycles never decrease from call to call. */
void l2_slice_serve(struct l2_slice *slice, const struct l2_request *r, struct l2_reply *reply);

/* Prefetch for a request of this line: first its set, then, nearer to the request, what is stored
 * for the line, or for the line that it will probably replace. */
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

/* Create an empty L2 for a GPU with l2 = on. Returns 0, an error of gpu_check(), or ERR_NOMEM.
 * Release it in every case. */
int l2_init(struct l2 *l2, const struct gpu *gpu, size_t site_count, struct err *err);

/* Accepts a zeroed struct. */
void l2_release(struct l2 *l2);

/* Returns the slice of a line, for l2_slice_serve(), and its set. Cycles of l2_slice_serve() never
 * decrease from call to call, over all slices. */
struct l2_place l2_find(const struct l2 *l2, uint64_t line);

/* Write all dirty sectors to DRAM, at the end of a launch. */
void l2_flush(struct l2 *l2);

#endif
