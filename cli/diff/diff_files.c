/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_report.h"

#include "err.h"
#include "gpu.h"
#include "json_stream.h"
#include "out_file.h"
#include "recording.h"
#include "site.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SENTENCE_LIMIT = 1 << 20 };

static const char *const section_names[] = {
#define DIFF_SECTION(name, text) #name,
#include "diff_sections.def"
#undef DIFF_SECTION
};

static json_t *metric_json(struct json_out *out, const struct diff_row *row, enum diff_metric m)
{
	uint64_t a = row->counts[DIFF_A].of[m], b = row->counts[DIFF_B].of[m];
	json_t *object = json_object();

	if (row->item[DIFF_A])
		json_out_count(out, object, "a", a);
	else
		json_out_value(out, object, "a", json_null());
	if (row->item[DIFF_B])
		json_out_count(out, object, "b", b);
	else
		json_out_value(out, object, "b", json_null());
	if (row->item[DIFF_A] && row->item[DIFF_B] && a)
		json_out_real(out, object, "percent", diff_change_percent(a, b));
	else
		json_out_value(out, object, "percent", json_null());
	return object;
}

static void put_metrics(struct json_out *out, json_t *object, const struct diff_row *row,
                        enum diff_section section)
{
	for (int m = 0; m < DIFF_METRICS; m++)
		if (diff_metric_is_of((enum diff_metric)m, section))
			json_out_value(out, object, diff_metric_name((enum diff_metric)m),
			               metric_json(out, row, (enum diff_metric)m));
}

static void put_line(struct json_out *out, json_t *object, const struct report_line *x)
{
	json_out_text(out, object, "file", x->file);
	json_out_count(out, object, "line", x->line);
	json_out_text(out, object, "text", x->text);
}

static void put_buffer(struct json_out *out, json_t *object, const struct report_buffer *x)
{
	if (x->buffer < 0)
		json_out_value(out, object, "buffer", json_null());
	else
		json_out_count(out, object, "buffer", (uint64_t)x->buffer);
	json_out_count(out, object, "bytes", x->bytes);
	json_out_text(out, object, "names", x->names);
}

/* What a row is of on one side, or null. */
static json_t *owner_json(struct json_out *out, const struct diff_row *row, size_t side,
                          enum diff_section section)
{
	json_t *object;

	if (!row->item[side])
		return json_null();
	object = json_object();
	if (row->kernel[side])
		json_out_text(out, object, "kernel", row->kernel[side]);
	if (section == DIFF_SECTION_kernels)
		json_out_count(out, object, "launches", row->launches[side]);
	if (section == DIFF_SECTION_lines)
		put_line(out, object, row->item[side]);
	if (section == DIFF_SECTION_buffers)
		put_buffer(out, object, row->item[side]);
	if (section == DIFF_SECTION_launches)
		json_out_count(out, object, "launch",
		               ((const struct report_launch *)row->item[side])->number);
	return object;
}

static const char *presence_of(const struct diff_row *row)
{
	return !row->item[DIFF_A] ? "new" : !row->item[DIFF_B] ? "gone" : "both";
}

static json_t *row_json(struct json_out *out, const struct diff_row *row, enum diff_section section)
{
	json_t *object = json_object(), *metrics = json_object();

	json_out_text(out, object, "presence", presence_of(row));
	json_out_bool(out, object, "same", diff_row_is_same(row));
	json_out_real(out, object, "weight", row->weight);
	json_out_value(out, object, "a", owner_json(out, row, DIFF_A, section));
	json_out_value(out, object, "b", owner_json(out, row, DIFF_B, section));
	put_metrics(out, metrics, row, section);
	json_out_value(out, object, "metrics", metrics);
	return object;
}

static json_t *side_json(struct json_out *out, const struct diff_report *r, size_t side)
{
	const struct diff_side *s = r->side[side];
	json_t *object = json_object();

	json_out_text(out, object, "recording", r->dir[side]);
	json_out_text(out, object, "gpu", s->setup.gpu.name);
	json_out_text(out, object, "l1", *s->setup.gpu.l1 ? s->setup.gpu.l1 : NULL);
	json_out_text(out, object, "level", access_level_name(access_level_of(s->recording)));
	json_out_count(out, object, "launches", s->data.launches_played);
	json_out_bool(out, object, "complete",
	              s->data.completeness.is_complete && s->data.is_whole &&
	                      !s->data.launches_refused);
	return object;
}

static json_t *regressions_json(struct json_out *out, const struct diff_judge *j)
{
	const struct diff_regression *list = j->found.data;
	json_t *array = json_array();

	for (size_t i = 0; i < j->found.count; i++) {
		json_t *object = json_object();

		json_out_text(out, object, "kernel",
		              list[i].is_total ? NULL : list[i].row->kernel[DIFF_B]);
		json_out_text(out, object, "metric", diff_metric_name(list[i].metric));
		json_out_count(out, object, "a", list[i].row->counts[DIFF_A].of[list[i].metric]);
		json_out_count(out, object, "b", list[i].row->counts[DIFF_B].of[list[i].metric]);
		json_out_append(out, array, object);
	}
	return array;
}

