/*
 * slice_layout - where things lie in the device buffer of a slice (probe_abi.h, version 5).
 *
 *   header, argument slots, differences: the host writes these;
 *   places of the work-items: the device does;
 *   directory of chunks, bitmaps of groups, chunks to pass over: the host;
 *   discard area, chunks: the device.
 *
 * Arithmetic only. All numbers are checked: what does not fit has no layout.
 */
#ifndef SLICE_LAYOUT_H
#define SLICE_LAYOUT_H

#include "launch_shape.h"

#include <stdbool.h>

struct kernel_table;

/*
 * slice_box - a slice of a launch: consecutive work-groups that are also a box of the grid.
 *
 * So that one launch with a global offset runs them and get_global_id() is
 * right without changes. Boxes are whole planes, or whole rows of one plane, or a
 * part of one row. In the last group of a dimension fewer work-items may exist.
 */

struct slice_box {
	uint64_t begin, end;         /* groups [begin, end), linear */
	uint64_t first[3], count[3]; /* in each dimension: first group, number of groups >= 1 */
};

/*
 * The largest box that begins with group `begin`, which the launch has, and holds at most `most`
 * >= 1 groups.
 */
struct slice_box slice_box_at(const struct launch_shape *shape, uint64_t begin, uint64_t most);

/*
 * What to launch: global offset and global size in work-items. Without a partial group the size
 * is a multiple of the local size.
 */
void slice_box_range(const struct slice_box *box, const struct launch_shape *shape,
                     uint64_t offset[3], uint64_t global[3]);

/* Work-items of the box in groups of lower number than g, which is one of its groups. */
uint64_t slice_box_items_before(const struct slice_box *box, const struct launch_shape *shape,
                                uint64_t g);

/* What is the same for all slices of a launch. */
struct slice_layout {
	uint32_t lanes;            /* work-items that share a chunk */
	uint32_t full_items;       /* work-items of a full group */
	uint32_t group_items;      /* rounded up to a multiple of lanes */
	uint32_t slot_words;       /* of a work-item's slot; 0: chunks */
	uint32_t argument_count;   /* of the kernel */
	uint32_t difference_count; /* of its table: reported after the arguments */
	bool is_selective;         /* some groups are not recorded */
	bool has_sample;           /* the kernel asks in which groups to record local memory: */
	struct local_sample sample;
};

struct slice {
	struct slice_box box;
	uint32_t place_words; /* of a work-item's place, or slot */
	uint32_t chunk_words; /* of each lane in a chunk */
	uint32_t chunk_count; /* 0: slots */
	uint32_t lane_chunks; /* most chunks of one set of lanes; 0 where there is no directory */
	bool has_skips;       /* work-items of the one group pass over chunks (group_decoder.h) */
	uint64_t places_offset, places_bytes;
	uint64_t directory_offset, selection_offset, discard_offset; /* 0: there is none */
	uint64_t skips_offset, sample_offset;
	uint64_t tables_offset, tables_bytes; /* directory, bitmaps and chunks to pass over */
	uint64_t chunks_offset;
	uint64_t end_offset; /* of all */
};

/* The layout for a kernel in a launch of this shape. Wide addresses have more than 48 bits. */
struct slice_layout slice_layout_of(const struct kernel_table *table,
                                    const struct launch_shape *shape, bool is_selective,
                                    bool is_wide);

/* Bytes from the beginning up to the end of what the first work-item reports. */
uint64_t slice_layout_report_bytes(const struct slice_layout *l);

/* Bytes of a chunk with its header. */
uint64_t slice_layout_chunk_bytes(const struct slice_layout *l, uint32_t chunk_words);

/* Bytes of the places of a full group, of `place_words` words each. */
uint64_t slice_layout_group_bytes(const struct slice_layout *l, uint32_t place_words);

/*
 * Place the parts of a slice in a buffer of `bytes`. s->box, s->place_words, s->has_skips and,
 * unless there are slots, s->chunk_words are given. With chunks: as many as fit. False when not
 * even one chunk, or not all the places, would fit.
 */
bool slice_layout_place(const struct slice_layout *l, struct slice *s, uint64_t bytes);

/* Bytes from places_offset on that a slice wrote which took `used_chunks` chunks. */
uint64_t slice_layout_record_bytes(const struct slice_layout *l, const struct slice *s,
                                   uint32_t used_chunks);

#endif
