/*
 * reuse_sample - reuse distances of reads of a sample of lines, fully associative (private to this
 * room): for what a reuse_window does not know.
 *
 * SHARDS (Waldspurger and others 2015), of fixed size: lines are in the sample whose hash ends in
 * `bits` zeros, so that a read of one, with d others of the sample used since, has a distance of d
 * * 2^bits on average, and stands for 2^bits reads. A line is in it for all of the launch or not at
 * all; when more than `limit` lines are, bits becomes one more and half of them are forgotten.
 *
 * Memory: some 50 bytes for each line of the limit.
 */
#ifndef REUSE_SAMPLE_H
#define REUSE_SAMPLE_H

#include "line_names.h"
#include "reuse_order.h"

#include <stddef.h>

struct reuse_window;

enum { REUSE_SAMPLE_BITS = 4 };

/* All zeros is one that is not begun. */
struct reuse_sample {
	struct line_names names; /* whose words are the places of the order */
	struct reuse_order order;
	uint32_t limit;
	uint32_t bits;
	uint64_t salt; /* of the hash: another for each SM */
	bool is_begun;
	bool is_failed; /* memory ran out */
};

/* Free what it owns; it is not begun any more. */
void reuse_sample_release(struct reuse_sample *s);

/* Begin with what a window knows that has forgotten nothing. */
void reuse_sample_begin(struct reuse_sample *s, const struct reuse_window *w, uint32_t limit,
                        uint64_t salt);

/* Forget all, and keep the memory: it is not begun. */
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

/* A use of a line of the sample. Returns its distance, estimated, or REUSE_NEVER or REUSE_TAKEN. */
uint32_t reuse_sample_use(struct reuse_sample *s, uint64_t line);

/* A write or an atomic takes a line of the sample out. */
void reuse_sample_take(struct reuse_sample *s, uint64_t line);

bool reuse_sample_has_failed(const struct reuse_sample *s);

#endif
