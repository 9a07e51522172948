/*
 * launch_index - the position of each group in a launch file; private to trace/.
 *
 * Chunks follow each other without gaps after the header, so their sizes give their offsets. Groups
 * are listed in the order of the file. A group may span several consecutive chunks, each of which
 * then have one part of it each and nothing else.
 *
 * Memory: 16 bytes for each run of groups that are in the same order in the chunk as in the launch:
 * a
 * few runs for each chunk, however many groups it has; in the worst case, with groups in random
 * order, one for each group.
 */
#ifndef LAUNCH_INDEX_H
#define LAUNCH_INDEX_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct launch_trailer;

struct index_chunk {
	uint64_t offset; /* of the chunk's header in the file */
	uint64_t bytes;  /* header and columns */
	uint64_t checksum;
	uint32_t groups;
};

/* Groups group, group + 1, ... at places place, place + 1, ... of a chunk. */
struct index_run {
	uint32_t group;
	uint32_t chunk; /* number of the chunk */
	uint16_t place; /* index of the group in the chunk */
	uint16_t count;
	uint32_t parts; /* 1, or the number of chunks that have a part of a single group */
};

struct launch_index {
	bool has_parts;      /* it has parts, and sums of chunks; set this before unpacking */
	struct array chunks; /* struct index_chunk */
	struct array runs;   /* struct index_run, in the order of the file until sorted */
	uint64_t entries;    /* groups of all chunks, each part counted */
	uint64_t groups;     /* groups, each counted once */
};

/* A group's position: `place` in `chunk`; or, for several parts, `parts` chunks from `chunk` on.
 */
struct index_place {
	uint32_t chunk, place, parts;
};

/* Make an empty index; release with launch_index_release(), which accepts a zeroed struct. */
void launch_index_init(struct launch_index *x);
void launch_index_release(struct launch_index *x);

/* Add the next chunk: `bytes` long, with these groups. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int launch_index_add(struct launch_index *x, uint64_t bytes, uint64_t checksum,
                     const uint32_t *groups, uint32_t count, struct err *err);

/* Remove the group that was added last, with all its parts. */
void launch_index_drop(struct launch_index *x);

/* Returns the bytes from the start of the file to the end of the last chunk. */
uint64_t launch_index_end(const struct launch_index *x);

/*
 * Make the index in the file's format, magic first; the caller frees *bytes. Sets index_bytes,
 * index_raw_bytes, index_checksum and chunks in *t. Returns 0 or ERR_NOMEM, with nothing to free.
 */
int launch_index_pack(const struct launch_index *x, unsigned char **bytes, struct launch_trailer *t,
                      struct err *err);

/*
 * Fill an empty index from the index_bytes bytes that the trailer describes. Returns 0,
 * ERR_FORMAT or ERR_NOMEM.
 */
int launch_index_unpack(struct launch_index *x, const unsigned char *bytes,
                        const struct launch_trailer *t, const char *name, struct err *err);

/* Sort by group. Fails with ERR_FORMAT when a group appears twice or is not below group_count. */
int launch_index_sort(struct launch_index *x, uint64_t group_count, const char *name,
                      struct err *err);

/* Find a group in a sorted index. False when it is not in the file. */
bool launch_index_find(const struct launch_index *x, uint64_t group, struct index_place *out);

/* Returns the first group >= `group` in a sorted index, or UINT64_MAX. */
uint64_t launch_index_next(const struct launch_index *x, uint64_t group);

/* Returns chunk `i`, borrowed. */
const struct index_chunk *launch_index_chunk(const struct launch_index *x, uint32_t i);

#endif
