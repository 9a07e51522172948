/* SPDX-License-Identifier: Apache-2.0 */
#include "report_output.h"

#include "cuda_words.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "l1_stats.h"
#include "recording.h"
#include "replay_report.h"
#include "shape_text.h"
#include "site.h"
#include "str.h"
#include "sum_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Print a string of a recording, control characters made visible. */
static void print_seen(FILE *out, const char *text)
{
	char *seen = str_visible(text, NULL);

	fputs(seen ? seen : "?", out);
	free(seen);
}

static void print_head(FILE *out, const struct report_data *d)
{
	const struct gpu *gpu = &d->setup->gpu;
	char bytes[COUNT_TEXT_BYTES], played[SHAPE_TEXT_BYTES], asked[COUNT_TEXT_BYTES];
	char sms[SHAPE_TEXT_BYTES];

	fprintf(out, "Report of %s on %s", d->recording->dir, gpu->title);
	if (*gpu->l1)
		fprintf(out, ", L1 %s", gpu->l1);
	fprintf(out, "%s: %s%s with %s bytes of L1\n", gpu_choice_origin(gpu),
	        amount_text(sms, gpu->sm_count, "SM"), gpu->sm_count == 1 ? "" : ", each",
	        count_text(bytes, (uint64_t)gpu->l1_sets * gpu->l1_ways * gpu->l1_line_bytes));
	replay_text_choices(out, gpu, &d->setup->options);
	fprintf(out, "Replayed: %s", amount_text(played, d->launches_played, "launch"));
	if (d->launches_played != d->launches_asked)
		fprintf(out, " of %s", count_text(asked, d->launches_asked));
	fputc('\n', out);
	if (access_level_of(d->recording) != ACCESS_LEVEL_UNKNOWN)
		fprintf(out, "Accesses: %s\n", access_level_text(access_level_of(d->recording)));
}

/* Print what the numbers lack. */
static void print_loss(FILE *out, const struct report_data *d)
{
	char count[SHAPE_TEXT_BYTES];

	if (!d->completeness.is_complete)
		fprintf(out, "The recording is incomplete; missing: %s\n",
		        d->completeness.missing ? d->completeness.missing : "?");
	if (d->completeness.limited_launches)
		fprintf(out, "Left out when a limit was reached: %s\n",
		        amount_text(count, d->completeness.limited_launches, "launch"));
	if (!d->is_whole)
		fprintf(out, "Files of launches lack accesses: the numbers are too low\n");
	if (d->sources_left)
		fprintf(out, "Sources not shown, because all together exceed 32 MiB: %s\n",
		        amount_text(count, d->sources_left, "program"));
}

/* Print the sentence for a report without findings. */
static void print_nothing(FILE *out, const struct report_data *d)
{
	const struct l1_stats_row *l = &d->total.l1;
	uint64_t least = 0, made = 0;
	char requests[SHAPE_TEXT_BYTES], share[COUNT_TEXT_BYTES];
	bool has_more;

	for (size_t i = 0; i < d->site_count; i++) {
		made += d->sites[i].sums.pattern.requests;
		least += d->sites[i].sums.pattern.requests_least;
	}
	has_more = made > least + least / 10;
	fprintf(out, "%s: %s",
	        !strcmp(report_data_verdict(d), "unknown")
	                ? "No verdict, as not everything could be checked; no rule found anything"
	        : has_more ? "No rule found anything that costs 1% or more"
	                   : "No problem found among those looked for",
	        amount_text(requests, made, "request"));
	if (made)
		fprintf(out, " (minimum %s)", count_text(requests, least));
	if (l->reads)
		fprintf(out, ", %s of reads miss", share_text(share, l->read_misses, l->reads));
	if (l->read_misses)
		fprintf(out, ", %s of these on first touch",
		        share_text(share, l->cold, l->read_misses));
	fputs(".\n", out);
}

/* Print what to do, each advice once. */
static void print_advice(FILE *out, const struct report_data *d, size_t number)
{
	const struct finding_list *list = &d->findings;
	char words[CUDA_WORDS_BYTES];

	for (size_t i = 0; i < number; i++)
		if (list->items[i].advice == list->items[number].advice) {
			fprintf(out, "   To do: as in %zu.\n", i + 1);
			return;
		}
	fprintf(out, "   To do: %s.\n",
	        cuda_words(words, d->recording, list->items[number].advice));
}

/* Print the sample that the numbers of local memory are from, unless from all groups. */
static void print_sample(FILE *out, const struct report_data *d)
{
	char text[FINDING_SAMPLE_BYTES];

	if (finding_sample_text(text, &d->total))
		fprintf(out, "%s.\n", text);
}

