/*
 * group_rounds - one work-group that makes more records than the device buffer holds, recorded in
 * rounds: it runs several times from the same memory, and each run leaves the records that follow
 * those of the run before.
 *
 * The device is told for each work-item how many of its chunks to pass over (probe_abi.h). It
 * passes over one less than there were: the last chunk of a round comes again in the next one and
 * must hold the same words, else the runs differ and their records do not belong together. What a
 * work-item's decoder knows is kept from round to round. Only where each work-item has chunks of
 * its own (one lane).
 */
#ifndef GROUP_ROUNDS_H
#define GROUP_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;

/* Of a work-item, after a round. */
struct round_item {
	uint32_t chunks; /* that were recorded */
	uint32_t words;  /* that the last of them has, */
	uint64_t sum;    /* and XXH64 of them */
};

struct group_rounds {
	uint32_t item_count;
	uint32_t *skips; /* for the device: chunks that each work-item passes over */
	struct round_item *items;
	size_t state_bytes;
	unsigned char *states; /* of decoders, state_bytes for each work-item */
	uint64_t chunks;       /* recorded by all work-items */
	uint32_t round;        /* that is decoded, from 0 */
	bool is_last;          /* it is the last one */
	bool is_at_odds;       /* a round was not as the one before, or made no sense */
};

/* Begin a group of so many work-items. Returns 0, ERR_NOMEM, or ERR_LIMIT: their decoders' states
 * take too much. Release in every case. */
int group_rounds_init(struct group_rounds *g, const struct kernel_table *table, uint32_t items,
                      struct err *err);
void group_rounds_release(struct group_rounds *g);

/* A round was decoded and another one is to follow. Returns whether there was anything new in it.
 */
bool group_rounds_next(struct group_rounds *g);

/* What a decoder keeps of a work-item. */
unsigned char *group_rounds_state(const struct group_rounds *g, uint32_t item);

/* The last chunk of a work-item: its first `words` words. */
void group_rounds_keep(struct group_rounds *g, uint32_t item, const uint64_t *chunk,
                       uint32_t words);

/* Whether a chunk is the one that was kept, of a work-item that has one. */
bool group_rounds_is_same(const struct group_rounds *g, uint32_t item, const uint64_t *chunk);

#endif
