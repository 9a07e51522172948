/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "access.h"
#include "err.h"
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

/* Count a group as it is when it is expanded. */
static int count_group(struct launch_check *c, const struct group_events *g, struct err *err)
{
	struct access access;
	int ret = 0;

	for (uint32_t item = 0; ret >= 0 && item < g->item_count; item++) {
		access_decoder_begin(c->decoder);
		for (uint64_t i = g->first[item]; ret >= 0 && i < g->first[item + 1]; i++) {
			ret = access_decoder_take(c->decoder, &g->events[i], &access, err);
			if (ret > 0)
				count_access(c, &access);
		}
	}
	return ret < 0 ? ret : 0;
}

/* Decode every group, as stored and as expanded. Returns 0, ERR_NOMEM, or what the file's damage is
 * with its sentence. */
static int read_groups(struct launch_check *c, struct err *why)
{
	uint64_t end = launch_shape_group_count(&c->launch->shape), before;
	struct group_events g;
	int ret = 0;

	for (uint64_t i = launch_reader_next(c->reader, 0); !ret && i < end;
	     i = launch_reader_next(c->reader, i + 1)) {
		ret = launch_reader_packed(c->reader, i, &g, why);
		if (!ret)
			c->counted.events += g.first[g.item_count];
	}
	for (uint64_t i = launch_reader_next(c->reader, 0); !ret && i < end;
	     i = launch_reader_next(c->reader, i + 1)) {
		before = c->counted.reads + c->counted.writes + c->counted.atomics;
		ret = launch_reader_group(c->reader, i, &g, why);
		if (!ret)
			ret = count_group(c, &g, why);
		c->counted.groups++;
		c->counted.accesses = c->counted.reads + c->counted.writes + c->counted.atomics;
		if (c->v->wait)
			c->v->wait->done += c->counted.accesses - before;
	}
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
	access_decoder_free(c.decoder);
	launch_reader_close(c.reader);
	trace_source_close(source);
	return ret;
}
