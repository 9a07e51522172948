/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "access.h"
#include "err.h"
#include "group_walk.h"
#include "launch_reader.h"
#include "recording.h"
#include "trace_source.h"
#include "wait_line.h"

#include <inttypes.h>
#include <stdio.h>

/* The launch being looked at. */
struct launch_check {
	struct verify *v;
	const struct recorded_launch *launch;
	const char *where; /* its file, or its number when it shares one */
	const struct kernel_table *table;
	struct launch_reader *reader;
	struct access_decoder *decoder;
	struct group_walk *walk;
	struct launch_totals counted; /* what its groups hold */
	uint64_t outside;             /* accesses in no buffer of the launch */
	bool has_buffers;             /* all of its memory is known */
};

static int damage(struct launch_check *c, struct err *err, const char *what)
{
	return verify_add(c->v, VERIFY_DAMAGE, err, c->where, "%s", what);
}

/* Whether an address lies in a buffer that the launch may have reached. */
static bool is_inside(const struct launch_check *c, const struct access *a)
{
	const struct recording *r = c->v->recording;

	for (size_t i = 0; i < c->launch->argument_count; i++) {
		const struct recorded_argument *argument = &c->launch->arguments[i];
		uint64_t bytes = r->buffers[argument->buffer].bytes;

		if (a->address >= argument->address && a->bytes <= bytes &&
		    a->address - argument->address <= bytes - a->bytes)
			return true;
	}
	return false;
}

static void count_access(struct launch_check *c, const struct access *a)
{
	c->counted.reads += a->facts->kind == SITE_READ;
	c->counted.writes += a->facts->kind == SITE_WRITE;
	c->counted.atomics += a->facts->kind == SITE_ATOMIC;
	c->counted.barriers += a->facts->kind == SITE_BARRIER;
	if (c->has_buffers && site_kind_is_access(a->facts->kind) &&
	    (a->facts->space == SPACE_GLOBAL || a->facts->space == SPACE_CONSTANT) &&
	    !is_inside(c, a))
		c->outside++;
}

/* Count what is in a piece. */
static int count_piece(struct launch_check *c, const struct walked_piece *piece, struct err *err)
{
	uint64_t before = c->counted.reads + c->counted.writes + c->counted.atomics;
	struct access access;
	int ret = 0;

	if (piece->is_first)
		access_decoder_begin(c->decoder);
	for (uint64_t i = 0; ret >= 0 && i < piece->count; i++) {
		ret = access_decoder_take(c->decoder, &piece->events[i], &access, err);
		if (ret > 0)
			count_access(c, &access);
	}
	c->counted.accesses = c->counted.reads + c->counted.writes + c->counted.atomics;
	if (c->v->wait)
		c->v->wait->done += c->counted.accesses - before;
	return ret < 0 ? ret : 0;
}

/* Decode a group, as stored and as expanded. */
static int read_group(struct launch_check *c, uint64_t group, struct err *why)
{
	uint32_t parts = launch_reader_parts(c->reader, group);
	struct walked_piece piece;
	struct group_events part;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < parts; i++) {
		ret = launch_reader_part(c->reader, group, i, &part, why);
		if (!ret)
			c->counted.events += part.first[part.item_count];
	}
	if (!ret)
		ret = group_walk_start(c->walk, group, why);
	while (!ret && (ret = group_walk_next(c->walk, &piece, why)) > 0)
		ret = count_piece(c, &piece, why);
	c->counted.groups++;
	return ret;
}

/* Decode every group. Returns 0, ERR_NOMEM, or what the file's damage is with its sentence. */
static int read_groups(struct launch_check *c, struct err *why)
{
	uint64_t end = launch_shape_group_count(&c->launch->shape);
	int ret = group_walk_create(&c->walk, c->reader, c->table, why);

	for (uint64_t i = launch_reader_next(c->reader, 0); !ret && i < end;
	     i = launch_reader_next(c->reader, i + 1))
		ret = read_group(c, i, why);
	return ret;
}

/* What the groups hold, the file says and the manifest says is the same; one difference is told. */
static int compare_totals(struct launch_check *c, uint64_t length, struct err *err)
{
	const struct launch_totals *file = launch_reader_totals(c->reader);
	const struct launch_totals *line = &c->launch->totals;

	c->counted.file_bytes = length;
#define TOTAL(name)                                                                                \
	if (c->counted.name != file->name || c->counted.name != line->name)                        \
		return verify_add(c->v, VERIFY_DAMAGE, err, c->where,                              \
		                  "has %" PRIu64 " " #name ", says %" PRIu64                       \
		                  " itself, and manifest.jsonl says %" PRIu64,                     \
		                  c->counted.name, file->name, line->name);
#include "launch_totals.def"
#undef TOTAL
	return 0;
}

static int check_missing(struct launch_check *c, struct err *err)
{
	uint64_t groups = launch_shape_group_count(&c->launch->shape);
	int ret = 0;

	if (c->launch->dropped_events)
		ret = verify_add(c->v, VERIFY_MISSING, err, c->where,
		                 "events that were lost for want of room: %" PRIu64,
		                 c->launch->dropped_events);
	if (!ret && !launch_reader_is_whole(c->reader))
		ret = verify_add(c->v, VERIFY_MISSING, err, c->where,
		                 "lacks groups or its end: %" PRIu64 " of %" PRIu64 " are there",
		                 c->counted.groups, groups);
	if (!ret && c->outside)
		ret = verify_add(c->v, VERIFY_REMARK, err, c->where,
		                 "accesses outside all buffers of the launch: %" PRIu64,
		                 c->outside);
	return ret;
}

static int check_contents(struct launch_check *c, uint64_t length, struct err *err)
{
	struct err why = { 0 };
	int ret;

	ret = access_decoder_create(&c->decoder, c->table, err);
	if (ret)
		return ret;
	ret = read_groups(c, &why);
	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	if (ret)
		return damage(c, err, why.msg);
	ret = compare_totals(c, length, err);
	return ret ? ret : check_missing(c, err);
}

/* Whether all buffers of the launch are known; memory that was not seen may be anywhere. */
static bool knows_memory(const struct recording *r, const struct recorded_launch *l)
{
	bool knows = l->argument_count > 0;

	for (size_t i = 0; i < l->argument_count; i++)
		knows = knows && l->arguments[i].buffer >= 0;
	for (size_t i = 0; i < r->buffer_count; i++)
		knows = knows && !r->buffers[i].svm_address;
	return knows;
}

int verify_launch(struct verify *v, size_t launch, struct err *err)
{
	const struct recorded_launch *l = &v->recording->launches[launch];
	struct launch_check c = { .v = v,
		                  .launch = l,
		                  .table = &v->recording->kernels[l->kernel].table,
		                  .has_buffers = knows_memory(v->recording, l) };
	struct trace_source *source = NULL;
	struct err why = { 0 };
	char number[32];
	uint64_t bytes;
	int ret;

	(void)snprintf(number, sizeof(number), "launch %" PRIu64, l->number);
	c.where = l->bundle ? number : l->file;
	ret = recording_open_launch(v->recording, launch, &source, &c.reader, &why);

	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	if (ret)
		return damage(&c, err, why.msg);
	bytes = source ? trace_source_length(source) : l->totals.file_bytes;
	ret = check_contents(&c, bytes, err);
	v->files += source != NULL;
	v->bytes += bytes;
	v->groups += c.counted.groups;
	v->accesses += c.counted.accesses;
	group_walk_free(c.walk);
	access_decoder_free(c.decoder);
	launch_reader_close(c.reader);
	trace_source_close(source);
	return ret;
}