static json_t *head_json(struct json_out *out, const struct diff_report *r, const char *sentence)
{
	json_t *head = json_object(), *total = json_object();

	json_out_schema(out, head, "diff", 1);
	json_out_text(out, head, "warpline", WARPLINE_VERSION);
	json_out_text(out, head, "sentence", sentence);
	json_out_bool(out, head, "same", diff_is_same(r->diff));
	json_out_value(out, head, "a", side_json(out, r, DIFF_A));
	json_out_value(out, head, "b", side_json(out, r, DIFF_B));
	if (r->judge->is_wanted) {
		json_out_real(out, head, "fail_above", r->judge->percent);
		json_out_value(out, head, "regressions", regressions_json(out, r->judge));
	}
	put_metrics(out, total, &r->diff->total, DIFF_SECTION_kernels);
	json_out_value(out, head, "total", total);
	return head;
}

static int write_json(const struct diff_report *r, FILE *file, struct err *err)
{
	struct json_out out = { 0 };
	struct json_stream stream;
	struct str sentence;
	int ret;

	str_init(&sentence, SENTENCE_LIMIT);
	ret = diff_sentence(r, &sentence, err);
	if (!ret) {
		json_stream_begin(&stream, &out, file);
		json_stream_items(&stream, head_json(&out, r, sentence.text));
		for (size_t i = 0; i < DIFF_SECTIONS; i++) {
			const struct diff_rows *rows = &r->diff->sections[i];

			json_stream_list(&stream, section_names[i]);
			for (size_t k = 0; k < rows->count; k++)
				json_stream_item(
					&stream, NULL,
					row_json(&out, &rows->list[k], (enum diff_section)i));
			json_stream_close(&stream);
		}
		json_stream_close(&stream);
	}
	str_release(&sentence);
	if (!ret && out.is_bad)
		ret = err_set(err, ERR_NOMEM, "out of memory for the JSON text");
	return ret;
}

/* A text as a CSV field. */
static void put_field(FILE *out, const char *text)
{
	fputc('"', out);
	for (; text && *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputs("\",", out);
}

/* A row: one line for each metric. */
static int csv_row(const char *section, const struct diff_row *row, enum diff_section of,
                   const char *what, FILE *out)
{
	for (int m = 0; m < DIFF_METRICS; m++) {
		uint64_t a = row->counts[DIFF_A].of[m], b = row->counts[DIFF_B].of[m];

		if (!diff_metric_is_of((enum diff_metric)m, of))
			continue;
		fprintf(out, "%s,%s,", section, presence_of(row));
		put_field(out, row->kernel[DIFF_A]);
		put_field(out, row->kernel[DIFF_B]);
		put_field(out, what);
		fprintf(out, "%s,", diff_metric_name((enum diff_metric)m));
		if (row->item[DIFF_A])
			fprintf(out, "%" PRIu64, a);
		fputc(',', out);
		if (row->item[DIFF_B])
			fprintf(out, "%" PRIu64, b);
		fputc(',', out);
		if (row->item[DIFF_A] && row->item[DIFF_B] && a)
			fprintf(out, "%.10g", diff_change_percent(a, b));
		fputc('\n', out);
	}
	return 0;
}

static int write_csv(const struct diff_report *r, FILE *out, struct err *err)
{
	struct str what;
	int ret = 0;

	str_init(&what, SENTENCE_LIMIT);
	fputs("section,presence,kernel_a,kernel_b,what,metric,a,b,percent\n", out);
	csv_row("total", &r->diff->total, DIFF_SECTION_kernels, "", out);
	for (size_t i = 0; !ret && i < DIFF_SECTIONS; i++)
		for (size_t k = 0; !ret && k < r->diff->sections[i].count; k++) {
			const struct diff_row *row = &r->diff->sections[i].list[k];

			what.length = 0;
			ret = diff_row_text((enum diff_section)i, row, &what, err);
			if (!ret)
				csv_row(section_names[i], row, (enum diff_section)i, what.text,
				        out);
		}
	str_release(&what);
	return ret;
}

static int write_file(const struct diff_report *r, const char *name,
                      int (*write)(const struct diff_report *r, FILE *out, struct err *err),
                      struct err *err)
{
	struct out_file file = { 0 };
	int ret = out_file_open(&file, name, err);

	if (!ret)
		ret = write(r, file.stream, err);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	return ret;
}

int diff_json(const struct diff_report *r, const char *file, struct err *err)
{
	return write_file(r, file, write_json, err);
}

int diff_csv(const struct diff_report *r, const char *file, struct err *err)
{
	return write_file(r, file, write_csv, err);
}
