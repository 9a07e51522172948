/*
 * chunk_builder - gathers whole groups and makes them one checked, compressed piece of a launch
 * file; private to trace/.
 */
#ifndef CHUNK_BUILDER_H
#define CHUNK_BUILDER_H

#include "guide_choice.h"
#include "held_groups.h"
#include "launch_columns.h"
#include "launch_format.h"
#include "launch_model.h"

struct ZSTD_CCtx_s;

/* A chunk that is being filled. Its first groups are held until its guides can be chosen. */
struct chunk_builder {
	const struct kernel_table *table; /* borrowed */
	bool is_stored;                   /* columns are not compressed, and there are no guides */
	bool has_parts;                   /* `model`, `choice` and `guides` are made */
	struct launch_model model;
	struct column columns[COLUMN_COUNT];
	struct column planes[COLUMN_COUNT]; /* of the values, while they are packed */
	struct launch_chunk_header header;  /* its column sizes are set when packed */
	struct array groups;                /* uint32_t: their numbers */
	uint64_t previous_count;
	struct guide_choice *choice; /* NULL: there are no guides */
	struct site_guide *guides;   /* one place for each site of the table */
	size_t guide_count;
	bool is_chosen; /* nothing is held any more */
	struct held_groups held;
	struct ZSTD_CCtx_s *context;
};

/* Begin for the kernel of a table. Allocates nothing. Release in every case. */
void chunk_builder_init(struct chunk_builder *b, const struct kernel_table *t);
void chunk_builder_release(struct chunk_builder *b);

/* Whether a group of this size may be added to the chunk as it is. */
bool chunk_builder_has_room(const struct chunk_builder *b, uint32_t items, uint64_t events);

/* Add a group that was checked, with its totals. Returns 0, or ERR_NOMEM: the chunk is lost. */
int chunk_builder_add(struct chunk_builder *b, uint32_t group, const struct group_events *g,
                      const struct launch_totals *totals, struct err *err);

/* Header and columns as they are in the file; the caller frees *bytes. Returns 0 or ERR_NOMEM. */
int chunk_builder_pack(struct chunk_builder *b, unsigned char **bytes, size_t *length,
                       struct err *err);

/* Begin the next chunk. */
void chunk_builder_clear(struct chunk_builder *b);

#endif
