/*
 * group_decoder - the words that a slice left, decoded into the events of whole work-groups.
 *
 * One for each thread; several groups at a time. A group of more events than a chunk of a launch
 * file takes is handed on in parts while it is decoded, where there is a sink.
 * Chunks and places that make no sense are counted: what was decoded of their work-item before
 * stays.
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
 * group_rounds - one work-group that makes more records than the device buffer holds, recorded in
 * rounds: it runs several times from the same memory, and each run leaves the records that follow
 * those of the run before.
 *
 * The device gets for each work-item the number of its chunks to skip (probe_abi.h). That is one
 * less than there were: the last chunk of a round comes again in the next one and must hold the
 * same words, else the runs differ and their records do not belong together. What a work-item's
 * decoder knows is kept from round to round. Only where each work-item has chunks of its own (one
 * lane).
 */

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
	bool is_inconsistent;  /* a round was not as the one before, or made no sense */
};

/* Begin a group of `items` work-items. Returns 0, ERR_NOMEM, or ERR_LIMIT: their decoders' states
 * take too much. Release in every case. */
int group_rounds_init(struct group_rounds *g, const struct kernel_table *table, uint32_t items,
                      struct err *err);

void group_rounds_release(struct group_rounds *g);

/* A round was decoded and another one is to follow. Returns whether there was anything new in it.
 */
bool group_rounds_next(struct group_rounds *g);

/*
 * Takes a group, or the next part of one: of each work-item what it did next. `is_last`: nothing of
 * the group comes after it. Returns 0, or ERR_* with *err set.
 */
typedef int (*group_sink)(void *context, uint64_t group, const struct group_events *part,
                          bool is_last, struct err *err);

struct group_decoder {
	const struct kernel_table *table;
	struct word_decoder *words;
	struct word_recipe recipe;
	uint64_t recipe_slice; /* first group of the slice that it is of */
	struct array groups;   /* of struct decoded_group */
	struct array first;    /* of uint64_t, item_count + 1 for each group */
	struct array events;   /* of struct event */
	group_sink sink;       /* of parts; NULL: groups stay whole. Set by the caller, as is: */
	void *context;
	uint64_t *sums;        /* count mode: for each cell, of all groups; else NULL */
	uint64_t counted;      /* count mode: work-items of all groups */
	uint64_t damaged;      /* chunks or places, since the last clear */
	uint64_t chunk_events; /* of all events since then, from chunks */
	uint64_t sent_events;  /* and that the sink was given */
};

/* Begin for a kernel; `table` is borrowed. Returns 0 or ERR_NOMEM. Release in every case. */
int group_decoder_init(struct group_decoder *d, const struct kernel_table *table, struct err *err);

void group_decoder_release(struct group_decoder *d);

/* Another launch of the kernel: forget the groups, the counts and the recipe. */
void group_decoder_begin(struct group_decoder *d);

/* Forget the groups; the memory of large ones is given back. */
void group_decoder_clear(struct group_decoder *d);

/*
 * Decode group g of indexed records. When they are more than a part takes, the sink is given all
 * the groups that wait here, and parts of this one; the last part waits, as a group does. Returns
 * 0, ERR_NOMEM, ERR_LIMIT, or what the sink returned. Of a slice that is one of several rounds:
 * what this one has of the group.
 */
int group_decoder_add(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      struct err *err);

/* Give the sink, which there is, the groups and last parts that wait. Returns 0 or what it
 * returned. */
int group_decoder_send(struct group_decoder *d, struct err *err);

#endif
