/*
 * group_decoder - the words that a slice left, decoded into the events of whole work-groups.
 *
 * One for each thread; several groups at a time. Chunks and places that make no
 * sense are counted: what was decoded of their work-item before stays.
 */
#ifndef GROUP_DECODER_H
#define GROUP_DECODER_H

#include "array.h"
#include "group_events.h"
#include "word_recipe.h"

struct err;
struct kernel_table;
struct slice_records;
struct word_decoder;

struct group_decoder {
	const struct kernel_table *table;
	struct word_decoder *words;
	struct word_recipe recipe;
	uint64_t recipe_slice; /* first group of the slice that it is of */
	struct array groups;   /* of struct decoded_group */
	struct array first;    /* of uint64_t, item_count + 1 for each group */
	struct array events;   /* of struct event */
	uint64_t *sums;        /* count mode: for each cell, of all groups; else NULL */
	uint64_t counted;      /* count mode: work-items of all groups */
	uint64_t damaged;      /* chunks or places, since the last clear */
	uint64_t chunk_events; /* of those events, from chunks */
};

/* One group: its events and first[] begin there. */
struct decoded_group {
	uint64_t group;
	uint32_t item_count;
	size_t first, events;
};

/* Begin for a kernel; `table` is borrowed. Returns 0 or ERR_NOMEM. Release in every case. */
int group_decoder_init(struct group_decoder *d, const struct kernel_table *table, struct err *err);
void group_decoder_release(struct group_decoder *d);

/* Another launch of the kernel: forget the groups, the counts and the recipe. */
void group_decoder_begin(struct group_decoder *d);

/* Forget the groups; the memory of large ones is given back. */
void group_decoder_clear(struct group_decoder *d);

/* Decode group g of indexed records. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int group_decoder_add(struct group_decoder *d, const struct slice_records *r, uint64_t g,
                      struct err *err);

/* The i-th of groups.count groups; *out is borrowed until the next add or clear. Its number. */
uint64_t group_decoder_get(const struct group_decoder *d, size_t i, struct group_events *out);

#endif
