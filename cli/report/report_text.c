/* SPDX-License-Identifier: Apache-2.0 */
#include "report_text.h"

#include "cuda_words.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "l1_stats.h"
#include "l1_text.h"
#include "player.h"
#include "recording.h"
#include "replay_report.h"
#include "shape_text.h"
#include "site.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t requests_of(const struct l1_stats_row *l)
{
	return l1_stats_requests(l);
}

/* A text from a recording, which may move no cursor. */
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

/* What the numbers lack. */
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
		fprintf(out,
		        "Shown without their source, of which there are more than 32 MiB: %s\n",
		        amount_text(count, d->sources_left, "program"));
}

/* What is said when no rule found anything. */
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

/* What to do, once for each advice. */
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

/* From how many groups the figures of local memory come, where not from all. */
static void print_sample(FILE *out, const struct report_data *d)
{
	char text[FINDING_SAMPLE_BYTES];

	if (finding_sample_text(text, &d->total))
		fprintf(out, "%s.\n", text);
}

void report_text_findings(FILE *out, const struct report_data *d, uint64_t top)
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
	/* Where nothing is found, what no rule looks for is not acquitted. */
	for (size_t i = 0; i < (list->count ? FINDING_RULES : FINDING_NAMES); i++)
		if (d->launches_played && list->not_looked[i])
			fprintf(out, "Not looked for: %s (%s).\n",
			        finding_name((enum finding_rule)i),
			        cuda_words(words, d->recording, list->not_looked[i]));
}

/* "   1,234   12.34%  ..." of a row, as all tables have it. */
static void print_numbers(FILE *out, const struct report_data *d, const struct l1_stats_row *l)
{
	char misses[COUNT_TEXT_BYTES], share[COUNT_TEXT_BYTES], rate[COUNT_TEXT_BYTES];
	char requests[COUNT_TEXT_BYTES], moved[COUNT_TEXT_BYTES], used[COUNT_TEXT_BYTES];

	fprintf(out, "  %13s %8s %8s %13s %15s %8s  ", count_text(misses, l->read_misses),
	        share_text(share, l->read_misses, d->total.l1.read_misses),
	        share_text(rate, l->read_misses, l->reads), count_text(requests, requests_of(l)),
	        count_text(moved, l->bytes_from_l2),
	        share_text(used, l->bytes_used, l->bytes_moved));
}

static void print_table_head(FILE *out, const char *of)
{
	fprintf(out, "\n  %13s %8s %8s %13s %15s %8s  %s\n", "misses", "share", "rate", "requests",
	        "bytes from L2", "used", of);
}

static void print_kernels(FILE *out, const struct report_data *d, uint64_t top)
{
	char launches[SHAPE_TEXT_BYTES], left[COUNT_TEXT_BYTES];

	print_table_head(out, "kernel");
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
	uint64_t of_x = requests_of(&x->l1), of_y = requests_of(&y->l1);

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

/* The lines of all kernels, of which each is by itself in d->lines. */
static void print_lines(FILE *out, const struct report_data *d, uint64_t top)
{
	const struct report_line **lines = calloc(d->line_count + 1, sizeof(*lines));

	print_table_head(out, "source line");
	for (size_t i = 0; lines && i < d->line_count; i++)
		lines[i] = &d->lines[i];
	if (lines)
		qsort(lines, d->line_count, sizeof(*lines), compare_lines);
	for (size_t i = 0; lines && i < d->line_count && i < top; i++)
		if (requests_of(&lines[i]->l1))
			print_line(out, d, lines[i]);
	free(lines);
}

static void print_buffers(FILE *out, const struct report_data *d, uint64_t top)
{
	char bytes[COUNT_TEXT_BYTES];

	print_table_head(out, "buffer");
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
	report_text_findings(out, d, top);
	if (!d->launches_played)
		return;
	print_kernels(out, d, top);
	print_lines(out, d, top);
	print_buffers(out, d, top);
}
