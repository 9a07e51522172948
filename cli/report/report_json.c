/* SPDX-License-Identifier: Apache-2.0 */
#include "report_output.h"

#include "cuda_words.h"
#include "curve_set.h"
#include "document.h"
#include "err.h"
#include "gpu.h"
#include "launch_summary_text.h"
#include "player.h"
#include "recording.h"
#include "replay_report.h"
#include "site.h"
#include "stats_report.h"

static void put_counts(struct json_out *out, json_t *object, const struct report_data *d,
                       const struct l1_stats_row *row)
{
	stats_json_counts(out, object, row, d->total.l1.bypasses);
}

static void put_numbers(struct json_out *out, json_t *object, const struct report_data *d,
                        const struct report_numbers *n)
{
	put_counts(out, object, d, &n->l1);
	json_out_real(out, object, "miss_rate",
	              n->l1.reads ? (double)n->l1.read_misses / (double)n->l1.reads : 0);
	json_out_count(out, object, "accesses", n->lanes);
	json_out_count(out, object, "instructions", n->instructions);
	json_out_count(out, object, "groups", n->groups);
	json_out_count(out, object, "cycles", n->cycles);
	json_out_count(out, object, "bytes_to_l2", n->bytes_to_l2);
	json_out_count(out, object, "unmapped_lanes", n->unmapped_lanes);
	replay_json_side(out, object, SPACE_LOCAL, &n->side);
	if (d->setup->gpu.l2 != GPU_L2_ON)
		return;
	json_out_count(out, object, "l2_reads", n->l2.reads);
	json_out_count(out, object, "l2_read_misses", n->l2.read_misses);
	json_out_count(out, object, "bytes_from_dram", n->l2.bytes_from_dram);
	json_out_count(out, object, "bytes_to_dram", n->l2.bytes_to_dram);
}

static json_t *curve_json(struct json_out *out, const struct report_curve *c, const struct gpu *gpu)
{
	json_t *object = json_object(), *points = json_array();

	json_out_bool(out, object, "exact", curve_set_is_exact_for(gpu));
	json_out_count(out, object, "reads", c->reads);
	json_out_count(out, object, "enough_lines", c->enough_lines);
	json_out_index(out, object, "exact_lines", c->exact_lines ? (int64_t)c->exact_lines : -1);
	for (size_t i = 0; i < c->count; i++) {
		json_t *point = json_object();

		json_out_count(out, point, "lines", c->points[i].lines);
		json_out_count(out, point, "misses", c->points[i].misses);
		json_out_real(out, point, "misses_error", c->points[i].error);
		json_out_real(out, point, "lines_error", c->points[i].lines_error);
		json_out_index(out, point, "set_misses",
		               c->points[i].set_misses == UINT64_MAX
		                       ? -1
		                       : (int64_t)c->points[i].set_misses);
		json_out_append(out, points, point);
	}
	json_out_value(out, object, "points", points);
	return object;
}

static json_t *evidence_json(struct json_out *out, const struct finding *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->evidence_count; i++) {
		const struct finding_evidence *e = &f->evidence[i];
		json_t *row = json_object();

		json_out_text(out, row, "name", e->name);
		json_out_text(out, row, "unit", e->unit);
		json_out_real(out, row, "value", e->value);
		if (e->has_threshold)
			json_out_real(out, row, e->is_below ? "at_most" : "at_least", e->threshold);
		json_out_append(out, list, row);
	}
	return list;
}

static const char *argument_name(const struct report_data *d, uint32_t kernel, int64_t argument)
{
	const struct kernel_table *t = &d->recording->kernels[kernel].table;

	return argument >= 0 && (size_t)argument < t->argument_count ? t->arguments[argument].name
	                                                             : NULL;
}

