/* SPDX-License-Identifier: Apache-2.0 */
#include "chunk_view.h"

#include "columns_reader.h"
#include "err.h"
#include "launch_pack.h"
#include "trace_source.h"
#include "varint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* At least `bytes` of memory, whose contents are lost when it must grow; NULL with ERR_NOMEM. */
static void *scratch_room(struct scratch *s, size_t bytes, struct err *err)
{
	if (bytes <= s->capacity_bytes && s->data)
		return s->data;
	free(s->data);
	s->capacity_bytes = 0;
	s->data = malloc(bytes ? bytes : 1);
	if (s->data)
		s->capacity_bytes = bytes;
	else
		err_set(err, ERR_NOMEM, "out of memory for %zu bytes of a chunk", bytes);
	return s->data;
}

int chunk_view_init(struct chunk_view *v, const struct launch_header *file,
                    const struct kernel_table *t, struct err *err)
{
	memset(v, 0, sizeof(*v));
	v->file = file;
	v->context = ZSTD_createDCtx();
	if (!v->context)
		return err_set(err, ERR_NOMEM, "out of memory for a decompressor");
	return launch_model_init(&v->model, t, err);
}

void chunk_view_release(struct chunk_view *v)
{
	ZSTD_freeDCtx(v->context);
	v->context = NULL;
	launch_model_release(&v->model);
	for (size_t c = 0; c < COLUMN_COUNT; c++)
		free(v->columns[c].data);
	free(v->packed.data);
	free(v->first.data);
	free(v->events.data);
}

static int damaged(const struct trace_source *source, uint64_t offset, const char *fault,
                   struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s: offset %" PRIu64 ": chunk: %s",
	               trace_source_name(source), offset, fault);
}

/* Unpack one column, with the zero bytes behind it that reading numbers needs. */
static int unpack(struct chunk_view *v, enum launch_column c, const char **fault, struct err *err)
{
	const unsigned char *packed = (unsigned char *)v->packed.data + v->header.guide_bytes;
	size_t raw_bytes = v->header.raw_bytes[c];
	unsigned char *raw = scratch_room(&v->columns[c], raw_bytes + COLUMN_SLACK_BYTES, err);

	if (!raw)
		return ERR_NOMEM;
	for (size_t before = 0; before < c; before++)
		packed += v->header.packed_bytes[before];
	*fault = launch_unpack(v->context, raw, raw_bytes, packed, v->header.packed_bytes[c]);
	memset(raw + raw_bytes, 0, COLUMN_SLACK_BYTES);
	return 0;
}

/* The group numbers of the chunk, and how many work-items each has. */
static const char *read_places(struct chunk_view *v)
{
	const unsigned char *at = v->columns[COLUMN_GROUPS].data;
	const unsigned char *end = at + v->header.raw_bytes[COLUMN_GROUPS];
	uint64_t group_count = launch_shape_group_count(&v->file->shape), group = UINT64_MAX, code;
	uint64_t items = 0;
	uint32_t size[3];

	for (uint32_t i = 0; i < v->header.groups; i++) {
		at = at < end ? varint_get(at, &code) : NULL;
		if (!at)
			return "column groups: expected a number for each group";
		group += 1 + unzigzag64(code);
		if (group >= group_count)
			return "column groups: a group that the launch does not have";
		v->places[i] = (struct chunk_place){ .group = (uint32_t)group, .first = items + i };
		v->places[i].items = launch_shape_group_size(&v->file->shape, group, size);
		items += v->places[i].items;
	}
	if (at != end)
		return "column groups: bytes are left over";
	return items == v->header.items ? NULL : "its groups have another number of work-items";
}

