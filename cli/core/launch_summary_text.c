/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_summary_text.h"

#include "launch_summary.h"
#include "recording.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A larger bound on the slow-down is meaningless. */
#define SLOW_DOWN_LIMIT 100
#define NS_PER_SECOND   1e9

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

/* Print the cost that only a first run has, and the bound for later runs. */
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
		fputs("cost      not known: the program ended before it was written\n", out);
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

static void add_count(uint64_t *sum, uint64_t count)
{
	*sum = *sum > UINT64_MAX - count ? UINT64_MAX : *sum + count;
}

/* Returns the counted launches of a kernel, with their totals in *sum. */
static uint64_t count_launches(const struct recording *r, size_t kernel, struct launch_totals *sum)
{
	uint64_t launches = 0;

	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->kernel != kernel || l->fate != LAUNCH_COUNTED)
			continue;
		launches++;
#define TOTAL(name) add_count(&sum->name, l->totals.name);
#include "launch_totals.def"
#undef TOTAL
	}
	return launches;
}

void launch_summary_print_counted(FILE *out, const struct recording *r)
{
	const char *head = "counted   ";

	for (size_t k = 0; k < r->kernel_count; k++) {
		struct launch_totals sum;
		uint64_t launches = count_launches(r, k, &sum);
		char texts[4][SHAPE_TEXT_BYTES], count[COUNT_TEXT_BYTES];

		if (!launches)
			continue;
		fprintf(out, "%s%s: %s launch%s, %s, %s, %s, %s\n", head, r->kernels[k].table.name,
		        count_text(count, launches), launches == 1 ? "" : "es",
		        amount_text(texts[0], sum.reads, "read"),
		        amount_text(texts[1], sum.writes, "write"),
		        amount_text(texts[2], sum.atomics, "atomic"),
		        amount_text(texts[3], sum.barriers, "barrier"));
		head = "          ";
	}
}

/* Returns how often a site was reached, over the kernel's counted launches. */
static uint64_t count_site(const struct recording *r, size_t kernel, size_t site)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->kernel == kernel && l->fate == LAUNCH_COUNTED && site < l->count_count)
			add_count(&sum, l->counts[site]);
	}
	return sum;
}

static void print_site(FILE *out, const struct site *site, uint64_t times)
{
	char count[COUNT_TEXT_BYTES];
	const struct place *p = &site->place;

	fprintf(out, "  %15s  %-8s ", count_text(count, times), site_kind_name(site->kind));
	if (p->file)
		fprintf(out, "%s:%u:%u", p->file, p->line, p->column);
	else
		fprintf(out, "?");
	if (site->expression && *site->expression)
		fprintf(out, "  %s", site->expression);
	fputc('\n', out);
}

void launch_summary_print_sites(FILE *out, const struct recording *r)
{
	for (size_t k = 0; k < r->kernel_count; k++) {
		const struct kernel_table *t = &r->kernels[k].table;
		struct launch_totals sum;

		if (!count_launches(r, k, &sum))
			continue;
		fprintf(out, "\ncounts of %s:\n  %15s  %-8s place\n", t->name, "times", "kind");
		for (size_t i = 0; i < t->site_count; i++)
			print_site(out, &t->sites[i], count_site(r, k, i));
	}
}

static const char *kernel_of(const struct recording *r, const struct recorded_tally *t)
{
	return r->kernels[t->kernel].table.name;
}

json_t *launch_summary_tallies_json(struct json_out *out, const struct recording *r)
{
	static const char *const fates[] = {
#define LAUNCH_FATE(NAME, name) name,
#include "launch_fates.def"
#undef LAUNCH_FATE
	};
	json_t *array = json_array();

	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];
		json_t *row = json_object();

		json_out_text(out, row, "kernel", kernel_of(r, t));
		json_out_text(out, row, "fate", fates[t->fate]);
		json_out_text(out, row, "reason", t->reason);
		json_out_count(out, row, "launches", t->count);
		json_out_count(out, row, "first", t->first);
		json_out_count(out, row, "last", t->last);
		json_out_append(out, array, row);
	}
	return array;
}

void launch_summary_print_tallies(FILE *out, const struct recording *r, const char *head)
{
	char launches[SHAPE_TEXT_BYTES], first[COUNT_TEXT_BYTES], last[COUNT_TEXT_BYTES];

	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];
		bool is_one = t->count == 1;

		fprintf(out, "%s%s of %s, number%s %s%s%s: %s%s\n", head,
		        amount_text(launches, t->count, "launch"), kernel_of(r, t),
		        is_one ? "" : "s", count_text(first, t->first), is_one ? "" : " to ",
		        is_one ? "" : count_text(last, t->last),
		        t->fate == LAUNCH_UNSELECTED ? "not selected by " : "", t->reason);
	}
}
