/*
 * reuse_sample - fully associative reuse distances of a sample of lines (private to this room), for
 * reads that a reuse_window does not know.
 *
 * SHARDS (Waldspurger and others 2015), of fixed size: the sample has the lines whose hash ends in
 * `bits` zeros. So a read of one, with d others of the sample used since, has a distance of d *
 * 2^bits on average, and stands for 2^bits reads. A line is in it for the whole launch or not at
 * all; with more than `limit` lines, bits grows by one and half of them are forgotten.
 *
 * Memory: about 50 bytes per line of the limit.
 */
#ifndef REUSE_SAMPLE_H
#define REUSE_SAMPLE_H

#include "line_names.h"
#include "reuse_order.h"

#include <stddef.h>

struct reuse_window;

enum { REUSE_SAMPLE_BITS = 4 };

/* All zeros: not begun. */
struct reuse_sample {
	struct line_names names; /* whose words are the places of the order */
	struct reuse_order order;
	uint32_t limit;
	uint32_t bits;
	uint64_t salt; /* of the hash: another for each SM */
	bool is_begun;
	bool is_failed; /* memory ran out */
};

/* Free what it owns; it is then not begun. */
void reuse_sample_release(struct reuse_sample *s);

/* Begin with the lines of a window that has forgotten nothing. */
void reuse_sample_begin(struct reuse_sample *s, const struct reuse_window *w, uint32_t limit,
                        uint64_t salt);

/* Forget everything, but keep the memory; it is then not begun. */
void reuse_sample_clear(struct reuse_sample *s);

/* splitmix64's finish: every bit of the line counts. */
static inline uint64_t reuse_sample_hash(const struct reuse_sample *s, uint64_t line)
{
	line ^= s->salt;
	line = (line ^ line >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	line = (line ^ line >> 27) * UINT64_C(0x94d049bb133111eb);
	return line ^ line >> 31;
}

/* Whether a line of this hash is in the sample. */
static inline bool reuse_sample_has(const struct reuse_sample *s, uint64_t hash)
{
	return !(hash & ((UINT64_C(1) << s->bits) - 1));
}

/* Record a use of a line of the sample. Returns its estimated distance, or REUSE_NEVER or
 * REUSE_TAKEN. */
uint32_t reuse_sample_use(struct reuse_sample *s, uint64_t line);

/* A write or an atomic removes a line of the sample. */
void reuse_sample_take(struct reuse_sample *s, uint64_t line);

bool reuse_sample_has_failed(const struct reuse_sample *s);

#endif
