/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "err.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "l1_text.h"
#include "recording.h"
#include "replay_report.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_LIMIT_BYTES = 1 << 20 };

void bypass_report_sum(struct bypass_report *r)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct bypass_try *t = &r->tries[i];

		if (!bypass_report_was_played(t))
			continue;
		for (size_t row = 0; row < BYPASS_ROWS; row++) {
			const struct bypass_entry *e = &t->entries[row];

			r->rows[row].is_there |= e->is_there;
			r->rows[row].rules += e->list.count;
			bypass_measure_sum(&r->rows[row].measure, &e->measure);
		}
		r->best.is_there = true;
		r->best.rules += t->entries[t->best].list.count;
		bypass_measure_sum(&r->best.measure, &t->entries[t->best].measure);
	}
}

double bypass_report_miss_rate(const struct bypass_measure *m)
{
	return m->reads ? (double)m->misses / (double)m->reads : 0;
}

/* Print a sentence on a line, what came from files made visible. Takes the text. */
static int print_sentence(FILE *out, struct str *sentence, int ret, struct err *err)
{
	char *seen = ret ? NULL : str_visible(sentence->text, err);

	if (seen)
		fprintf(out, "%s.\n", seen);
	str_release(sentence);
	free(seen);
	return seen ? 0 : err->code;
}

static int print_sentence_kernel(FILE *out, const struct bypass_report *r,
                                 const struct bypass_try *t, struct err *err)
{
	struct str sentence;
	int ret;

	str_init(&sentence, SENTENCE_LIMIT_BYTES);
	ret = bypass_sentence_kernel(r, t, &sentence, err);
	return print_sentence(out, &sentence, ret, err);
}

/* A kernel that gains, and how much. */
struct gaining {
	const struct bypass_try *kernel;
	uint64_t saved;
};

