/*
 * stream_bundle - instructions of a warp that go on alike over many iterations, in the memory of a
 * few: part of a group's stream.
 *
 * Where all lanes of an access move by the same stride, its line requests in iteration i + P are
 * those of iteration i, moved by P * stride, if that is a number of whole lines. So one set of
 * requests is kept for each of the first P iterations, P = line / gcd(line, stride), and those are
 * all alignments that there are.
 */
#ifndef STREAM_BUNDLE_H
#define STREAM_BUNDLE_H

#include "array.h"

#include <stdint.h>

/* The site of an instruction that stands for the bundle number `request_count`. */
#define STREAM_BUNDLE UINT32_MAX

/* What fits in request_count. */
#define STREAM_COUNT_MASK (UINT32_MAX >> 1)

struct stream_instruction {
	uint32_t site;               /* an access or a barrier */
	uint32_t request_count : 31; /* below 2^24, see coalesce(); likewise bundles */
	uint32_t is_followed : 1; /* by a further sub-warp of the same large warp's instruction */
};

struct stream_request {
	uint64_t line;
	uint32_t pattern;
	int32_t buffer;
};

/* An access in iterations of one alignment. */
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

/* Those of a group. */
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
 * stream_cursor - a warp's way through its instructions in a group's stream.
 *
 * Iterations of a bundle pass one by one, as if each had its own instructions.
 */

struct warp_access;

/* A place in a warp's instructions. All is borrowed from the stream. */
struct stream_cursor {
	const struct stream_instruction *at, *end;  /* the next one, unless it is `end` */
	const struct stream_request *requests;      /* of *at, */
	uint64_t moved_bytes;                       /* their lines moved by this */
	const struct stream_bundle *bundle;         /* that *at is in, or NULL */
	uint64_t iteration;                         /* of the bundle, */
	uint32_t strand;                            /* and which of its strands */
	const struct stream_instruction *back;      /* what stands for the bundle, */
	const struct stream_request *back_requests; /* and those that follow it */
	struct stream_window *window;               /* that `end` is the end of, or NULL */
};

/* The beginning of warp number `warp`. */
void stream_cursor_start(struct stream_cursor *c, const struct group_stream *s, uint32_t warp);

/* Let lane_count, item and address of *a be those of the instruction at which the cursor stands, an
 * access; the stream's maker keeps lanes. Borrowed from the stream until the cursor goes on. */
void stream_cursor_lanes(const struct stream_cursor *c, const struct group_stream *s,
                         struct warp_access *a);

/* Go on; not at the end. */
void stream_cursor_next(struct stream_cursor *c, const struct group_stream *s);

#endif
