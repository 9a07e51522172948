/*
 * slice_layout - where things lie in the device buffer of a slice (probe_abi.h, version 2).
 *
 *   header, argument slots, differences, directory of chunks, bitmap of selected groups: the host
 * writes these; discard area, chunks or slots: the device does.
 *
 * Arithmetic only. All numbers are checked: what does not fit has no layout.
 */
#ifndef SLICE_LAYOUT_H
#define SLICE_LAYOUT_H

#include "slice_box.h"

#include <stdbool.h>

struct kernel_table;

/* What is the same for all slices of a launch. */
struct slice_layout {
	uint32_t lanes;          /* work-items that share a chunk */
	uint32_t group_items;    /* work-items of a full group, rounded up to a multiple of lanes */
	uint32_t slot_words;     /* of a work-item's slot; 0: chunks */
	uint32_t argument_count; /* of the kernel */
	uint32_t difference_count; /* of its table: told behind the arguments */
	bool is_selective;         /* some groups are not recorded */
};

struct slice {
	struct slice_box box;
	uint32_t chunk_words; /* of each lane: in a chunk, or in a slot */
	uint32_t chunk_count; /* 0: slots */
	uint32_t lane_chunks; /* most chunks of one set of lanes; 0 where there is no directory */
	uint64_t directory_offset, selection_offset, discard_offset; /* 0: there is none */
	uint64_t records_offset;                                     /* of chunks or slots */
	uint64_t end_offset;                                         /* of all */
};

/* The layout for a kernel in a launch of this shape. Wide addresses have more than 48 bits. */
struct slice_layout slice_layout_of(const struct kernel_table *table,
                                    const struct launch_shape *shape, bool is_selective,
                                    bool is_wide);

/* Bytes from the beginning to behind what the first work-item tells. */
uint64_t slice_layout_told_bytes(const struct slice_layout *l);

/* Bytes of a chunk with its header. */
uint64_t slice_layout_chunk_bytes(const struct slice_layout *l, uint32_t chunk_words);

/* Bytes of a group's slots. */
uint64_t slice_layout_group_bytes(const struct slice_layout *l);

/*
 * Place the parts of a slice in a buffer of `bytes`. s->box and s->chunk_words are given. With
 * chunks: as many as fit. False when not even one chunk, or not all the slots, would fit.
 */
bool slice_layout_place(const struct slice_layout *l, struct slice *s, uint64_t bytes);

/* Bytes from the beginning that the host writes before the slice runs. */
uint64_t slice_layout_prefix(const struct slice *s);

#endif
