/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_report.h"

#include "diff_verdict.h"
#include "err.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "recording.h"
#include "shape_text.h"
#include "site.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WHERE_LIMIT = 1 << 20 };

/* Whether the tables of a section have a column for a metric; some only if it is not 0. */
static bool is_shown(const struct diff_report *r, enum diff_section section, enum diff_metric m)
{
	const struct diff_counts *counts = r->diff->total.counts;

	if (m == DIFF_requests || m == DIFF_misses || m == DIFF_bytes_from_l2)
		return true;
	return (m == DIFF_dram_bytes || m == DIFF_bank_conflicts) &&
	       diff_metric_is_of(m, section) && (counts[DIFF_A].of[m] || counts[DIFF_B].of[m]);
}

static void print_side(const struct diff_report *r, size_t side, FILE *out)
{
	const struct diff_side *s = r->side[side];
	char launches[SHAPE_TEXT_BYTES];
	char *dir = str_visible(r->dir[side], NULL);

	fprintf(out, "%c: %s  %s%s%s%s, %s\n", side == DIFF_A ? 'A' : 'B', dir ? dir : "",
	        s->setup.gpu.name, *s->setup.gpu.l1 ? ", L1 " : "", s->setup.gpu.l1,
	        gpu_choice_origin(&s->setup.gpu),
	        amount_text(launches, s->data.launches_played, "launch"));
	free(dir);
}

static void print_total(const struct diff_report *r, FILE *out)
{
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], change[DIFF_CHANGE_BYTES];
	const struct diff_counts *counts = r->diff->total.counts;
	int width = 18;

	for (int m = 0; m < DIFF_METRICS; m++)
		if ((int)strlen(diff_title(r->diff, (enum diff_metric)m)) > width)
			width = (int)strlen(diff_title(r->diff, (enum diff_metric)m));
	fprintf(out, "\n%-*s %17s %17s %9s\n", width, "", "A", "B", "change");
	for (int m = 0; m < DIFF_METRICS; m++) {
		uint64_t of_a = counts[DIFF_A].of[m], of_b = counts[DIFF_B].of[m];

		if ((of_a || of_b) && (m != DIFF_turns || diff_turns_are_comparable(r->diff)))
			fprintf(out, "%-*s %17s %17s %9s\n", width,
			        diff_title(r->diff, (enum diff_metric)m), count_text(a, of_a),
			        count_text(b, of_b), diff_change_text(change, of_a, of_b));
	}
}

/* "1,024 -> 512  -50.0%" */
static void print_metric(const struct diff_row *row, enum diff_metric m, FILE *out)
{
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], change[DIFF_CHANGE_BYTES];
	uint64_t of_a = row->counts[DIFF_A].of[m], of_b = row->counts[DIFF_B].of[m];

	fprintf(out, "%13s -> %-13s %7s", row->item[DIFF_A] ? count_text(a, of_a) : "-",
	        row->item[DIFF_B] ? count_text(b, of_b) : "-",
	        row->item[DIFF_A] && row->item[DIFF_B] ? diff_change_text(change, of_a, of_b)
	        : row->item[DIFF_A]                    ? "gone"
	                                               : "new");
}

static int print_row(const struct diff_report *r, const struct diff_row *row,
                     enum diff_section section, FILE *out, struct err *err)
{
	struct str where;
	int ret;

	str_init(&where, WHERE_LIMIT);
	ret = diff_row_text(section, row, &where, err);
	for (int m = 0; !ret && m < DIFF_METRICS; m++)
		if (is_shown(r, section, (enum diff_metric)m))
			print_metric(row, (enum diff_metric)m, out);
	if (!ret)
		fprintf(out, "  %s\n", where.text);
	str_release(&where);
	return ret;
}

static int print_section(const struct diff_report *r, enum diff_section section, FILE *out,
                         struct err *err)
{
	static const char *const texts[] = {
#define DIFF_SECTION(name, text) text,
#include "diff_sections.def"
#undef DIFF_SECTION
	};
	const struct diff_rows *rows = &r->diff->sections[section];
	size_t count = rows->changed < r->top ? rows->changed : (size_t)r->top;
	char all[COUNT_TEXT_BYTES], changed[COUNT_TEXT_BYTES];
	int ret = 0;

