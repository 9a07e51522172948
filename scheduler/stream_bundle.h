/*
 * stream_bundle - instructions of a warp that repeat regularly over many iterations, in the memory
 * of a few: part of a group's stream.
 *
 * If all lanes of an access move by the same stride, its line requests in iteration i + P are those
 * of iteration i moved by P * stride, provided that this is a whole number of lines. So only the
 * requests of the first P iterations are stored, P = line / gcd(line, stride): these are all the
 * alignments.
 */
#ifndef STREAM_BUNDLE_H
#define STREAM_BUNDLE_H

#include "array.h"

#include <stdint.h>

/* The site of an instruction that stands for a bundle, whose number is its request_count. */
#define STREAM_BUNDLE UINT32_MAX

/* The largest request_count. */
#define STREAM_COUNT_MASK (UINT32_MAX >> 1)

struct stream_instruction {
	uint32_t site;               /* an access or a barrier */
	uint32_t request_count : 31; /* or the number of a bundle; below 2^24, see coalesce() */
	uint32_t is_followed : 1;    /* by another sub-warp of the same large-warp instruction */
};

struct stream_request {
	uint64_t line;
	uint32_t pattern;
	int32_t buffer;
};

/* An access in the iterations of one alignment. */
struct stream_class {
	struct stream_instruction instruction;
	size_t first_request; /* of stream_bundles.requests */
};

/* An access in all iterations: iteration i has class i modulo 2^period_bits, and its requests are
 * moved by (i >> period_bits) * period_bytes. */
struct stream_strand {
	size_t first_class;
	uint32_t period_bits;
	uint64_t period_bytes;
};

struct stream_bundle {
	uint64_t length; /* iterations */
	size_t first_strand;
	uint32_t strand_count; /* instructions in each iteration, >= 1 */
};

/* The bundles of a group. */
struct stream_bundles {
	struct array bundles;
	struct array strands;
	struct array classes;
	struct array requests; /* struct stream_request */
};

struct group_stream;

void stream_bundles_init(struct stream_bundles *b);
void stream_bundles_release(struct stream_bundles *b);
void stream_bundles_clear(struct stream_bundles *b);

/*
 * stream_cursor - iterates over a warp's instructions in a group's stream.
 *
 * The iterations of a bundle are visited one by one, as if each had its own instructions.
 */

struct warp_access;

/* A position in a warp's instructions. Everything is borrowed from the stream. */
struct stream_cursor {
	const struct stream_instruction *at, *end;  /* the next one, unless it is `end` */
	const struct stream_request *requests;      /* of *at, not yet moved */
	uint64_t moved_bytes;                       /* bytes to add to the lines of `requests` */
	const struct stream_bundle *bundle;         /* the bundle of *at, or NULL */
	uint64_t iteration;                         /* current iteration of the bundle */
	uint32_t strand;                            /* current strand of the bundle */
	const struct stream_instruction *back;      /* the instruction that stands for the bundle */
	const struct stream_request *back_requests; /* the requests of the instruction after it */
	struct stream_window *window;               /* the window that ends at `end`, or NULL */
};

/* Start at the first instruction of warp number `warp`. */
void stream_cursor_start(struct stream_cursor *c, const struct group_stream *s, uint32_t warp);

/* Set lane_count, item and address of *a to those of the current instruction, which must be an
 * access; the stream's maker must keep lanes. The arrays are borrowed from the stream until the
 * cursor moves. */
void stream_cursor_lanes(const struct stream_cursor *c, const struct group_stream *s,
                         struct warp_access *a);

/* Move to the next instruction; must not be at the end. */
void stream_cursor_next(struct stream_cursor *c, const struct group_stream *s);

#endif
