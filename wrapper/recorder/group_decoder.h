/*
 * group_decoder - decodes the words of a slice's records into the events of whole work-groups.
 *
 * One for each thread; it decodes several groups at a time. If there is a sink, a group with more
 * events than a chunk of a launch file takes is passed on in parts while it is decoded. Malformed
 * chunks and places are counted; the events decoded before them stay.
 */
#ifndef GROUP_DECODER_H
#define GROUP_DECODER_H

#include "array.h"
#include "event.h"
#include "word_recipe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;
struct slice_records;
struct word_decoder;

/*
 * group_rounds - records one work-group that makes more records than the device buffer holds: it
 * runs several times from the same memory, and each run leaves the records that follow those of the
 * last.
 *
 * The device gets the number of chunks to skip for each work-item (probe_abi.h): one less than it
 * has recorded, because the last chunk of a round is recorded again in the next one. If its words
 * differ, the runs differ and their records do not belong together. The state of each work-item's
 * decoder is kept from round to round. Only for kernels whose work-items have chunks of their own
 * (one lane).
 */

/* A work-item after a round. */
struct round_item {
	uint32_t chunks; /* recorded so far */
	uint32_t words;  /* in the last of them */
	uint64_t sum;    /* XXH64 of these words */
};

struct group_rounds {
	uint32_t item_count;
	uint32_t *skips; /* for the device: chunks that each work-item skips */
	struct round_item *items;
	size_t state_bytes;
	unsigned char *states; /* of the decoders, state_bytes for each work-item */
	uint64_t chunks;       /* recorded by all work-items */
	uint32_t round;        /* being decoded, from 0 */
	bool is_last;          /* it is the last one */
	bool is_inconsistent;  /* a round differed from the one before or was malformed */
};

/* Begin a group of `items` work-items. Returns 0, ERR_NOMEM, or ERR_LIMIT when the states of their
 * decoders take too much memory. Release it in every case. */
int group_rounds_init(struct group_rounds *g, const struct kernel_table *table, uint32_t items,
                      struct err *err);

void group_rounds_release(struct group_rounds *g);

/* Prepare another round after a decoded one. Returns whether that had new records.
 */
bool group_rounds_next(struct group_rounds *g);

/*
 * Takes a group, or the next events of each work-item in it. `is_last`: nothing of the group
 * follows. Returns 0, or ERR_* with *err set.
 */
typedef int (*group_sink)(void *context, uint64_t group, const struct group_events *part,
                          bool is_last, struct err *err);

struct group_decoder {
	const struct kernel_table *table;
	struct word_decoder *words;
	struct word_recipe recipe;
	uint64_t recipe_slice; /* first group of the recipe's slice */
	struct array groups;   /* of struct decoded_group */
	struct array first;    /* of uint64_t, item_count + 1 for each group */
	struct array events;   /* of struct event */
	group_sink sink;       /* for parts; NULL: groups stay whole. Set by the caller, like */
	void *context;
	uint64_t *sums;        /* count mode: of each cell, over all groups; else NULL */
	uint64_t counted;      /* count mode: work-items of all groups */
	uint64_t damaged;      /* chunks or places, since the last clear */
	uint64_t chunk_events; /* of all events since then, from chunks */
	uint64_t sent_events;  /* events passed to the sink */
};

/* Begin for a kernel; `table` is borrowed. Returns 0 or ERR_NOMEM. Release it in every case. */
int group_decoder_init(struct group_decoder *d, const struct kernel_table *table, struct err *err);

void group_decoder_release(struct group_decoder *d);

/* Begin another launch of the kernel: forget the groups, the counts and the recipe. */
void group_decoder_begin(struct group_decoder *d);

/* Forget the groups and free the memory of large ones. */
void group_decoder_clear(struct group_decoder *d);

/*
 * Decode group g of indexed records, or what a round recorded of it. If the waiting events exceed a
 * part, the sink gets all waiting groups and parts of this one; its last part waits, as a group
 * does. Returns 0, ERR_NOMEM, ERR_LIMIT, or what the sink returned.
 */
int group_decoder_add(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      struct err *err);

/* Send all waiting groups and last parts to the sink, which must be set. Returns 0 or what it
 * returned. */
int group_decoder_send(struct group_decoder *d, struct err *err);

#endif
