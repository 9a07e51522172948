/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_reader.h"

#include "array.h"
#include "bundle_reader.h"
#include "chunk_view.h"
#include "err.h"
#include "expander.h"
#include "kernel_table.h"
#include "launch_format.h"
#include "launch_index.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_CHUNK UINT32_MAX

struct launch_reader {
	struct trace_source *source;      /* borrowed; NULL: the launch is in a bundle */
	struct launch_bundle bundle;      /* or its view is NULL */
	const char *name;                 /* of the file; borrowed */
	const struct kernel_table *table; /* borrowed */
	struct launch_header header;
	struct launch_totals totals;
	struct launch_index index; /* sorted */
	bool is_whole;
	uint32_t loaded;          /* the chunk in `chunk`, or NO_CHUNK */
	struct chunk_view *chunk; /* its own, or the bundle's, which is shared */
	uint32_t first_place;     /* of the launch's groups in the chunk */
	uint64_t *zeros;          /* first[] of groups that are not in the file */
};

static int read_header(struct launch_reader *r, struct err *err)
{
	unsigned char bytes[LAUNCH_HEADER_BYTES];
	int ret = trace_source_read(r->source, 0, bytes, sizeof(bytes), err);

	if (!ret)
		ret = launch_header_get(&r->header, bytes, r->name, err);
	if (ret)
		return ret;
	if (r->header.site_count != r->table->site_count ||
	    r->header.loop_count != r->table->loop_count ||
	    r->header.table_checksum != launch_table_checksum(r->table))
		return err_set(err, ERR_FORMAT,
		               "%s: offset 20: expected a launch of kernel %s, whose sites and "
		               "loops are others",
		               r->name, r->table->name);
	return 0;
}

static int read_index(struct launch_reader *r, const struct launch_trailer *t, struct err *err)
{
	unsigned char *bytes = malloc(t->index_bytes);
	int ret;

	if (!bytes)
		return err_set(err, ERR_NOMEM, "%s: out of memory for the index", r->name);
	ret = trace_source_read(r->source, t->index_offset, bytes, t->index_bytes, err);
	if (!ret)
		ret = launch_index_unpack(&r->index, bytes, t, r->name, err);
	free(bytes);
	r->totals = t->totals;
	r->is_whole =
		t->is_whole &&
		(t->is_partial || t->totals.groups == launch_shape_group_count(&r->header.shape));
	return ret;
}

/* Whether an index that its writer had begun is at `offset`. */
static bool is_index(struct launch_reader *r, uint64_t offset)
{
	unsigned char magic[LAUNCH_INDEX_MAGIC_BYTES];

	return !trace_source_read(r->source, offset, magic, sizeof(magic), NULL) &&
	       memcmp(magic, LAUNCH_INDEX_MAGIC, sizeof(magic)) == 0;
}

static int add_scanned(struct launch_reader *r, uint64_t bytes, struct err *err)
{
	const struct launch_chunk_header *h = &r->chunk->header;
	uint32_t groups[LAUNCH_CHUNK_GROUPS_MAX];

	for (uint32_t i = 0; i < h->groups; i++)
		groups[i] = r->chunk->places[i].group;
	launch_totals_add(&r->totals, &h->totals);
	return launch_index_add(&r->index, bytes, h->checksum, groups, h->groups, err);
}

/* Index the file of a writer that was killed: every complete chunk, except the parts of a group
 * whose last one is missing. */
static int scan(struct launch_reader *r, struct err *err)
{
	uint64_t offset = LAUNCH_HEADER_BYTES, length = trace_source_length(r->source), bytes;
	struct launch_totals before = { 0 };
	bool goes_on = false;
	int ret = 0;

	while (!ret && !is_index(r, offset)) {
		ret = chunk_view_load(r->chunk, r->source, offset, length, &bytes, err);
		if (ret || !bytes)
			break;
		if (!goes_on)
			before = r->totals;
		goes_on = r->chunk->header.goes_on;
		ret = add_scanned(r, bytes, err);
		offset += bytes;
	}
	if (goes_on) {
		launch_index_drop(&r->index);
		r->totals = before;
	}
	r->totals.groups = r->index.groups;
	r->totals.file_bytes = length;
	return ret;
}

