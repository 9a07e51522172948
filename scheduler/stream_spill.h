/*
 * stream_spill - the instructions and requests of a long group, outside memory: part of a group's
 * stream (private to this room).
 *
 * Of each warp those that it makes next are in memory, in a window of a few hundred requests; the
 * others are in a spill_file. So a group that makes a hundred thousand irregular requests takes no
 * more memory than one that makes some thousands.
 */
#ifndef STREAM_SPILL_H
#define STREAM_SPILL_H

#include "spill_file.h"
#include "stream_bundle.h"

struct group_stream;

/* What a warp has in memory. */
struct stream_window {
	struct stream_instruction *instructions;
	struct stream_request *requests;
	size_t room; /* requests */
	size_t at, end,
		request; /* what comes behind these: instructions of the group, its request */
};

struct stream_spill {
	struct spill_file *file; /* NULL: all is in the stream's arrays */
	struct spill_place place;
	uint64_t requests_at; /* offset in the place, behind the instructions */
	struct stream_window *windows;
	uint32_t window_count;
};

/* Free what it owns. Accepts a zeroed struct. */
void stream_spill_release(struct stream_spill *s);

/* Move the instructions and requests of a stream to the file, if they are many and that works;
 * otherwise they stay where they are. It keeps no lanes, paths or ranks. */
void stream_spill_move(struct group_stream *s, struct spill_file *f);

/* The window of a warp, at its beginning: nothing is in it. */
struct stream_window *stream_spill_window(const struct group_stream *s, uint32_t warp);

/* Fill it with what comes next; returns how many instructions, 0 at the warp's end and when it
 * cannot be read (spill_file_check()). */
size_t stream_spill_fill(const struct group_stream *s, struct stream_window *w);

#endif