static int compare_gaining(const void *a, const void *b)
{
	const struct gaining *x = a, *y = b;

	if (x->saved != y->saved)
		return x->saved > y->saved ? -1 : 1;
	return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

/* The sentences of the kernels that gain, that which saves most first. */
static int print_gaining(FILE *out, const struct bypass_report *r, struct err *err)
{
	struct gaining *list = array_alloc(r->count, sizeof(*list), "kernels", err);
	size_t count = 0;
	int ret = list ? 0 : ERR_NOMEM;

	for (size_t i = 0; list && i < r->count; i++) {
		const struct bypass_try *t = &r->tries[i];
		uint64_t before, after;

		if (!bypass_report_gains(t))
			continue;
		before = bypass_measure_value(&t->kernel.cache_all, r->wish->objective);
		after = bypass_measure_value(&t->entries[t->best].measure, r->wish->objective);
		list[count++] = (struct gaining){ t, before > after ? before - after : 0 };
	}
	if (count)
		qsort(list, count, sizeof(*list), compare_gaining);
	for (size_t i = 0; i < count && i < r->wish->top && !ret; i++) {
		fputs("  ", out);
		ret = print_sentence_kernel(out, r, list[i].kernel, err);
	}
	if (count > r->wish->top)
		fprintf(out, "  ... and %" PRIu64 " more (--top 0: all)\n",
		        (uint64_t)count - r->wish->top);
	free(list);
	return ret;
}

int bypass_text_sentence(FILE *out, const struct bypass_report *r, struct err *err)
{
	struct str sentence;
	size_t played = 0;
	int ret;

	str_init(&sentence, SENTENCE_LIMIT_BYTES);
	ret = bypass_sentence_all(r, &sentence, err);
	ret = print_sentence(out, &sentence, ret, err);
	for (size_t i = 0; i < r->count; i++)
		played += bypass_report_was_played(&r->tries[i]);
	return ret || played < 2 ? ret : print_gaining(out, r, err);
}

/* "have it off: 1,234 reads miss there, and 1,300 here." */
static void print_both(FILE *out, const struct bypass_report *r)
{
	struct bypass_measure here = { 0 }, there = { 0 };
	char of_here[COUNT_TEXT_BYTES], of_there[COUNT_TEXT_BYTES];

	for (size_t i = 0; i < r->count; i++) {
		bypass_measure_sum(&here, &r->tries[i].kernel.cache_all);
		bypass_measure_sum(&there, &r->tries[i].kernel.without_bandwidth);
	}
	if (here.misses == there.misses)
		fprintf(out, "have it off; as many reads miss there, %s.\n",
		        count_text(of_here, here.misses));
	else
		fprintf(out, "have it off: %s reads miss there, and %s here.\n",
		        count_text(of_there, there.misses), count_text(of_here, here.misses));
}

/* Whether traffic takes time. */
static void print_bandwidth(FILE *out, const struct bypass_report *r)
{
	const struct gpu *gpu = r->run->gpu;

	if (gpu->bandwidth == GPU_BANDWIDTH_OFF)
		fputs("What an SM receives from L2 takes no time by its size (--bandwidth off).\n",
		      out);
	else if (gpu->latency == GPU_LATENCY_OFF)
		fputs("Nothing takes time: cycles say little (--latency off).\n", out);
	else if (!gpu->l1_fill_bytes)
		fputs("What an SM receives from L2 takes no time by its size: l1_fill_bytes is "
		      "0.\n",
		      out);
	else {
		fprintf(out,
		        "Replayed with --bandwidth on: an SM receives %u bytes a cycle from L2. "
		        "report and replay\n",
		        gpu->l1_fill_bytes);
		print_both(out, r);
	}
}

/* On what this was found, and how much work it was. */
static void print_head(FILE *out, const struct bypass_report *r)
{
	static const char *const objectives[] = {
#define BYPASS_OBJECTIVE(name, word, unit, value, text) (text),
#include "bypass_objectives.def"
#undef BYPASS_OBJECTIVE
	};
	const struct gpu *gpu = r->run->gpu;
	char text[COUNT_TEXT_BYTES], launches[SHAPE_TEXT_BYTES], lists[SHAPE_TEXT_BYTES],
		replays[SHAPE_TEXT_BYTES], sms[SHAPE_TEXT_BYTES];

	fprintf(out, "\nOn %s", gpu->title);
	if (*gpu->l1)
		fprintf(out, ", L1 %s", gpu->l1);
	fprintf(out, "%s: %s%s with %s bytes of L1 (%u sets x %u ways x %u-byte lines).\n",
	        gpu_choice_origin(gpu), amount_text(sms, gpu->sm_count, "SM"),
	        gpu->sm_count == 1 ? "" : ", each",
	        count_text(text, (uint64_t)gpu->l1_sets * gpu->l1_ways * gpu->l1_line_bytes),
	        gpu->l1_sets, gpu->l1_ways, gpu->l1_line_bytes);
	l1_text_print(out, gpu);
	replay_text_below_head(out, gpu);
	replay_text_choices(out, gpu, &r->run->options);
	print_bandwidth(out, r);
	fprintf(out, "The best list: %s (--objective).\n", objectives[r->wish->objective]);
	if (r->wish->is_recorded)
		fputs("`given` is the list that the recording was made with.\n", out);
	fprintf(out, "%s, %s, each list replayed: %s. Cycles are estimates.\n",
	        amount_text(launches, r->run->launches, "launch"),
	        amount_text(lists, r->run->lists, "list"),
	        amount_text(replays, r->run->replays, "replay"));
}

static void print_columns(FILE *out, const struct bypass_report *r, bool has_sectors)
{
	fprintf(out, "  %-17s %9s %13s %13s %13s %8s %7s %7s %7s %7s", "list", "rules",
	        "L1 requests", "bypassed", "misses", "rate", "cold", "coher.", "capac.", "confl.");
	if (has_sectors)
		fprintf(out, " %7s", "sector");
	fprintf(out, " %15s %15s", "bytes from L2", "bytes to L2");
	if (r->run->gpu->l2 == GPU_L2_ON)
		fprintf(out, " %13s %15s", "L2 misses", "DRAM bytes");
	fprintf(out, " %13s %8s\n", "cycles", "gain");
}

/* A row of the table: what one list does. */
struct shown_row {
	const char *name;
	size_t rules;
	const struct bypass_measure *measure, *before;
	bool has_sectors, is_best;
};

static void print_row(FILE *out, const struct bypass_report *r, const struct shown_row *row)
{
	const struct bypass_measure *m = row->measure;
	const uint64_t classes[] = { m->cold, m->coherence, m->capacity, m->conflict, m->sector };
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], c[COUNT_TEXT_BYTES], d[COUNT_TEXT_BYTES];

	fprintf(out, "%c %-17s %9s %13s %13s %13s", row->is_best ? '*' : ' ', row->name,
	        count_text(a, row->rules), count_text(b, m->l1_requests),
	        count_text(c, m->bypasses), count_text(d, m->misses));
	fprintf(out, " %8s", share_text(a, m->misses, m->reads));
	for (size_t i = 0; i < (row->has_sectors ? 5 : 4); i++)
		fprintf(out, " %7s", share_text(a, classes[i], m->misses));
	fprintf(out, " %15s %15s", count_text(a, m->bytes_from_l2), count_text(b, m->bytes_to_l2));
	if (r->run->gpu->l2 == GPU_L2_ON)
		fprintf(out, " %13s %15s", count_text(a, m->l2_misses),
		        count_text(b, m->dram_bytes));
	fprintf(out, " %13s %+7.2f%%\n", count_text(a, m->cycles),
	        100 * bypass_measure_gain(row->before, m, r->wish->objective));
}