static int read_contents(struct launch_reader *r, struct err *err)
{
	uint64_t length = trace_source_length(r->source);
	unsigned char bytes[LAUNCH_TRAILER_BYTES];
	struct launch_trailer t = { 0 };
	bool is_closed = false;
	int ret = 0;

	r->index.has_parts = r->header.version >= LAUNCH_VERSION_PARTS;
	if (length >= LAUNCH_HEADER_BYTES + LAUNCH_TRAILER_BYTES) {
		ret = trace_source_read(r->source, length - sizeof(bytes), bytes, sizeof(bytes),
		                        err);
		if (!ret)
			ret = launch_trailer_get(&t, bytes, &r->header, r->name, length, &is_closed,
			                         err);
	}
	if (!ret)
		ret = is_closed ? read_index(r, &t, err) : scan(r, err);
	if (!ret)
		ret = launch_index_sort(&r->index, launch_shape_group_count(&r->header.shape),
		                        r->name, err);
	return ret;
}

int launch_reader_open(struct launch_reader **out, struct trace_source *source,
                       const struct kernel_table *table, struct err *err)
{
	struct launch_reader *r;
	int ret = kernel_table_check(table, err);

	if (ret)
		return ret;
	r = array_alloc(1, sizeof(*r), "launch reader", err);
	if (!r)
		return ERR_NOMEM;
	r->source = source;
	r->name = trace_source_name(source);
	r->table = table;
	r->loaded = NO_CHUNK;
	launch_index_init(&r->index);
	ret = read_header(r, err);
	if (!ret)
		r->chunk = array_alloc(1, sizeof(*r->chunk), "chunk", err);
	if (!ret)
		ret = r->chunk ? chunk_view_init(r->chunk, &r->header, table, err) : ERR_NOMEM;
	if (!ret)
		ret = read_contents(r, err);
	if (ret) {
		launch_reader_close(r);
		return ret;
	}
	*out = r;
	return 0;
}

/* List the launch's groups, which are some of those of a decoded chunk. */
static int list_groups(struct launch_reader *r, struct err *err)
{
	uint32_t groups[LAUNCH_CHUNK_GROUPS_MAX], count = (uint32_t)r->totals.groups;

	for (uint32_t i = 0; i < count; i++)
		groups[i] = r->chunk->places[r->first_place + i].group;
	return count ? launch_index_add(&r->index, 0, 0, groups, count, err) : 0;
}

int launch_reader_open_bundle(struct launch_reader **out, const struct launch_bundle *bundle,
                              const struct kernel_table *table, struct err *err)
{
	const struct recorded_launch *l = bundle->facts;
	struct launch_reader *r = array_alloc(1, sizeof(*r), "launch reader", err);
	int ret;

	if (!r)
		return ERR_NOMEM;
	r->name = bundle->view->name;
	r->table = table;
	r->header = bundle->view->header;
	r->header.shape = l->shape;
	r->totals = l->totals;
	r->is_whole = true;
	r->chunk = &bundle->view->chunk;
	r->first_place = l->place;
	launch_index_init(&r->index);
	ret = list_groups(r, err);
	if (!ret)
		ret = launch_index_sort(&r->index, launch_shape_group_count(&l->shape), r->name,
		                        err);
	r->bundle = (struct launch_bundle){ .view = NULL };
	if (ret) {
		r->chunk = NULL;
		launch_reader_close(r);
		return ret;
	}
	r->bundle = *bundle;
	*out = r;
	return 0;
}

void launch_reader_close(struct launch_reader *r)
{
	if (!r)
		return;
	if (r->bundle.view) {
		r->bundle.give(r->bundle.context, r->bundle.view);
	} else if (r->chunk) {
		chunk_view_release(r->chunk);
		free(r->chunk);
	}
	launch_index_release(&r->index);
	free(r->zeros);
	free(r);
}

const struct launch_shape *launch_reader_shape(const struct launch_reader *r)
{
	return &r->header.shape;
}

const struct launch_totals *launch_reader_totals(const struct launch_reader *r)
{
	return &r->totals;
}

bool launch_reader_is_whole(const struct launch_reader *r)
{
	return r->is_whole;
}

