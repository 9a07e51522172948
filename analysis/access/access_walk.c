/* SPDX-License-Identifier: Apache-2.0 */
#include "access_walk.h"

#include "err.h"
#include "launch_reader.h"
#include "trace_source.h"
#include "work_watch.h"

#include <inttypes.h>

/* Returns the last SVM allocation that contains an address: kernels reach all of them through
 * pointers. */
static int64_t find_svm(const struct recording *r, uint64_t address, uint64_t *offset)
{
	for (size_t i = r->buffer_count; i-- > 0;) {
		const struct recorded_buffer *b = &r->buffers[i];

		if (!b->svm_address || address < b->svm_address ||
		    address - b->svm_address >= b->bytes)
			continue;
		*offset = address - b->svm_address;
		return (int64_t)i;
	}
	return -1;
}

int64_t access_walk_buffer(const struct access_walk *w, const struct access *access,
                           uint64_t *offset)
{
	const struct recording *r = w->launches.recording;
	uint64_t address = access->address;

	if (access->facts->space == SPACE_LOCAL)
		return -1;
	for (size_t i = 0; i < w->launch->argument_count; i++) {
		const struct recorded_argument *a = &w->launch->arguments[i];

		if (a->buffer < 0 || (uint64_t)a->buffer >= r->buffer_count)
			continue;
		if (address < a->address || address - a->address >= r->buffers[a->buffer].bytes)
			continue;
		*offset = address - a->address;
		return a->buffer;
	}
	return find_svm(r, address, offset);
}

/* The walk_ functions return as the visitor's access() does, or an error. */
static int walk_piece(struct access_walk *w, const struct access_visitor *v,
                      struct access_decoder *decoder, const struct walked_piece *piece,
                      struct err *err)
{
	struct access access;
	uint64_t accesses = 0;
	int ret = 0;

	if (piece->is_first) {
		access_decoder_begin(decoder);
		launch_shape_global_id(&w->launch->shape, w->group_now, piece->item, w->id);
	}
	for (uint64_t i = 0; !ret && i < piece->count; i++) {
		int got = access_decoder_take(decoder, &piece->events[i], &access, err);

		if (got <= 0) {
			ret = got;
			continue;
		}
		accesses += site_kind_is_access(access.facts->kind);
		ret = v->access(v->context, w, &access, err);
	}
	if (w->watch)
		*work_watch_done(w->watch) += accesses;
	return ret;
}

static int walk_group(struct access_walk *w, const struct access_visitor *v,
                      struct group_walk *walk, struct access_decoder *decoder, struct err *err)
{
	struct walked_piece piece;
	int ret = group_walk_start(walk, w->group_now, err), got = 0;

	while (!ret && (got = group_walk_next(walk, &piece, err)) > 0)
		ret = walk_piece(w, v, decoder, &piece, err);
	return ret ? ret : got;
}

/* Walk groups first .. end - 1. The groups that are not in the file may be too many to visit one by
 * one. */
static int walk_groups(struct access_walk *w, const struct access_visitor *v,
                       struct launch_reader *reader, uint64_t first, uint64_t end, struct err *err)
{
	struct access_decoder *decoder = NULL;
	struct group_walk *walk = NULL;
	int ret = access_decoder_create(&decoder, w->table, err);

	if (!ret)
		ret = group_walk_create(&walk, reader, w->table, err);
	if (!ret && v->begin)
		ret = v->begin(v->context, w, err);
	for (w->group_now = launch_reader_next(reader, first); !ret && w->group_now < end;
	     w->group_now = launch_reader_next(reader, w->group_now + 1))
		ret = walk_group(w, v, walk, decoder, err);
	if (!ret && v->end)
		ret = v->end(v->context, w, err);
	group_walk_free(walk);
	access_decoder_free(decoder);
	return ret;
}

/* Walk all groups, or the requested one. */
static int walk_chosen(struct access_walk *w, const struct access_visitor *v,
                       struct launch_reader *reader, struct err *err)
{
	uint64_t count = launch_shape_group_count(&w->launch->shape);

	if (!w->group)
		return walk_groups(w, v, reader, 0, count, err);
	if (*w->group >= count)
		return err_set(err, ERR_USAGE,
		               "--group: launch %" PRIu64 " has groups 0..%" PRIu64
		               ", not %" PRIu64,
		               w->launch->number, count - 1, *w->group);
	return walk_groups(w, v, reader, *w->group, *w->group + 1, err);
}

static int walk_launch(struct access_walk *w, size_t launch, const struct access_visitor *v,
                       struct err *err)
{
	const struct recording *r = w->launches.recording;
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	int ret;

	w->launch = &r->launches[launch];
	w->table = &r->kernels[w->launch->kernel].table;
	if (v->wants && !v->wants(v->context, w))
		return 0;
	ret = recording_open_launch(r, launch, &source, &reader, err);
	if (ret)
		return ret;
	ret = walk_chosen(w, v, reader, err);
	w->lacks_groups |= !launch_reader_is_whole(reader);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

int access_walk_run(struct access_walk *w, const struct access_visitor *v, struct err *err)
{
	const struct launch_choice *c = &w->launches;
	int ret = 0;

	work_watch_begin(w->watch, launch_choice_accesses(c));
	for (size_t i = c->first; !ret && i < c->end; i++)
		if (c->is_one || c->recording->launches[i].fate == LAUNCH_TRACED)
			ret = walk_launch(w, i, v, err);
	work_watch_end(w->watch);
	return ret == ACCESS_WALK_STOP ? 0 : ret;
}