	/* the row of a single launch repeats its kernel */
	if (!count || (section == DIFF_SECTION_launches && rows->count < 2))
		return 0;
	fprintf(out, "\nBy %s: %s of %s changed\n", texts[section],
	        count_text(changed, rows->changed), count_text(all, rows->count));
	for (int m = 0; m < DIFF_METRICS; m++)
		if (is_shown(r, section, (enum diff_metric)m))
			fprintf(out, "%13s    %-13s %7s", diff_title(r->diff, (enum diff_metric)m),
			        "", "");
	fputs("  where\n", out);
	for (size_t i = 0; !ret && i < count; i++)
		ret = print_row(r, &rows->list[i], section, out, err);
	if (!ret && count < rows->changed)
		fprintf(out, "  and %s more (--top)\n", count_text(changed, rows->changed - count));
	return ret;
}

/* Kernels whose numbers of launches differ. */
static int print_launches(const struct diff_report *r, FILE *out, struct err *err)
{
	const struct diff_rows *kernels = &r->diff->sections[DIFF_SECTION_kernels];
	struct str name;
	uint64_t told = 0;
	int ret = 0;

	str_init(&name, WHERE_LIMIT);
	for (size_t i = 0; !ret && i < kernels->count; i++) {
		const struct diff_row *k = &kernels->list[i];

		if (k->launches[DIFF_A] == k->launches[DIFF_B] || told++ >= r->top)
			continue;
		name.length = 0;
		ret = diff_row_text(DIFF_SECTION_kernels, k, &name, err);
		if (!ret)
			fprintf(out,
			        "launches differ: %s has %" PRIu64 " in A and %" PRIu64 " in B\n",
			        name.text, k->launches[DIFF_A], k->launches[DIFF_B]);
	}
	str_release(&name);
	return ret;
}

static void print_regressions(const struct diff_report *r, FILE *out)
{
	const struct diff_regression *list = r->judge->found.data;
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], change[DIFF_CHANGE_BYTES];

	for (size_t i = 0; i < r->judge->found.count; i++) {
		const struct diff_row *row = list[i].row;
		uint64_t of_a = row->counts[DIFF_A].of[list[i].metric];
		uint64_t of_b = row->counts[DIFF_B].of[list[i].metric];

		fprintf(out, "%sregression: %s of %s: %s -> %s, %s, more than +%g%%\n",
		        i ? "" : "\n", diff_metric_name(list[i].metric),
		        list[i].is_total ? "all launches" : row->kernel[DIFF_B],
		        count_text(a, of_a), count_text(b, of_b),
		        diff_change_text(change, of_a, of_b), r->judge->percent);
	}
}

/* A and B may differ by their levels alone: this comes before the differences. */
static void print_levels(const struct diff_report *r, FILE *out)
{
	enum access_level a = access_level_of(r->side[DIFF_A]->recording);
	enum access_level b = access_level_of(r->side[DIFF_B]->recording);

	if (a != b)
		fprintf(out,
		        "A and B were recorded at different levels, at which the same program has "
		        "different counts. A's accesses: %s. B's: %s.\n\n",
		        access_level_text(a), access_level_text(b));
}

int diff_text(const struct diff_report *r, FILE *out, struct err *err)
{
	struct str sentence;
	int ret;

	print_levels(r, out);
	str_init(&sentence, WHERE_LIMIT);
	ret = diff_sentence(r, &sentence, err);
	if (!ret)
		fprintf(out, "%s\n\n", sentence.text);
	str_release(&sentence);
	if (ret)
		return ret;
	print_side(r, DIFF_A, out);
	print_side(r, DIFF_B, out);
	ret = print_launches(r, out, err);
	if (!ret && !diff_is_same(r->diff))
		print_total(r, out);
	for (size_t i = 0; !ret && i < DIFF_SECTIONS; i++)
		ret = print_section(r, (enum diff_section)i, out, err);
	print_regressions(r, out);
	return ret;
}
