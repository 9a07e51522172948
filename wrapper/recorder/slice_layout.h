/*
 * slice_layout - the layout of a slice's device buffer (probe_abi.h, version 5).
 *
 *   header, argument slots, differences: written by the host;
 *   places of the work-items: by the device;
 *   directory of chunks, bitmaps of groups, chunks to skip: by the host;
 *   discard area, chunks: by the device.
 *
 * Only arithmetic. All numbers are checked: a slice that does not fit has no layout.
 */
#ifndef SLICE_LAYOUT_H
#define SLICE_LAYOUT_H

#include "launch_shape.h"

#include <stdbool.h>

struct kernel_table;

/*
 * slice_box - a slice of a launch: consecutive work-groups that form a box of the grid.
 *
 * One launch with a global offset can run a box, and get_global_id() is right without changes. A
 * box is a number of whole planes, of whole rows of one plane, or a part of one row. The last group
 * of a dimension may have fewer work-items.
 */

struct slice_box {
	uint64_t begin, end;         /* groups [begin, end), linear */
	uint64_t first[3], count[3]; /* in each dimension: first group, number of groups >= 1 */
};

/*
 * Returns the largest box that begins with group `begin` of the launch and has at most `most` >= 1
 * groups.
 */
struct slice_box slice_box_at(const struct launch_shape *shape, uint64_t begin, uint64_t most);

/*
 * Get the global offset and the global size to launch, in work-items. Without a partial group the
 * size is a multiple of the local size.
 */
void slice_box_range(const struct slice_box *box, const struct launch_shape *shape,
                     uint64_t offset[3], uint64_t global[3]);

/* Returns the number of work-items in the box's groups before g, which is one of them. */
uint64_t slice_box_items_before(const struct slice_box *box, const struct launch_shape *shape,
                                uint64_t g);

/* The part that all slices of a launch share. */
struct slice_layout {
	uint32_t lanes;            /* work-items that share a chunk */
	uint32_t full_items;       /* work-items of a full group */
	uint32_t group_items;      /* rounded up to a multiple of lanes */
	uint32_t slot_words;       /* of a work-item's slot; 0: places and chunks */
	uint32_t argument_count;   /* of the kernel */
	uint32_t difference_count; /* of the kernel's table; reported after the arguments */
	bool is_selective;         /* some groups are not recorded */
	bool has_sample;           /* the kernel records local memory in some groups only: */
	struct local_sample sample;
};

struct slice {
	struct slice_box box;
	uint32_t place_words; /* of a work-item's place, or slot */
	uint32_t chunk_words; /* of a lane in a chunk */
	uint32_t chunk_count; /* 0: slots */
	uint32_t
		lane_chunks; /* maximum number of chunks of a set of lanes; 0 without a directory */
	bool has_skips;      /* the only group's work-items skip chunks (group_decoder.h) */
	uint64_t places_offset, places_bytes;
	uint64_t directory_offset, selection_offset, discard_offset; /* 0: none */
	uint64_t skips_offset, sample_offset;
	uint64_t tables_offset, tables_bytes; /* directory, bitmaps and chunks to skip */
	uint64_t chunks_offset;
	uint64_t end_offset; /* of the whole slice */
};

/* Returns the layout for a kernel in a launch of this shape. is_wide: addresses have more than 48
 * bits. */
struct slice_layout slice_layout_of(const struct kernel_table *table,
                                    const struct launch_shape *shape, bool is_selective,
                                    bool is_wide);

/* Returns the size of the report: from the beginning to the end of the differences. */
uint64_t slice_layout_report_bytes(const struct slice_layout *l);

/* Returns the bytes of a chunk with its header. */
uint64_t slice_layout_chunk_bytes(const struct slice_layout *l, uint32_t chunk_words);

/* Returns the bytes of a full group's places of `place_words` words each. */
uint64_t slice_layout_group_bytes(const struct slice_layout *l, uint32_t place_words);

/*
 * Place the parts of a slice in a buffer of `bytes`. The caller sets s->box, s->place_words,
 * s->has_skips and, unless there are slots, s->chunk_words. There are as many chunks as fit. False
 * when the places and one chunk do not fit.
 */
bool slice_layout_place(const struct slice_layout *l, struct slice *s, uint64_t bytes);

/* Returns the bytes from places_offset on that a slice with `used_chunks` used chunks has written.
 */
uint64_t slice_layout_record_bytes(const struct slice_layout *l, const struct slice *s,
                                   uint32_t used_chunks);

#endif
