/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_items.h"

#include "array.h"
#include "err.h"
#include "launch_reader.h"
#include "trace_source.h"
#include "whole_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch_items {
	const struct recording *recording;
	const struct recorded_launch *facts;
	struct trace_source *source;
	struct launch_reader *reader;
	struct access_decoder *decoder;
	struct array accesses; /* struct relative_access; while decoding, `loops` is not set */
	struct array loops;    /* struct access_loop of all of them, one after another */
	struct array first;    /* uint64_t: per work-item its first access, and one more */
};

int launch_items_open(struct launch_items **out, const struct recording *r, size_t launch,
                      struct err *err)
{
	struct launch_items *l = array_alloc(1, sizeof(*l), "launch", err);
	int ret;

	if (!l)
		return ERR_NOMEM;
	array_init(&l->accesses, sizeof(struct relative_access), SIZE_MAX / 64, "accesses");
	array_init(&l->loops, sizeof(struct access_loop), SIZE_MAX / 64, "iterations");
	array_init(&l->first, sizeof(uint64_t), SIZE_MAX / 64, "work-items");
	l->recording = r;
	ret = recording_open_launch(r, launch, &l->source, &l->reader, err);
	if (!ret) {
		l->facts = &r->launches[launch];
		ret = access_decoder_create(&l->decoder, &r->kernels[l->facts->kernel].table, err);
	}
	if (ret) {
		launch_items_close(l);
		return ret;
	}
	*out = l;
	return 0;
}

void launch_items_close(struct launch_items *l)
{
	if (!l)
		return;
	access_decoder_free(l->decoder);
	launch_reader_close(l->reader);
	trace_source_close(l->source);
	array_release(&l->accesses);
	array_release(&l->loops);
	array_release(&l->first);
	free(l);
}

bool launch_items_is_whole(const struct launch_items *l)
{
	return launch_reader_is_whole(l->reader) && l->facts->dropped_events == 0;
}

/* Whether argument a's buffer holds the address; *offset is where then. */
static bool holds(const struct launch_items *l, const struct recorded_argument *a, uint64_t address,
                  uint64_t *offset)
{
	if (a->buffer < 0 || (uint64_t)a->buffer >= l->recording->buffer_count)
		return false;
	*offset = address - a->address;
	return address >= a->address && *offset < l->recording->buffers[a->buffer].bytes;
}

/*
 * Fill in argument and offset. An address that is not in the argument that its site's pointer comes
 * from is in none. Local memory has offsets instead of addresses.
 */
static void place(const struct launch_items *l, const struct access *from,
                  struct relative_access *to)
{
	int64_t origin = from->facts->argument;

	to->argument = -1;
	to->offset = from->address;
	if (from->facts->space == SPACE_LOCAL) {
		to->argument = origin;
		return;
	}
	for (size_t i = 0; from->address && i < l->facts->argument_count; i++) {
		const struct recorded_argument *a = &l->facts->arguments[i];
		uint64_t offset;

		if ((origin >= 0 && a->index != origin) || !holds(l, a, from->address, &offset))
			continue;
		to->argument = a->index;
		to->offset = offset;
		return;
	}
}

static int keep(struct launch_items *l, const struct access *a, struct err *err)
{
	struct relative_access *to = array_push(&l->accesses, 1, err);
	struct access_loop *loops = array_push(&l->loops, a->loop_count, err);

	if (!to || (!loops && a->loop_count))
		return ERR_NOMEM;
	to->site = a->site;
	to->kind = a->facts->kind;
	to->bytes = a->bytes;
	to->loop_count = a->loop_count;
	if (a->loop_count)
		memcpy(loops, a->loops, a->loop_count * sizeof(*loops));
	place(l, a, to);
	return 0;
}

static int decode_item(struct launch_items *l, const struct group_events *g, uint32_t item,
                       struct err *err)
{
	uint64_t *first = array_push(&l->first, 1, err);
	struct access access;
	int ret = first ? 0 : ERR_NOMEM;

	if (first)
		*first = l->accesses.count;
	access_decoder_begin(l->decoder);
	for (uint64_t i = g->first[item]; ret >= 0 && i < g->first[item + 1]; i++) {
		ret = access_decoder_take(l->decoder, &g->events[i], &access, err);
		if (ret > 0)
			ret = keep(l, &access, err);
	}
	return ret < 0 ? ret : 0;
}

int launch_items_group(struct launch_items *l, uint64_t g, struct err *err)
{
	struct group_events events;
	struct access_loop *loops;
	uint64_t *end;
	int ret = whole_group_plain(l->reader, &l->recording->kernels[l->facts->kernel].table, g,
	                            &events, err);

	array_clear(&l->accesses);
	array_clear(&l->loops);
	array_clear(&l->first);
	for (uint32_t item = 0; !ret && item < events.item_count; item++)
		ret = decode_item(l, &events, item, err);
	if (ret)
		return ret;
	end = array_push(&l->first, 1, err);
	if (!end)
		return ERR_NOMEM;
	*end = l->accesses.count;
	loops = l->loops.data;
	for (size_t i = 0; i < l->accesses.count; i++) {
		struct relative_access *a = (struct relative_access *)l->accesses.data + i;

		a->loops = loops;
		if (a->loop_count)
			loops += a->loop_count;
	}
	return 0;
}

uint32_t launch_items_count(const struct launch_items *l)
{
	return l->first.count ? (uint32_t)(l->first.count - 1) : 0;
}

const struct relative_access *launch_items_of(const struct launch_items *l, uint32_t item,
                                              size_t *count)
{
	const uint64_t *first = l->first.data;

	*count = first[item + 1] - first[item];
	return (const struct relative_access *)l->accesses.data + first[item];
}

void relative_access_text(const struct relative_access *a, char *text, size_t size)
{
	int at;

	if (!a) {
		snprintf(text, size, "nothing");
		return;
	}
	at = snprintf(text, size, "%s %" PRId64 "+%" PRIu64 " %" PRIu64 " bytes at site %u,",
	              site_kind_name(a->kind), a->argument, a->offset, a->bytes, a->site);
	for (size_t i = 0; i < a->loop_count && at > 0 && (size_t)at < size; i++)
		at += snprintf(text + at, size - (size_t)at, " %u:%" PRIu64, a->loops[i].loop,
		               a->loops[i].iteration);
}

bool relative_access_equal(const struct relative_access *a, const struct relative_access *b)
{
	if (a->site != b->site || a->kind != b->kind || a->argument != b->argument ||
	    a->offset != b->offset || a->bytes != b->bytes || a->loop_count != b->loop_count)
		return false;
	for (size_t i = 0; i < a->loop_count; i++)
		if (a->loops[i].loop != b->loops[i].loop ||
		    a->loops[i].iteration != b->loops[i].iteration)
			return false;
	return true;
}
