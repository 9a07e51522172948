/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_chain.h"

#include "dump.h"
#include "gpu.h"
#include "info.h"
#include "launch_reader.h"
#include "launch_summary.h"
#include "packed_run.h"
#include "replay.h"
#include "sweep.h"
#include "trace_source.h"

#include <stdlib.h>
#include <string.h>

struct chain {
	const struct gpu *gpu;
	struct replay_options options;
	struct recording *recording;
	struct chain_report *report;
	struct sweep *sweep;
	FILE *nowhere;
};

static const struct sweep_geometry geometries[] = { { GPU_L1_INDEX_MODULO, 1 },
	                                            { GPU_L1_INDEX_MODULO, 8 } };
enum { GEOMETRIES = 2, WAYS = 4 };

/* FNV-1a, of bytes and of numbers. */
static void digest(struct chain *c, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		c->report->digest =
			(c->report->digest ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
}

/* `all` is of uint64_t alone. */
static void digest_numbers(struct chain *c, const void *all, size_t bytes)
{
	const uint64_t *numbers = all;

	for (size_t i = 0; i < bytes / sizeof(*numbers); i++)
		c->report->digest = (c->report->digest ^ numbers[i]) * UINT64_C(0x100000001b3);
}

static int inform(struct chain *c, struct err *err)
{
	struct launch_summary s = { 0 };
	struct completeness whole = { 0 };
	int ret = launch_summary_make(&s, c->recording, err);

	if (!ret) {
		const uint64_t counts[] = {
			s.seen,     s.traced,        s.counted,         s.unselected,     s.limited,
			s.unknown,  s.accesses,      s.reads,           s.writes,         s.atomics,
			s.barriers, s.skipped.count, s.traced_accesses, s.dropped_events,
		};

		digest_numbers(c, counts, sizeof(counts));
		completeness_make(&whole, c->recording, true);
		info_print_text(c->nowhere, c->recording, &s, &whole);
		c->report->is_warned |= !whole.is_complete || whole.broken_launches;
	}
	completeness_release(&whole);
	launch_summary_release(&s);
	return ret;
}

/* Accesses that a group's events stand for; never less than there are. */
static uint64_t count_accesses(const struct group_events *g)
{
	uint64_t events = g->first[g->item_count], sum = events;

	for (uint64_t i = 0; i < events && sum <= CHAIN_ACCESSES_MAX; i++) {
		struct packed_run run;

		if (packed_run_get(&run, &g->events[i], events - i) &&
		    __builtin_add_overflow(sum, packed_run_accesses(&run), &sum))
			return UINT64_MAX;
	}
	return sum;
}

/* Whether a launch is small enough to be played; one that cannot be read is. */
static bool is_small(struct chain *c, size_t launch)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct group_events g;
	uint64_t sum = 0;
	int ret = recording_open_launch(c->recording, launch, &source, &reader, NULL);

	for (uint64_t group = ret ? UINT64_MAX : launch_reader_next(reader, 0);
	     !ret && group != UINT64_MAX && sum <= CHAIN_ACCESSES_MAX;
	     group = launch_reader_next(reader, group + 1)) {
		uint32_t parts = launch_reader_parts(reader, group);

		for (uint32_t i = 0; !ret && i < parts && sum <= CHAIN_ACCESSES_MAX; i++) {
			ret = launch_reader_part(reader, group, i, &g, NULL);
			if (!ret)
				sum += count_accesses(&g);
		}
	}
	launch_reader_close(reader);
	trace_source_close(source);
	return sum <= CHAIN_ACCESSES_MAX;
}