static json_t *finding_json(struct json_out *out, const struct report_data *d,
                            const struct finding *f)
{
	json_t *row = json_object();
	char words[CUDA_WORDS_BYTES];

	json_out_text(out, row, "rule", finding_name(f->rule));
	json_out_text(out, row, "severity", finding_severity_name(f->severity));
	json_out_text(out, row, "sentence", f->sentence);
	json_out_text(out, row, "advice", cuda_words(words, d->recording, f->advice));
	json_out_count(out, row, "kernel", f->kernel);
	json_out_text(out, row, "name", d->recording->kernels[f->kernel].table.name);
	json_out_count(out, row, "site", d->sites[f->site].site);
	json_out_text(out, row, "file", f->file);
	json_out_count(out, row, "line", f->line);
	json_out_text(out, row, "argument", argument_name(d, f->kernel, f->argument));
	json_out_count(out, row, "cost_turns", f->cost_turns);
	json_out_real(out, row, "cost_share", f->cost_share);
	json_out_text(out, row, "cost_of", finding_whole_name(f->whole));
	json_out_value(out, row, "evidence", evidence_json(out, f));
	return row;
}

static void put_pattern(struct json_out *out, json_t *object, const struct access_pattern *a)
{
	json_t *p = json_object();

	json_out_count(out, p, "instructions", a->instructions);
	json_out_count(out, p, "lanes", a->lanes);
	json_out_count(out, p, "lanes_possible", a->lanes_possible);
	json_out_count(out, p, "requests", a->requests);
	json_out_count(out, p, "requests_least", a->requests_least);
	json_out_count(out, p, "misaligned_requests", a->misaligned_requests);
	json_out_count(out, p, "sectors", a->sectors);
	json_out_count(out, p, "sectors_least", a->sectors_least);
	json_out_value(out, object, "pattern", p);
}

static json_t *line_json(struct json_out *out, const struct report_data *d,
                         const struct report_line *l)
{
	json_t *row = json_object();

	json_out_text(out, row, "file", l->file);
	json_out_count(out, row, "line", l->line);
	json_out_count(out, row, "site", d->sites[l->site].site);
	json_out_text(out, row, "text", l->text);
	json_out_text(out, row, "argument", argument_name(d, l->kernel, l->argument));
	put_counts(out, row, d, &l->l1);
	put_pattern(out, row, &l->pattern);
	replay_json_side(out, row, SPACE_LOCAL, &l->side);
	return row;
}

static json_t *kernel_json(struct json_out *out, const struct report_data *d,
                           const struct report_kernel *k)
{
	json_t *row = json_object(), *lines = json_array(), *arguments = json_array();

	json_out_count(out, row, "kernel", k->kernel);
	json_out_text(out, row, "name", k->name);
	json_out_count(out, row, "launches", k->launches_played);
	json_out_count(out, row, "launches_left", k->launches_left);
	put_numbers(out, row, d, &k->counts);
	for (size_t i = k->first_line; i < k->first_line + k->line_count; i++)
		json_out_append(out, lines, line_json(out, d, &d->lines[i]));
	json_out_value(out, row, "lines", lines);
	for (size_t i = k->first_argument; i < k->first_argument + k->argument_count; i++) {
		json_t *argument = json_object();

		json_out_index(out, argument, "argument", d->arguments[i].argument);
		json_out_text(out, argument, "name",
		              argument_name(d, k->kernel, d->arguments[i].argument));
		put_counts(out, argument, d, &d->arguments[i].l1);
		json_out_append(out, arguments, argument);
	}
	json_out_value(out, row, "arguments", arguments);
	if (k->curve.count)
		json_out_value(out, row, "curve", curve_json(out, &k->curve, &d->setup->gpu));
	return row;
}

static json_t *buffer_json(struct json_out *out, const struct report_data *d,
                           const struct report_buffer *b)
{
	json_t *row = json_object();

	json_out_index(out, row, "buffer", b->buffer);
	json_out_count(out, row, "bytes", b->bytes);
	json_out_text(out, row, "names", b->names);
	put_counts(out, row, d, &b->l1);
	return row;
}