/* The first row before `row` that did just the same, or `row`. */
static enum bypass_row same_as(const struct bypass_measure *const measures[BYPASS_ROWS],
                               enum bypass_row row)
{
	for (enum bypass_row i = 0; i < row; i++)
		if (measures[i] && !memcmp(measures[i], measures[row], sizeof(*measures[row])))
			return i;
	return row;
}

/* The rows that are there, each that does what another does only named. `best`: the one to mark. */
static void print_rows(FILE *out, const struct bypass_report *r,
                       const struct bypass_measure *const measures[BYPASS_ROWS],
                       const size_t rules[BYPASS_ROWS], enum bypass_row best)
{
	const struct bypass_measure *before = measures[BYPASS_ROW_CACHE_ALL];
	char count[COUNT_TEXT_BYTES];

	print_columns(out, r, before->sector);
	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		enum bypass_row first = measures[row] ? same_as(measures, row) : row;

		if (measures[row] && first == row)
			print_row(out, r,
			          &(struct shown_row){ bypass_row_word(row), rules[row],
			                               measures[row], before, before->sector,
			                               row == best });
		else if (measures[row])
			fprintf(out, "%c %-17s %9s  as %s\n", row == best ? '*' : ' ',
			        bypass_row_word(row), count_text(count, rules[row]),
			        bypass_row_word(first));
	}
}

static void print_lists(FILE *out, const struct bypass_report *r, const struct bypass_try *t)
{
	const struct bypass_measure *measures[BYPASS_ROWS] = { NULL };
	size_t rules[BYPASS_ROWS] = { 0 };

	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		if (t->entries[row].is_there)
			measures[row] = &t->entries[row].measure;
		rules[row] = t->entries[row].list.count;
	}
	print_rows(out, r, measures, rules, t->best);
}

static void print_total(FILE *out, const struct bypass_report *r)
{
	const struct bypass_measure *before = &r->rows[BYPASS_ROW_CACHE_ALL].measure;
	const struct bypass_measure *measures[BYPASS_ROWS] = { NULL };
	size_t rules[BYPASS_ROWS] = { 0 };

	if (!r->best.is_there)
		return;
	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		if (r->rows[row].is_there)
			measures[row] = &r->rows[row].measure;
		rules[row] = r->rows[row].rules;
	}
	fprintf(out, "\nAll kernels together\n");
	print_rows(out, r, measures, rules, BYPASS_ROWS);
	print_row(out, r,
	          &(struct shown_row){ "best of each", r->best.rules, &r->best.measure, before,
	                               before->sector, r->best.rules != 0 });
}

static int print_kernel(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                        bool is_only, struct err *err)
{
	char launches[SHAPE_TEXT_BYTES], *name = str_visible(t->kernel.name, err);
	int ret = 0;

	if (!name)
		return ERR_NOMEM;
	fprintf(out, "\nKernel %s, %s\n", name,
	        amount_text(launches, t->kernel.launches.count, "launch"));
	free(name);
	if (!is_only)
		ret = print_sentence_kernel(out, r, t, err);
	if (ret || !bypass_report_was_played(t))
		return ret;
	print_lists(out, r, t);
	ret = bypass_text_notes(out, r, t, err);
	bypass_text_curve(out, r, t);
	bypass_text_reads(out, r, t);
	bypass_text_lines(out, r, t);
	return ret;
}

int bypass_text_print(FILE *out, const struct bypass_report *r, struct err *err)
{
	int ret = bypass_text_sentence(out, r, err);

	print_head(out, r);
	for (size_t i = 0; i < r->count && !ret; i++)
		ret = print_kernel(out, r, &r->tries[i], r->count == 1, err);
	if (!ret && r->count > 1)
		print_total(out, r);
	if (!ret)
		bypass_text_splits(out, r);
	return ret;
}