int chunk_view_load(struct chunk_view *v, struct trace_source *source, uint64_t offset,
                    uint64_t end, uint64_t *bytes, struct err *err)
{
	unsigned char header[LAUNCH_CHUNK_HEADER_BYTES];
	const char *fault = NULL;
	uint64_t packed_bytes;
	unsigned char *packed;
	int ret;

	*bytes = 0;
	if (end - offset < LAUNCH_CHUNK_HEADER_BYTES)
		return 0;
	ret = trace_source_read(source, offset, header, sizeof(header), err);
	if (ret)
		return ret;
	ret = launch_chunk_header_get(&v->header, v->file, header, trace_source_name(source),
	                              offset, err);
	if (ret)
		return ret;
	packed_bytes = launch_chunk_packed_bytes(&v->header);
	if (packed_bytes > end - offset - LAUNCH_CHUNK_HEADER_BYTES)
		return 0;
	packed = scratch_room(&v->packed, packed_bytes + VARINT_BYTES_MAX, err);
	if (!packed)
		return ERR_NOMEM;
	memset(packed + packed_bytes, 0, VARINT_BYTES_MAX);
	ret = trace_source_read(source, offset + LAUNCH_CHUNK_HEADER_BYTES, packed, packed_bytes,
	                        err);
	if (ret)
		return ret;
	if (!launch_chunk_is_intact(header, packed, packed_bytes))
		return damaged(source, offset, "its checksum is wrong", err);
	ret = unpack(v, COLUMN_GROUPS, &fault, err);
	if (!ret && !fault)
		fault = read_places(v);
	if (fault)
		return damaged(source, offset, fault, err);
	*bytes = LAUNCH_CHUNK_HEADER_BYTES + packed_bytes;
	return ret;
}

/* Decode all groups, one after the other. */
static const char *read_groups(struct chunk_view *v)
{
	struct column columns[COLUMN_COUNT];
	struct columns_reader reader;
	uint64_t *first = v->first.data, at = 0;
	struct event *events = v->events.data;
	const char *fault = NULL;

	for (size_t c = 0; c < COLUMN_COUNT; c++)
		columns[c] = (struct column){ .bytes = v->columns[c].data,
			                      .used = v->header.raw_bytes[c] };
	fault = columns_reader_begin(&reader, &v->model, columns);
	if (!fault)
		fault = columns_reader_guides(&reader, v->packed.data, v->header.guide_bytes);
	for (uint32_t i = 0; i < v->header.groups && !fault; i++) {
		struct chunk_place *p = &v->places[i];

		p->event = at;
		fault = columns_reader_group(&reader, p->items, v->header.totals.events - at,
		                             first + p->first, events + at);
		p->is_packed = reader.is_packed;
		if (!fault)
			at += first[p->first + p->items];
	}
	if (!fault && at != v->header.totals.events)
		fault = "fewer events than it claims";
	return fault ? fault : columns_reader_end(&reader);
}

int chunk_view_decode(struct chunk_view *v, struct trace_source *source, uint64_t offset,
                      struct err *err)
{
	size_t firsts = (size_t)v->header.items + v->header.groups;
	const char *fault = NULL;
	int ret = 0;

	for (size_t c = COLUMN_COUNTS; c < COLUMN_COUNT && !ret && !fault; c++)
		ret = unpack(v, (enum launch_column)c, &fault, err);
	if (!ret && !fault &&
	    (!scratch_room(&v->first, firsts * sizeof(uint64_t), err) ||
	     !scratch_room(&v->events, v->header.totals.events * sizeof(struct event), err)))
		ret = ERR_NOMEM;
	if (!ret && !fault)
		fault = read_groups(v);
	return fault ? damaged(source, offset, fault, err) : ret;
}

bool chunk_view_group(const struct chunk_view *v, uint32_t place, struct group_events *out)
{
	const struct chunk_place *p = &v->places[place];
	const struct event *events = v->events.data;
	const uint64_t *first = v->first.data;

	*out = (struct group_events){ .item_count = p->items,
		                      .first = first + p->first,
		                      .events = events + p->event };
	return p->is_packed;
}