static void print_findings(FILE *out, const struct report_data *d, uint64_t top)
{
	const struct finding_list *list = &d->findings;
	char more[SHAPE_TEXT_BYTES], words[CUDA_WORDS_BYTES];

	fputc('\n', out);
	if (!d->launches_played)
		fputs("No launch was replayed: there is nothing to judge.\n", out);
	else if (!list->count)
		print_nothing(out, d);
	for (size_t i = 0; i < list->count && i < top; i++) {
		const struct finding *f = &list->items[i];

		fprintf(out, "%zu. ", i + 1);
		print_seen(out, f->sentence);
		fprintf(out,
		        ".\n   %s, %s: fixing it would save an estimated %.0f%% of %s (kernel ",
		        finding_name(f->rule), finding_severity_name(f->severity),
		        100 * f->cost_share,
		        cuda_words(words, d->recording, finding_whole_text(f->whole)));
		print_seen(out, d->recording->kernels[f->kernel].table.name);
		fputs(").\n", out);
		print_advice(out, d, i);
	}
	if (list->count)
		fputs("Each estimate counts requests, bytes and passes of all launches, with the "
		      "findings above\nit fixed; so estimates add up.\n",
		      out);
	if (list->count > top)
		fprintf(out, "And %s (--top).\n",
		        amount_text(more, list->count - top, "further finding"));
	print_sample(out, d);
	/* without findings, problems that no rule looks for are listed too: they were not excluded
	 */
	for (size_t i = 0; i < (list->count ? FINDING_RULES : FINDING_NAMES); i++)
		if (d->launches_played && list->not_looked[i])
			fprintf(out, "Not looked for: %s (%s).\n",
			        finding_name((enum finding_rule)i),
			        cuda_words(words, d->recording, list->not_looked[i]));
}

/* The columns of all tables. */
static const struct sum_text columns[] = { { SUM_MISSES, 13 },        { SUM_MISS_SHARE, 8 },
	                                   { SUM_MISS_RATE, 8 },      { SUM_REQUESTS, 13 },
	                                   { SUM_BYTES_FROM_L2, 15 }, { SUM_USED, 8 } };

static void print_numbers(FILE *out, const struct report_data *d, const struct l1_stats_row *l)
{
	sum_text_row(out, columns, sizeof(columns) / sizeof(columns[0]), l, &d->total.l1);
}

static void print_table_head(FILE *out, const struct report_data *d, const char *of)
{
	fputc('\n', out);
	sum_text_head(out, columns, sizeof(columns) / sizeof(columns[0]), &d->total.l1, of);
}

static void print_kernels(FILE *out, const struct report_data *d, uint64_t top)
{
	char launches[SHAPE_TEXT_BYTES], left[COUNT_TEXT_BYTES];

	print_table_head(out, d, "kernel");
	for (size_t i = 0; i < d->kernel_count && i < top; i++) {
		const struct report_kernel *k = &d->kernels[i];

		print_numbers(out, d, &k->counts.l1);
		print_seen(out, k->name);
		fprintf(out, ", %s", amount_text(launches, k->launches_played, "launch"));
		if (k->launches_left)
			fprintf(out, ", %s more that the GPU cannot hold",
			        count_text(left, k->launches_left));
		fputc('\n', out);
	}
}

static int compare_lines(const void *a, const void *b)
{
	const struct report_line *x = *(const struct report_line *const *)a;
	const struct report_line *y = *(const struct report_line *const *)b;
	uint64_t of_x = l1_stats_requests(&x->l1), of_y = l1_stats_requests(&y->l1);

	if (x->l1.read_misses != y->l1.read_misses)
		return x->l1.read_misses > y->l1.read_misses ? -1 : 1;
	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static void print_line(FILE *out, const struct report_data *d, const struct report_line *line)
{
	print_numbers(out, d, &line->l1);
	if (line->file)
		fprintf(out, "%s:%u  | ", line->file, line->line);
	else
		fprintf(out, "site %u of %s  | ", d->sites[line->site].site,
		        d->recording->kernels[line->kernel].table.name);
	print_seen(out, line->text ? line->text : "");
	fputc('\n', out);
}

/* Print the lines of all kernels together; in d->lines each kernel's are separate. */
static void print_lines(FILE *out, const struct report_data *d, uint64_t top)
{
	const struct report_line **lines = calloc(d->line_count + 1, sizeof(*lines));

	print_table_head(out, d, "source line");
	for (size_t i = 0; lines && i < d->line_count; i++)
		lines[i] = &d->lines[i];
	if (lines)
		qsort(lines, d->line_count, sizeof(*lines), compare_lines);
	for (size_t i = 0; lines && i < d->line_count && i < top; i++)
		if (l1_stats_requests(&lines[i]->l1))
			print_line(out, d, lines[i]);
	free(lines);
}

static void print_buffers(FILE *out, const struct report_data *d, uint64_t top)
{
	char bytes[COUNT_TEXT_BYTES];

	print_table_head(out, d, "buffer");
	for (size_t i = 0; i < d->buffer_count && i < top; i++) {
		const struct report_buffer *b = &d->buffers[i];

		print_numbers(out, d, &b->l1);
		if (b->buffer < 0) {
			fputs("in no known buffer\n", out);
			continue;
		}
		fprintf(out, "buffer %" PRId64 ", %s bytes  ", b->buffer,
		        count_text(bytes, b->bytes));
		print_seen(out, b->names);
		fputc('\n', out);
	}
}

void report_text_print(FILE *out, const struct report_data *d, uint64_t top)
{
	print_head(out, d);
	print_loss(out, d);
	print_findings(out, d, top);
	if (!d->launches_played)
		return;
	print_kernels(out, d, top);
	print_lines(out, d, top);
	print_buffers(out, d, top);
}
