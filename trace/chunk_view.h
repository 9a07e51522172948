/*
 * chunk_view - one chunk of a launch file, read back; private to trace/.
 *
 * Groups are decoded on request. Requested in the order of the chunk, each replaces the one before,
 * so that only the events of one group are in memory, and still in the host's caches when they are
 * used. In any other order all groups are decoded and kept.
 */
#ifndef CHUNK_VIEW_H
#define CHUNK_VIEW_H

#include "columns_reader.h"
#include "launch_columns.h"
#include "launch_format.h"
#include "launch_model.h"

struct ZSTD_DCtx_s;
struct trace_source;

/* Memory that is reused from chunk to chunk; growing loses its contents. */
struct scratch {
	void *data;
	size_t capacity_bytes;
};

/* Where the items and events of a group begin in the view. */
struct chunk_place {
	uint32_t group;
	uint32_t items;
	uint64_t first; /* index of its first[0], */
	uint64_t event; /* and of its first event, if all groups are kept */
};

/* The shape of the launch of some groups of a chunk. */
struct chunk_shape {
	const struct launch_shape *shape;
	uint32_t end; /* one past the place of the last of them */
};

/* A chunk that was read. */
struct chunk_view {
	struct launch_model model;
	struct ZSTD_DCtx_s *context;
	const struct launch_header *file; /* borrowed */
	struct chunk_shape own_shape;     /* of all groups, in the file of one launch */
	const struct chunk_shape *shapes; /* borrowed */
	uint32_t groups_expected;         /* in a chunk of several launches; else 0 */
	const struct trace_source
		*source; /* from which the chunk was read, borrowed; for messages */
	uint64_t offset;
	struct launch_chunk_header header;
	struct chunk_place places[LAUNCH_CHUNK_GROUPS_MAX];
	struct scratch columns[COLUMN_COUNT]; /* unpacked */
	struct scratch packed;                /* as read from the file */
	struct scratch first;                 /* uint64_t: of the last group, or of all */
	struct scratch events;                /* struct event, of the same groups */
	struct columns_reader reader;
	uint32_t next;    /* place of the group that is decoded next */
	uint64_t decoded; /* events of those before */
	bool keeps_all;
};

/* `file` is the header of the file, for the kernel of `t`; both are borrowed. */
int chunk_view_init(struct chunk_view *v, const struct launch_header *file,
                    const struct kernel_table *t, struct err *err);
void chunk_view_release(struct chunk_view *v);

/* Declare that the chunk has several launches, with these shapes and `groups` groups in total. */
void chunk_view_set_shapes(struct chunk_view *v, const struct chunk_shape *shapes, uint32_t groups);

/*
 * Read and check the chunk at `offset` except for its events: header, checksum, group numbers.
 * *bytes gets its size in the file; `source` is borrowed. If the chunk extends past `end`, *bytes
 * is 0 and the result 0. Returns 0, ERR_FORMAT, ERR_IO or ERR_NOMEM.
 */
int chunk_view_load(struct chunk_view *v, struct trace_source *source, uint64_t offset,
                    uint64_t end, uint64_t *bytes, struct err *err);

/* Decompress the loaded chunk, so that its groups can be read. Returns 0, ERR_FORMAT or ERR_NOMEM.
 */
int chunk_view_unpack(struct chunk_view *v, struct err *err);

/* Also decode all groups: chunk_view_group() then changes nothing. */
int chunk_view_decode_all(struct chunk_view *v, struct err *err);

/*
 * Get the events of group `place` of the chunk, as stored; borrowed until the next call. Returns 0,
 * ERR_NOMEM, or ERR_FORMAT if the chunk is damaged up to this group (for the last group: anywhere);
 * after a failure only a load is allowed.
 */
int chunk_view_group(struct chunk_view *v, uint32_t place, struct group_events *out,
                     struct err *err);

#endif
