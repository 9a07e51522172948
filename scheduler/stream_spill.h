/*
 * stream_spill - the instructions and requests of a long group, outside memory: part of a group's
 * stream (private to this room).
 *
 * They are written extent by extent while the stream is formed. Of each warp those that it makes
 * next are in memory, in a window of a few hundred requests; the others are in a spill_file. So a
 * group that makes a hundred million irregular requests takes no more memory than one that makes
 * some thousands.
 */
#ifndef STREAM_SPILL_H
#define STREAM_SPILL_H

#include "array.h"
#include "spill_file.h"
#include "stream_bundle.h"

struct err;
struct group_stream;

/* Instructions that follow each other, with their requests and, where these are kept, lanes. */
struct stream_extent {
	struct spill_place place;
	size_t first_instruction, instructions;
	size_t first_request, requests;
	size_t lanes;
};

/* What a warp has in memory. */
struct stream_window {
	struct stream_instruction *instructions;
	struct stream_request *requests;
	size_t *lane_ends;   /* of the instructions, from the window's first lane on */
	uint32_t *items;     /* of the lanes */
	uint64_t *addresses; /* likewise */
	size_t room;         /* requests */
	size_t lane_room;
	/* What follows these: instructions of the group, its request; in which extent. */
	size_t at, end, request, extent;
};

struct stream_spill {
	struct spill_file *file; /* NULL: all is in the stream's arrays */
	bool is_refused;         /* and stays there, since the file cannot be made */
	struct array
		extents; /* struct stream_extent; behind extent_count only places to use again */
	size_t extent_count;
	size_t instructions, requests; /* of all extents */
	struct stream_window *windows;
	uint32_t window_count;
};

/* No extents. No allocation. */
void stream_spill_init(struct stream_spill *s);
/* Free what it owns. */
void stream_spill_release(struct stream_spill *s);

/* The next group: no extents, and their places are used again. */
void stream_spill_clear(struct stream_spill *s);

/* Bytes of the instructions, requests and lanes that are in a stream's arrays. */
size_t stream_spill_bytes(const struct group_stream *s);

/*
 * Move what is in a stream's arrays to the file, as an extent. When that cannot be of the first
 * extent, all stays in memory. The stream keeps no paths or ranks. Returns 0, ERR_IO or ERR_NOMEM.
 */
int stream_spill_add(struct group_stream *s, struct spill_file *f, struct err *err);

/* The stream is formed: move the rest, if it is at least `least_bytes` or some is moved already.
 * Returns likewise. */
int stream_spill_end(struct group_stream *s, struct spill_file *f, size_t least_bytes,
                     struct err *err);

/* The window of a warp, at its beginning: nothing is in it. */
struct stream_window *stream_spill_window(const struct group_stream *s, uint32_t warp);

/* Fill it with what comes next; returns how many instructions, 0 at the warp's end and when it
 * cannot be read (spill_file_check()). */
size_t stream_spill_fill(const struct group_stream *s, struct stream_window *w);

#endif
