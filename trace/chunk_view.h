/*
 * chunk_view - one chunk of a launch file, read back; private to trace/.
 */
#ifndef CHUNK_VIEW_H
#define CHUNK_VIEW_H

#include "launch_columns.h"
#include "launch_format.h"
#include "launch_model.h"

struct ZSTD_DCtx_s;
struct trace_source;

/* Memory that is used again from chunk to chunk; its contents are not kept when it grows. */
struct scratch {
	void *data;
	size_t capacity_bytes;
};

/* Where the items and events of a group begin in the view. */
struct chunk_place {
	uint32_t group;
	uint32_t items;
	bool is_packed; /* it has runs or grids */
	uint64_t first; /* index of its first[0] */
	uint64_t event; /* index of its first event */
};

/* A chunk that was read. */
struct chunk_view {
	struct launch_model model;
	struct ZSTD_DCtx_s *context;
	const struct launch_header *file; /* borrowed */
	struct launch_chunk_header header;
	struct chunk_place places[LAUNCH_CHUNK_GROUPS_MAX];
	struct scratch columns[COLUMN_COUNT]; /* unpacked */
	struct scratch packed;                /* as read from the file */
	struct scratch first;                 /* uint64_t */
	struct scratch events;                /* struct event */
};

/* `file` is the header of the file, for the kernel of `t`; both are borrowed. */
int chunk_view_init(struct chunk_view *v, const struct launch_header *file,
                    const struct kernel_table *t, struct err *err);
void chunk_view_release(struct chunk_view *v);

/*
 * Read and check the chunk at `offset`, which ends before `end`, up to its groups: header,
 * checksum, group numbers. *bytes gets its size in the file. When the chunk goes past `end`,
 * *bytes is 0 and the result 0. Returns 0, ERR_FORMAT, ERR_IO or ERR_NOMEM.
 */
int chunk_view_load(struct chunk_view *v, struct trace_source *source, uint64_t offset,
                    uint64_t end, uint64_t *bytes, struct err *err);

/* Decode the events of the chunk that was loaded. Returns 0, ERR_FORMAT or ERR_NOMEM. */
int chunk_view_decode(struct chunk_view *v, struct trace_source *source, uint64_t offset,
                      struct err *err);

/* The events of group `place` of the chunk that was decoded, as stored; borrowed until the next
 * load. Returns whether there are runs or grids among them. */
bool chunk_view_group(const struct chunk_view *v, uint32_t place, struct group_events *out);

#endif
