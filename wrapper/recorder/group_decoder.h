/*
 * group_decoder - the words that a slice left, decoded into the events of whole work-groups.
 *
 * One for each thread; several groups at a time. A group of more events than a chunk of a launch
 * file takes is handed on in parts while it is decoded, where there is somebody to take them.
 * Chunks and places that make no sense are counted: what was decoded of their work-item before
 * stays.
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

/* One group, or what is left of one: its events and first[] begin there. */
struct decoded_group {
	uint64_t group;
	uint32_t item_count;
	size_t first, events;
	bool goes_on; /* in another round */
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