/* Print in every way that is complete, and digest what is printed. */
static int print(struct chain *c, size_t launch, struct err *err)
{
	static const enum dump_format formats[] = { DUMP_CSV, DUMP_TEXT, DUMP_JSON };
	const uint64_t number = c->recording->launches[launch].number;
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(formats) / sizeof(formats[0]); i++) {
		char *text = NULL;
		size_t length = 0;
		struct dump d = { .walk.launches = { c->recording, launch, launch + 1, number,
			                             true } };

		d.out = open_memstream(&text, &length);
		if (!d.out)
			return err_set(err, ERR_NOMEM, "no memory for a dump");
		ret = dump_write(&d, formats[i], err);
		fclose(d.out);
		digest(c, text, length);
		c->report->is_warned |= d.walk.lacks_groups;
		free(text);
	}
	return ret;
}

static int replay(struct chain *c, size_t launch, struct err *err)
{
	struct replay_result r = { 0 };
	int ret = replay_launch(c->recording, launch, c->gpu, &c->options, &r, err);

	if (!ret) {
		const uint64_t counts[] = { r.schedule.groups, r.schedule.cycles, r.schedule.lanes,
			                    r.schedule.requests, r.schedule.instructions };

		digest_numbers(c, counts, sizeof(counts));
		digest_numbers(c, &r.total, sizeof(r.total));
		for (size_t i = 0; i < r.site_count; i++)
			digest_numbers(c, &r.sites[i], sizeof(r.sites[i]));
		if (c->gpu->l2)
			digest_numbers(c, &r.below.l2, sizeof(r.below.l2));
		c->report->is_warned |= !r.is_whole;
		c->report->lanes += r.schedule.lanes;
	}
	replay_result_release(&r);
	return ret;
}

static int sweep(struct chain *c, size_t launch, struct err *err)
{
	const struct replay_options options = { 0 };
	bool is_whole = true;
	int ret = !c->sweep
	                  ? 0
	                  : sweep_launch(c->sweep, c->recording, launch, &options, &is_whole, err);

	c->report->is_warned |= !is_whole;
	return ret;
}

static int play(struct chain *c, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < c->recording->launch_count; i++) {
		if (c->recording->launches[i].fate != LAUNCH_TRACED)
			continue;
		if (!is_small(c, i)) {
			c->report->is_warned = c->report->is_large = true;
			continue;
		}
		ret = print(c, i, err);
		if (!ret)
			ret = replay(c, i, err);
		if (!ret)
			ret = sweep(c, i, err);
	}
	for (size_t i = 0; !ret && c->sweep && i < GEOMETRIES; i++) {
		for (uint32_t ways = 1; ways <= WAYS; ways++) {
			struct counters cell = { 0 };

			sweep_cell(c->sweep, i, ways, &cell);
			digest_numbers(c, &cell, sizeof(cell));
		}
	}
	return ret;
}

void chain_run(const char *dir, const struct gpu *gpu, const struct replay_options *options,
               struct chain_report *out)
{
	struct chain c = { .report = out, .gpu = gpu };
	struct gpu functional = *gpu;
	int ret;

	*out = (struct chain_report){ .digest = UINT64_C(0xcbf29ce484222325) };
	functional.latency = 1; /* off, as sweeps want it; and no L2 */
	functional.l2 = 0;
	if (options)
		c.options = *options;
	c.nowhere = fopen("/dev/null", "w");
	ret = c.nowhere ? recording_open(&c.recording, dir, &out->refusal)
	                : err_set(&out->refusal, ERR_IO, "there is no /dev/null");
	if (!ret)
		ret = sweep_create(&c.sweep, &functional, geometries, GEOMETRIES, WAYS,
		                   &out->refusal);
	if (ret == ERR_CONFIG && c.recording) { /* no caches to sweep: sectors, or no LRU */
		out->refusal = (struct err){ 0 };
		ret = 0;
	}
	if (!ret)
		ret = inform(&c, &out->refusal);
	if (!ret)
		ret = play(&c, &out->refusal);
	if (ret && !out->refusal.code)
		err_set(&out->refusal, (enum err_code)ret, "no reason is given for %d", ret);
	sweep_free(c.sweep);
	recording_close(c.recording);
	if (c.nowhere)
		fclose(c.nowhere);
}
