/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_words.h"
#include "finding.h"
#include "gpu.h"
#include "html_glossary.h"
#include "html_page.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>
#include <string.h>

enum { FINDINGS_MAX = 50 };

static void figure_begin(FILE *out, const char *name)
{
	fprintf(out, "<div><dt>%s</dt><dd>", name);
}

static void figure_end(FILE *out)
{
	fputs("</small></dd></div>\n", out);
}

static void write_bytes(FILE *out, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 1024; unit++)
		value /= 1024;
	fprintf(out, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static void write_figures(FILE *out, const struct report_data *d)
{
	const struct l1_stats_row *l1 = &d->total.l1;
	uint64_t requests = l1_stats_requests(l1);

	fputs("<dl class=figures>\n", out);
	figure_begin(out, "Launches");
	html_count(out, d->launches_played);
	fputs("<small>of ", out);
	html_count(out, d->kernel_count);
	fputs(d->kernel_count == 1 ? " kernel" : " kernels", out);
	figure_end(out);
	figure_begin(out, "Requests");
	html_short_count(out, requests);
	fputs("<small>", out);
	html_ratio(out, l1->lanes, requests);
	fputs(" lanes each", out);
	figure_end(out);
	figure_begin(out, "Miss rate");
	html_share(out, l1->read_misses, l1->reads);
	fputs("<small>of ", out);
	html_short_count(out, l1->reads);
	fputs(" reads", out);
	figure_end(out);
	figure_begin(out, "From L2");
	write_bytes(out, l1->bytes_from_l2);
	fputs("<small>", out);
	html_share(out, l1->bytes_used, l1->bytes_moved);
	fputs(" of bytes used", out);
	figure_end(out);
	figure_begin(out, "Cycles");
	html_short_count(out, d->total.cycles);
	fputs("<small>as modelled, all launches", out);
	figure_end(out);
	fputs("</dl>\n", out);
}

/* 0.7123 as 71.2%, 2048 as 2,048, 3.25 as 3.25. */
static void write_value(FILE *out, double value, const char *unit)
{
	if (!strcmp(unit, "share")) {
		fprintf(out, "%.1f%%", 100 * value);
	} else if (value > -1e18 && value < 1e18 && (double)(int64_t)value == value) {
		fputs(value < 0 ? "\xe2\x88\x92" : "", out);
		html_count(out, (uint64_t)(value < 0 ? -value : value));
	} else {
		fprintf(out, "%.2f", value);
	}
}

/* Write "requests_over_least" as words. */
static void write_words(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == '_' ? ' ' : *name, out);
}

static void write_evidence(FILE *out, const struct finding *f)
{
	for (size_t i = 0; i < f->evidence_count; i++) {
		const struct finding_evidence *e = &f->evidence[i];

		fputs(i ? "; " : "", out);
		write_words(out, e->name);
		fputc(' ', out);
		write_value(out, e->value, e->unit);
		if (!strcmp(e->unit, "bytes") && !strstr(e->name, e->unit))
			fputs(" bytes", out);
		if (!e->has_threshold)
			continue;
		fprintf(out, " (%s ", e->is_below ? "at most" : "at least");
		write_value(out, e->threshold, e->unit);
		fputc(')', out);
	}
}

static void write_finding(FILE *out, const struct recording *r, const struct finding *f)
{
	char words[CUDA_WORDS_BYTES];
	static const char *const classes[] = { "minor", "medium", "high" };

	fprintf(out, "<li class=%s>\n<p class=rule>%s: %s</p>\n<p>", classes[f->severity],
	        finding_severity_name(f->severity), finding_name(f->rule));
	html_string(out, f->sentence);
	fputs(".</p>\n<p><b>What to do:</b> ", out);
	html_string(out, cuda_words(words, r, f->advice));
	fputs(".</p>\n", out);
	fprintf(out, "<p class=why>%.1f%% of %s; ", 100 * f->cost_share,
	        cuda_words(words, r, finding_whole_text(f->whole)));
	write_evidence(out, f);
	fputs("</p>\n", out);
}

/* Write the rules that could not be checked, or only in part. */
static void write_not_looked(FILE *out, const struct report_data *d)
{
	const struct finding_list *list = &d->findings;
	char words[CUDA_WORDS_BYTES], text[FINDING_SAMPLE_BYTES];
	const char *before = "<p class=\"says why\">Not looked for: ";

	if (finding_sample_text(text, &d->total)) {
		fputs("<p class=\"says why\">", out);
		html_string(out, text);
		fputs(".</p>\n", out);
	}
	for (int rule = 0; rule < (list->count ? FINDING_RULES : FINDING_NAMES); rule++) {
		if (!list->not_looked[rule])
			continue;
		fprintf(out, "%s%s (", before, finding_name((enum finding_rule)rule));
		html_string(out, cuda_words(words, d->recording, list->not_looked[rule]));
		fputc(')', out);
		before = ", ";
	}
	if (*before == ',')
		fputs(".</p>\n", out);
}

static void write_findings(FILE *out, const struct report_data *d)
{
	const struct finding_list *list = &d->findings;
	size_t shown = list->count < FINDINGS_MAX ? list->count : FINDINGS_MAX;

	fputs("<h3>Findings ", out);
	html_glossary_link(out, "finding");
	fputs("</h3>\n", out);
	if (!strcmp(report_data_verdict(d), "unknown"))
		fputs("<p class=note><b>No verdict:</b> no rule found anything that costs 1% or "
		      "more, "
		      "but not everything could be checked.</p>\n",
		      out);
	else if (!list->count)
		fputs("<p class=\"note good\"><b>Nothing found:</b> none of the rules holds for "
		      "any line of these launches.</p>\n",
		      out);
	if (list->count)
		fputs("<ol class=findings>\n", out);
	for (size_t i = 0; i < shown; i++)
		write_finding(out, d->recording, &list->items[i]);
	if (list->count)
		fputs("</ol>\n", out);
	html_left_out(out, list->count - shown, "findings");
	write_not_looked(out, d);
}

/* A short notice for those who read no further; the section on completeness says more. */
static void write_completeness(FILE *out, const struct report_data *d)
{
	if (!d->completeness.is_complete || !d->is_whole)
		fputs("<p class=\"note bad\"><b>Incomplete:</b> something is missing from the "
		      "recording; the figures are of what it has. <a href=#complete>What is "
		      "missing</a>.</p>\n",
		      out);
	else if (d->launches_played < d->launches_asked)
		fputs("<p class=\"note bad\"><b>Not all replayed:</b> some launches are in none of "
		      "the "
		      "figures. <a href=#complete>Why</a>.</p>\n",
		      out);
}

int html_section_overview(const struct html_page *page, FILE *out, struct err *err)
{
	const struct report_data *d = page->data;

	fputs("<noscript><p class=note><b>Without scripts</b> this page is complete, but tables do "
	      "not sort or filter, and charts appear as their numbers.</p></noscript>\n",
	      out);
	write_completeness(out, d);
	write_figures(out, d);
	write_findings(out, d);
	return 0;
}
