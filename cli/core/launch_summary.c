/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_summary.h"

#include "err.h"
#include "recording.h"
#include "shape_text.h"
#include "tally_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A bound on the slow-down that is larger says nothing. */
#define SLOW_DOWN_LIMIT 100
#define NS_PER_SECOND   1e9

enum { SKIPPED_LIMIT = 1 << 16 };

const char *launch_summary_reason(const struct recording *r, size_t launch)
{
	const struct recorded_launch *l = &r->launches[launch];

	if (l->fate == LAUNCH_PENDING)
		return "the program ended before its accesses were stored";
	if (l->fate == LAUNCH_COUNTED)
		return "its accesses were only counted";
	if (l->fate == LAUNCH_UNSELECTED)
		return "it was not selected";
	return l->reason ? l->reason : "no reason recorded";
}

/* Add the totals of a launch that was traced or counted. */
static void add_totals(struct launch_summary *s, const struct recorded_launch *l)
{
	s->accesses += l->totals.accesses;
	s->reads += l->totals.reads;
	s->writes += l->totals.writes;
	s->atomics += l->totals.atomics;
	s->barriers += l->totals.barriers;
	s->dropped_events += l->dropped_events;
	if (l->room_bytes > s->room_bytes)
		s->room_bytes = l->room_bytes;
	s->device_ns += l->device_ns;
	if (l->fate != LAUNCH_TRACED)
		return;
	s->traced_accesses += l->totals.accesses;
	s->file_bytes += l->totals.file_bytes;
}

/* Count what was not recorded, of a kernel for a reason. */
static int count_skipped(struct launch_summary *s, const char *kernel, const char *reason,
                         uint64_t launches, struct err *err)
{
	struct skipped_launches *list = s->skipped.data, *row;

	for (size_t i = 0; i < s->skipped.count; i++) {
		if (!strcmp(list[i].kernel, kernel) && !strcmp(list[i].reason, reason)) {
			list[i].launches += launches;
			return 0;
		}
	}
	row = array_push(&s->skipped, 1, err);
	if (!row)
		return err->code;
	*row = (struct skipped_launches){ kernel, reason, launches };
	return 0;
}

int launch_summary_make(struct launch_summary *s, const struct recording *r, struct err *err)
{
	int ret = 0;

	*s = (struct launch_summary){ .seen = r->launches_seen, .unknown = r->launches_unknown };
	array_init(&s->skipped, sizeof(struct skipped_launches), SKIPPED_LIMIT,
	           "reasons for skipped launches");
	for (size_t i = 0; !ret && i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		s->traced += l->fate == LAUNCH_TRACED;
		s->counted += l->fate == LAUNCH_COUNTED;
		s->unselected += l->fate == LAUNCH_UNSELECTED;
		s->limited += l->fate == LAUNCH_LIMITED;
		if (l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED)
			add_totals(s, l);
		else if (l->fate != LAUNCH_UNSELECTED && l->fate != LAUNCH_LIMITED)
			ret = count_skipped(s, r->kernels[l->kernel].table.name,
			                    launch_summary_reason(r, i), 1, err);
	}
	for (size_t i = 0; !ret && i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		if (t->fate == LAUNCH_UNSELECTED)
			s->unselected += t->count;
		else
			ret = count_skipped(s, r->kernels[t->kernel].table.name,
			                    tally_report_reason(t), t->count, err);
	}
	for (size_t i = 0; !ret && i < r->note_count; i++) {
		if (strcmp(r->notes[i].what, RECORDED_NOTE_LAUNCH) != 0)
			continue;
		s->seen += r->notes[i].count;
		ret = count_skipped(s, "kernels without a line", r->notes[i].reason,
		                    r->notes[i].count, err);
	}
	return ret;
}

void launch_summary_release(struct launch_summary *s)
{
	array_release(&s->skipped);
}

static void print_share(FILE *out, double bytes)
{
	fprintf(out, ", %.*f bytes per access", bytes < 0.01 ? 6 : 3, bytes);
}

void launch_summary_print(const struct launch_summary *s, FILE *out)
{
	const struct skipped_launches *list = s->skipped.data;
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], dropped[SHAPE_TEXT_BYTES],
		room[RECORDED_ROOM_TEXT_BYTES];

	fprintf(out, "launches  %s seen", count_text(a, s->seen));
	if (s->traced || !s->counted)
		fprintf(out, ", %s recorded", count_text(b, s->traced));
	if (s->counted)
		fprintf(out, ", %s counted", count_text(a, s->counted));
	if (s->unselected)
		fprintf(out, ", %s not selected", count_text(a, s->unselected));
	if (s->limited)
		fprintf(out, ", %s after a limit", count_text(a, s->limited));
	if (s->unknown)
		fprintf(out, ", %s of which nothing was written", count_text(a, s->unknown));
	fputc('\n', out);
	for (size_t i = 0; i < s->skipped.count; i++)
		fprintf(out, "          %s of %s not recorded: %s\n",
		        count_text(a, list[i].launches), list[i].kernel, list[i].reason);
	fprintf(out, "accesses  %s\n", count_text(a, s->accesses));
	if (s->dropped_events)
		fprintf(out, "          %s lost for want of room: %s\n",
		        amount_text(dropped, s->dropped_events, "event"),
		        recorded_room_text(room, s->room_bytes));
	if (s->counted && !s->traced)
		return;
	fprintf(out, "on disk   %s bytes", count_text(a, s->file_bytes));
	if (s->traced_accesses)
		print_share(out, (double)s->file_bytes / (double)s->traced_accesses);
	fprintf(out, "\n");
}