bool launch_reader_has(const struct launch_reader *r, uint64_t g)
{
	struct index_place place;

	return launch_index_find(&r->index, g, &place);
}

uint64_t launch_reader_next(const struct launch_reader *r, uint64_t g)
{
	return launch_index_next(&r->index, g);
}

/* Load and check chunk `number` in r->chunk. */
static int load_packed(struct launch_reader *r, uint32_t number, struct err *err)
{
	const struct index_chunk *c = launch_index_chunk(&r->index, number);
	uint64_t bytes;
	int ret;

	r->loaded = NO_CHUNK;
	ret = chunk_view_load(r->chunk, r->source, c->offset, c->offset + c->bytes, &bytes, err);
	if (ret)
		return ret;
	if (bytes != c->bytes || r->chunk->header.groups != c->groups)
		return err_set(err, ERR_FORMAT,
		               "%s: offset %" PRIu64 ": chunk: expected %" PRIu64
		               " bytes and %" PRIu32 " groups, as the index says",
		               r->name, c->offset, c->bytes, c->groups);
	if (r->index.has_parts && r->chunk->header.checksum != c->checksum)
		return err_set(err, ERR_FORMAT,
		               "%s: offset %" PRIu64
		               ": chunk: its checksum is not the one that the index has",
		               r->name, c->offset);
	return 0;
}

int launch_reader_check(struct launch_reader *r, struct err *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && !r->bundle.view && i < r->index.chunks.count; i++)
		ret = load_packed(r, i, err);
	return ret;
}

/* Load and decode chunk `number` in r->chunk. */
static int load(struct launch_reader *r, uint32_t number, struct err *err)
{
	int ret;

	if (r->loaded == number || r->bundle.view)
		return 0;
	ret = load_packed(r, number, err);
	if (!ret)
		ret = chunk_view_unpack(r->chunk, err);
	if (!ret)
		r->loaded = number;
	return ret;
}

/* Return a group without events. */
static int empty_group(struct launch_reader *r, uint64_t g, struct group_events *out,
                       struct err *err)
{
	static const struct event none;
	const struct launch_shape *s = &r->header.shape;
	uint32_t size[3];

	if (!r->zeros)
		r->zeros = array_alloc(s->local[0] * s->local[1] * s->local[2] + 1,
		                       sizeof(*r->zeros), "an empty group", err);
	if (!r->zeros)
		return ERR_NOMEM;
	*out = (struct group_events){ .item_count = launch_shape_group_size(s, g, size),
		                      .first = r->zeros,
		                      .events = &none };
	return 0;
}

static int check_group(const struct launch_reader *r, uint64_t g, struct err *err)
{
	uint64_t groups = launch_shape_group_count(&r->header.shape);

	return g < groups
	               ? 0
	               : err_set(err, ERR_FORMAT,
	                         "%s: group %" PRIu64 " is outside the launch's %" PRIu64 " groups",
	                         r->name, g, groups);
}

uint32_t launch_reader_parts(const struct launch_reader *r, uint64_t g)
{
	struct index_place at;

	return launch_index_find(&r->index, g, &at) ? at.parts : 0;
}

/* Check that the loaded chunk is the one of the index, with part `part` of group g. */
static int check_loaded(const struct launch_reader *r, uint64_t g, uint32_t part,
                        const struct index_place *at, struct err *err)
{
	uint64_t offset = launch_index_chunk(&r->index, at->chunk + part)->offset;

	if (r->chunk->places[r->first_place + at->place].group != g)
		return err_set(err, ERR_FORMAT,
		               "%s: offset %" PRIu64 ": chunk: expected group %" PRIu64
		               " at place %" PRIu32 ", as the index says",
		               r->name, offset, g, at->place);
	if (r->chunk->header.goes_on != (part + 1 < at->parts))
		return err_set(err, ERR_FORMAT,
		               "%s: offset %" PRIu64 ": chunk: group %" PRIu64
		               " %s in the next one, unlike what the index says",
		               r->name, offset, g,
		               r->chunk->header.goes_on ? "goes on" : "does not go on");
	return 0;
}