static json_t *launch_json(struct json_out *out, const struct report_data *d,
                           const struct report_launch *l)
{
	json_t *row = json_object();

	json_out_count(out, row, "index", l->number);
	json_out_count(out, row, "kernel", l->kernel);
	json_out_text(out, row, "name", d->recording->kernels[l->kernel].table.name);
	if (!l->is_played) {
		json_out_text(out, row, "reason", l->reason);
		return row;
	}
	json_out_bool(out, row, "whole", l->is_whole);
	json_out_count(out, row, "resident_groups", l->resident_groups);
	put_numbers(out, row, d, &l->counts);
	return row;
}

static json_t *head_json(struct json_out *out, const struct report_data *d)
{
	double local_error = side_counts_error(&d->total.side, d->total.local_error_turns);
	json_t *head = document_head(out, "report/1");

	json_out_count(out, head, "report", REPORT_JSON_VERSION);
	document_put_version(out, head);
	document_put_order(out, head, &d->setup->gpu, &d->setup->options);
	json_out_bool(out, head, "complete", d->completeness.is_complete && d->is_whole);
	json_out_text(out, head, "level", access_level_name(access_level_of(d->recording)));
	json_out_text(out, head, "missing", d->completeness.missing);
	json_out_count(out, head, "launches_asked", d->launches_asked);
	json_out_count(out, head, "launches_played", d->launches_played);
	json_out_count(out, head, "turns", d->findings.turns);
	json_out_count(out, head, "local_turns", d->findings.local_turns);
	json_out_count(out, head, "local_groups", d->total.local_groups);
	json_out_count(out, head, "local_groups_seen", d->total.local_sampled);
	json_out_real(out, head, "local_error", local_error);
	json_out_text(out, head, "verdict", report_data_verdict(d));
	return head;
}

static void write_findings(struct document *text, const struct report_data *d)
{
	document_list(text, "findings");
	for (size_t i = 0; i < d->findings.count; i++)
		document_item(text, NULL, finding_json(&text->out, d, &d->findings.items[i]));
	document_close(text);
	document_list(text, "not_looked_for");
	for (size_t i = 0; i < FINDING_NAMES; i++) {
		char words[CUDA_WORDS_BYTES];
		json_t *row;

		if (!d->findings.not_looked[i])
			continue;
		row = json_object();
		json_out_text(&text->out, row, "rule", finding_name((enum finding_rule)i));
		json_out_text(&text->out, row, "reason",
		              cuda_words(words, d->recording, d->findings.not_looked[i]));
		document_item(text, NULL, row);
	}
	document_close(text);
}

/* Write launches one by one: there may be many. */
static void write_launches(struct document *text, const struct report_data *d, bool is_played)
{
	document_list(text, is_played ? "launches" : "skipped");
	for (size_t i = 0; i < d->launch_count; i++)
		if (d->launches[i].is_played == is_played)
			document_item(text, NULL, launch_json(&text->out, d, &d->launches[i]));
	document_close(text);
}

static void write_all(struct document *text, const struct report_data *d)
{
	json_t *total = json_object();

	document_items(text, head_json(&text->out, d));
	write_findings(text, d);
	put_numbers(&text->out, total, d, &d->total);
	document_item(text, "total", total);
	if (d->curve.count)
		document_item(text, "curve", curve_json(&text->out, &d->curve, &d->setup->gpu));
	document_list(text, "kernels");
	for (size_t i = 0; i < d->kernel_count; i++)
		document_item(text, NULL, kernel_json(&text->out, d, &d->kernels[i]));
	document_close(text);
	document_list(text, "buffers");
	for (size_t i = 0; i < d->buffer_count; i++)
		document_item(text, NULL, buffer_json(&text->out, d, &d->buffers[i]));
	document_close(text);
	write_launches(text, d, true);
	write_launches(text, d, false);
	document_item(text, "left_out", launch_summary_tallies_json(&text->out, d->recording));
}

int report_json_write(const char *file, const struct report_data *d, struct err *err)
{
	struct document text;
	int ret = document_open(&text, file, err);

	if (!ret) {
		write_all(&text, d);
		ret = document_end(&text, err);
	}
	document_release(&text);
	return ret;
}
