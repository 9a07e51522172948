/*
 * l2 - the second-level cache of a GPU, in slices, and the DRAM below it (private to this room;
 * SEMANTICS 5). l2_slice.h defines what a slice does.
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

#include "l2_slice.h"

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