/* What only a first run pays, and the bound for a run that finds it done. */
static void print_once(const struct recorded_work *work, double program, FILE *out)
{
	double instrument = (double)work->instrument_ns / NS_PER_SECOND;
	double driver = (double)work->driver_ns / NS_PER_SECOND;
	double recorder = (double)work->all_ns / NS_PER_SECOND;
	double again = program - instrument - driver;

	if (!work->instrument_ns && !work->driver_ns)
		return;
	fprintf(out,
	        "          of that %.3f s to instrument, %.3f s of the driver to compile and queue",
	        instrument, driver);
	if (recorder < program && program - recorder > again / SLOW_DOWN_LIMIT)
		fprintf(out, "; without both at most %.2f times", again / (program - recorder));
	fputc('\n', out);
}

void launch_summary_print_time(const struct launch_summary *s, const struct recording *r, FILE *out)
{
	double program = (double)r->program_ns / NS_PER_SECOND;
	double recorder = (double)r->work.all_ns / NS_PER_SECOND;

	if (!r->program_ns)
		return;
	fprintf(out, "time      %.3f s for the program", program);
	if (s->device_ns)
		fprintf(out, ", %.3f s of recorded kernels on the device",
		        (double)s->device_ns / NS_PER_SECOND);
	fputc('\n', out);
	if (!r->work.all_ns)
		return;
	if (program - recorder > program / SLOW_DOWN_LIMIT)
		fprintf(out, "slow-down at most %.2f times: the recorder was at work for %.3f s\n",
		        program / (program - recorder), recorder);
	else
		fprintf(out,
		        "slow-down not known: the recorder was at work for %.3f s; to know it, "
		        "time "
		        "the program without record\n",
		        recorder);
	print_once(&r->work, program, out);
}

struct cost {
	uint64_t ns;
	const char *what, *advice;
};

static int by_ns(const void *a, const void *b)
{
	uint64_t left = ((const struct cost *)a)->ns, right = ((const struct cost *)b)->ns;

	return (left < right) - (left > right);
}

static void print_cost(const struct cost *c, uint64_t all, FILE *out)
{
	if (c->ns)
		fprintf(out, "          %8.3f s %3.0f%%  %s\n", (double)c->ns / NS_PER_SECOND,
		        100 * (double)c->ns / (double)all, c->what);
}

void launch_summary_print_cost(const struct recording *r, FILE *out)
{
	struct cost costs[] = {
#define WORK_PART(NAME, name, what, advice) { r->work.name##_ns, what, advice },
#include "work_parts.def"
#undef WORK_PART
	};
	struct cost rest = { r->work.all_ns, "all else: arguments, copies of buffers, commands",
		             NULL };
	size_t count = sizeof(costs) / sizeof(costs[0]);

	if (!r->work.all_ns) {
		fputs("cost      not known: the program did not live to say it\n", out);
		return;
	}
	for (size_t i = 0; i < count; i++)
		rest.ns -= costs[i].ns < rest.ns ? costs[i].ns : rest.ns;
	fprintf(out, "cost      %.3f s of recording, of these:\n",
	        (double)r->work.all_ns / NS_PER_SECOND);
	qsort(costs, count, sizeof(costs[0]), by_ns);
	for (size_t i = 0; i < count; i++)
		print_cost(&costs[i], r->work.all_ns, out);
	print_cost(&rest, r->work.all_ns, out);
	if (costs[0].ns)
		fprintf(out, "          what helps: %s\n", costs[0].advice);
}

bool launch_summary_is_empty(const struct launch_summary *s, const char **why)
{
	if (s->traced || s->counted)
		return false;
	if (!s->seen)
		*why = "nothing was recorded: no kernel was launched that the recorder could see";
	else if (s->unselected == s->seen)
		*why = "nothing was recorded: no launch matches the options, or --records none "
		       "was given";
	else if (s->unselected + s->limited == s->seen)
		*why = "nothing was recorded: the limit was reached before the first launch was "
		       "whole";
	else
		*why = "nothing was recorded, for the reasons above";
	return true;
}
