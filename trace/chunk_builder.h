/*
 * chunk_builder - gathers whole groups into one checksummed, compressed chunk of a launch file;
 * private to trace/.
 */
#ifndef CHUNK_BUILDER_H
#define CHUNK_BUILDER_H

#include "array.h"
#include "event.h"
#include "guide_choice.h"
#include "launch_columns.h"
#include "launch_format.h"
#include "launch_model.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * held_groups - copies of the first groups of a chunk, until its guides are chosen; private to
 * trace/.
 */

/* Limits of held groups: 512 KiB of events, and half of that for their index. */
#define HELD_EVENTS_MAX (UINT32_C(1) << 15)
#define HELD_FIRSTS_MAX (UINT32_C(1) << 15)
#define HELD_GROUPS_MAX 4096

/* The arrays grow as needed. */
struct held_groups {
	struct array groups; /* struct group_events, of the two below */
	struct array firsts; /* uint64_t */
	struct array events; /* struct event */
};

/* Returns all groups, groups.count of them, valid until the next call. */
const struct group_events *held_groups_all(const struct held_groups *h);

struct ZSTD_CCtx_s;

/* A chunk that is being filled. Its first groups are held until its guides can be chosen. */
struct chunk_builder {
	const struct kernel_table *table; /* borrowed */
	bool is_stored;                   /* columns are not compressed, and there are no guides */
	bool has_parts;                   /* `model`, `choice` and `guides` exist */
	struct launch_model model;
	struct column columns[COLUMN_COUNT];
	struct column planes[COLUMN_COUNT]; /* of the values, while they are packed */
	struct launch_chunk_header header;  /* its column sizes are set when it is packed */
	struct array groups;                /* uint32_t: their numbers */
	uint64_t previous_count;
	struct guide_choice *choice; /* NULL: there are no guides */
	struct site_guide *guides;   /* one place for each site of the table */
	size_t guide_count;
	bool is_chosen; /* nothing more is held */
	struct held_groups held;
	struct ZSTD_CCtx_s *context;
};

/* Begin for the kernel of a table. Allocates nothing. Release in every case. */
void chunk_builder_init(struct chunk_builder *b, const struct kernel_table *t);
void chunk_builder_release(struct chunk_builder *b);

/* Whether a group of this size fits in the chunk. */
bool chunk_builder_has_room(const struct chunk_builder *b, uint32_t items, uint64_t events);

/* Add a checked group with its totals. Returns 0, or ERR_NOMEM: the chunk is lost. */
int chunk_builder_add(struct chunk_builder *b, uint32_t group, const struct group_events *g,
                      const struct launch_totals *totals, struct err *err);

/* Make header and columns in the file's format; the caller frees *bytes. Returns 0 or ERR_NOMEM.
 */
int chunk_builder_pack(struct chunk_builder *b, unsigned char **bytes, size_t *length,
                       struct err *err);

/* Begin the next chunk. */
void chunk_builder_clear(struct chunk_builder *b);

#endif
