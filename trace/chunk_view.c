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

/* Returns at least `bytes` of memory, whose contents are lost if it has to grow; NULL with
 * ERR_NOMEM. */
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
	v->own_shape = (struct chunk_shape){ &file->shape, UINT32_MAX };
	v->shapes = &v->own_shape;
	v->context = ZSTD_createDCtx();
	if (!v->context)
		return err_set(err, ERR_NOMEM, "out of memory for a decompressor");
	return launch_model_init(&v->model, t, err);
}

void chunk_view_set_shapes(struct chunk_view *v, const struct chunk_shape *shapes, uint32_t groups)
{
	v->shapes = shapes;
	v->groups_expected = groups;
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

static int damaged(const struct chunk_view *v, const char *fault, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s: offset %" PRIu64 ": chunk: %s",
	               trace_source_name(v->source), v->offset, fault);
}

/* Unpack one column, followed by the zero bytes that reading numbers needs. */
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

/* Read the group numbers of the chunk, and how many work-items each group has. */
static const char *read_places(struct chunk_view *v)
{
	const unsigned char *at = v->columns[COLUMN_GROUPS].data;
	const unsigned char *end = at + v->header.raw_bytes[COLUMN_GROUPS];
	const struct chunk_shape *of = v->shapes;
	uint64_t group_count = launch_shape_group_count(of->shape), group = UINT64_MAX, code;
	uint64_t items = 0;
	uint32_t size[3];

	if (v->groups_expected && v->header.groups != v->groups_expected)
		return "its launches have another number of groups";
	for (uint32_t i = 0; i < v->header.groups; i++) {
		if (i == of->end) {
			of++;
			group_count = launch_shape_group_count(of->shape);
		}
		at = at < end ? varint_get(at, &code) : NULL;
		if (!at)
			return "column groups: expected a number for each group";
		group += 1 + unzigzag64(code);
		if (group >= group_count)
			return "column groups: a group that the launch does not have";
		v->places[i] = (struct chunk_place){ .group = (uint32_t)group, .first = items + i };
		v->places[i].items = launch_shape_group_size(of->shape, group, size);
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
	v->source = source;
	v->offset = offset;
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
		return damaged(v, "its checksum is wrong", err);
	ret = unpack(v, COLUMN_GROUPS, &fault, err);
	if (!ret && !fault)
		fault = read_places(v);
	if (fault)
		return damaged(v, fault, err);
	*bytes = LAUNCH_CHUNK_HEADER_BYTES + packed_bytes;
	return ret;
}

/* Begin with the first group. */
static const char *begin_groups(struct chunk_view *v)
{
	struct column columns[COLUMN_COUNT];
	const char *fault;

	for (size_t c = 0; c < COLUMN_COUNT; c++)
		columns[c] = (struct column){ .bytes = v->columns[c].data,
			                      .used = v->header.raw_bytes[c] };
	v->next = 0;
	v->decoded = 0;
	fault = columns_reader_begin(&v->reader, &v->model, columns);
	return fault ? fault
	             : columns_reader_guides(&v->reader, v->packed.data, v->header.guide_bytes);
}

static bool are_in_order(const struct chunk_view *v)
{
	for (uint32_t i = 1; i < v->header.groups; i++)
		if (v->places[i].group < v->places[i - 1].group)
			return false;
	return true;
}

int chunk_view_unpack(struct chunk_view *v, struct err *err)
{
	const char *fault = NULL;
	int ret = 0;

	for (size_t c = COLUMN_COUNTS; c < COLUMN_COUNT && !ret && !fault; c++)
		ret = unpack(v, (enum launch_column)c, &fault, err);
	v->keeps_all = !are_in_order(v); /* most readers ask for groups in ascending order */
	if (!ret && !fault)
		fault = begin_groups(v);
	return fault ? damaged(v, fault, err) : ret;
}

/* Returns the fault after the last group, or NULL. */
static const char *end_groups(const struct chunk_view *v)
{
	if (v->decoded != v->header.totals.events)
		return "fewer events than it claims";
	return columns_reader_end(&v->reader);
}

/* Decode the next group: after the others, or alone. */
static int decode_next(struct chunk_view *v, const char **fault, struct err *err)
{
	struct chunk_place *p = &v->places[v->next];
	size_t firsts = v->keeps_all ? (size_t)v->header.items + v->header.groups : p->items + 1;
	uint64_t *first = scratch_room(&v->first, firsts * sizeof(*first), err);
	uint64_t left = v->header.totals.events - v->decoded;
	struct event *events;

	if (!first)
		return ERR_NOMEM;
	first += v->keeps_all ? p->first : 0;
	*fault = columns_reader_counts(&v->reader, p->items, left, first);
	if (*fault)
		return 0;
	events = scratch_room(
		&v->events,
		(v->keeps_all ? v->header.totals.events : first[p->items]) * sizeof(*events), err);
	if (!events)
		return ERR_NOMEM;
	p->event = v->decoded;
	*fault = columns_reader_events(&v->reader, p->items, first,
	                               events + (v->keeps_all ? p->event : 0));
	v->decoded += first[p->items];
	v->next++;
	if (!*fault && v->next == v->header.groups)
		*fault = end_groups(v);
	return 0;
}

int chunk_view_decode_all(struct chunk_view *v, struct err *err)
{
	int ret = chunk_view_unpack(v, err);
	const char *fault = NULL;

	v->keeps_all = true;
	while (!ret && !fault && v->next < v->header.groups)
		ret = decode_next(v, &fault, err);
	return fault ? damaged(v, fault, err) : ret;
}

int chunk_view_group(struct chunk_view *v, uint32_t place, struct group_events *out,
                     struct err *err)
{
	const struct chunk_place *p = &v->places[place];
	const char *fault = NULL;
	int ret = 0;

	if (place + 1 < v->next && !v->keeps_all) {
		v->keeps_all = true;
		fault = begin_groups(v);
	}
	while (!ret && !fault && (v->next <= place || (v->keeps_all && v->next < v->header.groups)))
		ret = decode_next(v, &fault, err);
	if (ret || fault)
		return ret ? ret : damaged(v, fault, err);
	*out = (struct group_events){
		.item_count = p->items,
		.first = (uint64_t *)v->first.data + (v->keeps_all ? p->first : 0),
		.events = (struct event *)v->events.data + (v->keeps_all ? p->event : 0)
	};
	return 0;
}
