/*
 * stream_spill - keeps the instructions and requests of a long group in a file instead of memory:
 * part of a group's stream (private to this room).
 *
 * They are written extent by extent while the stream is formed. Each warp has a window in memory
 * that holds its next instructions and up to a few hundred of their requests; the others are in a
 * spill_file. So a group with a hundred million irregular requests takes no more memory than one
 * with a few thousand.
 */
#ifndef STREAM_SPILL_H
#define STREAM_SPILL_H

#include "array.h"
#include "spill_file.h"
#include "stream_bundle.h"

struct err;
struct group_stream;

/* Consecutive instructions with their requests and, if these are kept, lanes. */
struct stream_extent {
	struct spill_place place;
	size_t first_instruction, instructions;
	size_t first_request, requests;
	size_t lanes;
};

/* The part of a warp's instructions that is in memory. */
struct stream_window {
	struct stream_instruction *instructions;
	struct stream_request *requests;
	size_t *lane_ends;   /* of each instruction, counted from the window's first lane */
	uint32_t *items;     /* of the lanes */
	uint64_t *addresses; /* of the lanes */
	size_t room;         /* for that many requests */
	size_t lane_room;
	/* The rest of the warp, by number in the group: next instruction, end, next request; its
	 * extent. */
	size_t at, end, request, extent;
};

struct stream_spill {
	struct spill_file *file; /* NULL: everything is in the stream's arrays */
	bool is_refused; /* the first extent could not be written: everything stays in memory */
	struct array extents; /* struct stream_extent; beyond extent_count only places for reuse */
	size_t extent_count;
	size_t instructions, requests; /* of all extents */
	struct stream_window *windows;
	uint32_t window_count;
};

/* Make *s empty. No allocation. */
void stream_spill_init(struct stream_spill *s);
/* Free what it owns; it is then empty. */
void stream_spill_release(struct stream_spill *s);

/* Begin the next group: forget the extents and keep their places in the file for reuse. */
void stream_spill_clear(struct stream_spill *s);

/* The bytes of the instructions, requests and lanes in a stream's arrays. */
size_t stream_spill_bytes(const struct group_stream *s);

/*
 * Move the contents of a stream's arrays to the file, as one extent. The stream must keep no paths
 * or ranks. If writing the first extent fails, everything stays in memory and the result is 0.
 * Returns 0, ERR_IO if a later extent cannot be written, or ERR_NOMEM.
 */
int stream_spill_add(struct group_stream *s, struct spill_file *f, struct err *err);

/* The stream is formed: move the rest to the file if it has at least `least_bytes`, or if an
 * earlier extent was moved. Returns as stream_spill_add() does. */
int stream_spill_end(struct group_stream *s, struct spill_file *f, size_t least_bytes,
                     struct err *err);

/* Returns the window of a warp, empty and at the warp's first instruction. Borrowed from the
 * stream. */
struct stream_window *stream_spill_window(const struct group_stream *s, uint32_t warp);

/* Fill the window with the warp's next instructions. Returns their number: 0 at the warp's end, and
 * if they cannot be read (spill_file_check()). */
size_t stream_spill_fill(const struct group_stream *s, struct stream_window *w);

#endif