int launch_reader_part(struct launch_reader *r, uint64_t g, uint32_t part, struct group_events *out,
                       struct err *err)
{
	struct index_place at;
	int ret = check_group(r, g, err);

	if (!ret && (!launch_index_find(&r->index, g, &at) || part >= at.parts))
		ret = err_set(err, ERR_FORMAT, "%s: group %" PRIu64 " has no part %" PRIu32,
		              r->name, g, part);
	if (!ret)
		ret = load(r, at.chunk + part, err);
	if (!ret)
		ret = check_loaded(r, g, part, &at, err);
	if (ret)
		return ret;
	ret = chunk_view_group(r->chunk, r->first_place + at.place, out, err);
	if (ret)
		r->loaded = NO_CHUNK;
	return ret;
}

/* Gather the parts of a long group. */
static int store(struct launch_reader *r, uint64_t g, uint32_t parts, struct group_items *out,
                 struct err *err)
{
	struct group_events part;
	struct err why = { 0 };
	uint32_t size[3], items = launch_shape_group_size(&r->header.shape, g, size);
	int ret = item_store_create(&out->store, items, err);

	for (uint32_t i = 0; !ret && i < parts; i++) {
		ret = launch_reader_part(r, g, i, &part, err);
		if (!ret && item_store_add(out->store, &part, &why))
			ret = err_set(err, (enum err_code)why.code, "%s: group %" PRIu64 ": %s",
			              r->name, g, why.msg);
	}
	out->events = (struct group_events){ .item_count = items };
	return ret;
}

int launch_reader_load(struct launch_reader *r, uint64_t g, struct group_items *out,
                       struct err *err)
{
	uint32_t parts = launch_reader_parts(r, g);
	int ret = check_group(r, g, err);

	*out = (struct group_items){ 0 };
	if (ret)
		return ret;
	if (parts > 1)
		return store(r, g, parts, out, err);
	return parts ? launch_reader_part(r, g, 0, &out->events, err)
	             : empty_group(r, g, &out->events, err);
}

/* Returns the source's name, for messages; borrowed. */
static const char *launch_reader_name(const struct launch_reader *r)
{
	return r->name;
}

struct group_walk {
	struct launch_reader *reader;
	struct expander *expander;
	struct group_items group;
	uint64_t number;
	uint32_t item; /* the current one if it is open, else the next */
	bool is_open, has_begun;
};

int group_walk_create(struct group_walk **out, struct launch_reader *r,
                      const struct kernel_table *t, struct err *err)
{
	struct group_walk *w = array_alloc(1, sizeof(*w), "a group", err);

	if (!w)
		return ERR_NOMEM;
	w->reader = r;
	if (expander_create(&w->expander, t, err)) {
		free(w);
		return ERR_NOMEM;
	}
	*out = w;
	return 0;
}

void group_walk_free(struct group_walk *w)
{
	if (!w)
		return;
	expander_free(w->expander);
	group_items_release(&w->group);
	free(w);
}

int group_walk_start(struct group_walk *w, uint64_t group, struct err *err)
{
	group_items_release(&w->group);
	w->number = group;
	w->item = 0;
	w->is_open = false;
	return launch_reader_load(w->reader, group, &w->group, err);
}

static int refuse(const struct group_walk *w, const struct err *why, struct err *err)
{
	return err_set(err, (enum err_code)why->code,
	               "%s: group %" PRIu64 ": work-item %" PRIu32 ": %s",
	               launch_reader_name(w->reader), w->number, w->item, why->msg);
}

int group_walk_next(struct group_walk *w, struct walked_piece *piece, struct err *err)
{
	struct err why = { 0 };

	for (; w->item < w->group.events.item_count; w->item++, w->is_open = false) {
		if (!w->is_open) {
			const struct item_events from = group_items_at(&w->group, w->item);

			if (expander_start(w->expander, &from, &why))
				return refuse(w, &why, err);
			w->is_open = true;
			w->has_begun = false;
		}
		if (expander_next(w->expander, &piece->events, &piece->count, &why))
			return refuse(w, &why, err);
		if (!piece->count)
			continue;
		piece->item = w->item;
		piece->is_first = !w->has_begun;
		w->has_begun = true;
		return 1;
	}
	return 0;
}
