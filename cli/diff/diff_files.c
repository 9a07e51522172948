/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_report.h"

#include "cell_table.h"
#include "document.h"
#include "err.h"
#include "gpu.h"
#include "recording.h"
#include "site.h"

#include <math.h>

enum { SENTENCE_LIMIT = 1 << 20 };

static const char *const section_names[] = {
#define DIFF_SECTION(name, text) #name,
#include "diff_sections.def"
#undef DIFF_SECTION
};

static json_t *metric_json(struct json_out *out, const struct diff_row *row, enum diff_metric m)
{
	uint64_t a = row->counts[DIFF_A].of[m], b = row->counts[DIFF_B].of[m];
	bool has_a = row->item[DIFF_A], has_b = row->item[DIFF_B];
	json_t *object = json_object();

	json_out_value(out, object, "a", has_a ? json_integer((json_int_t)a) : json_null());
	json_out_value(out, object, "b", has_b ? json_integer((json_int_t)b) : json_null());
	json_out_real(out, object, "percent",
	              has_a && has_b && a ? diff_change_percent(a, b) : NAN);
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
	json_out_index(out, object, "buffer", x->buffer);
	json_out_count(out, object, "bytes", x->bytes);
	json_out_text(out, object, "names", x->names);
}

/* What a row describes on one side, or null. */
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
	document_put_gpu(out, object, &s->setup.gpu);
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
	json_t *head = document_head(out, "diff/1"), *total = json_object();

	document_put_version(out, head);
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

int diff_json(const struct diff_report *r, const char *file, struct err *err)
{
	struct document text;
	struct str sentence;
	int ret = document_open(&text, file, err);

	str_init(&sentence, SENTENCE_LIMIT);
	if (!ret)
		ret = diff_sentence(r, &sentence, err);
	if (!ret) {
		document_items(&text, head_json(&text.out, r, sentence.text));
		for (size_t i = 0; i < DIFF_SECTIONS; i++) {
			const struct diff_rows *rows = &r->diff->sections[i];

			document_list(&text, section_names[i]);
			for (size_t k = 0; k < rows->count; k++)
				document_item(
					&text, NULL,
					row_json(&text.out, &rows->list[k], (enum diff_section)i));
			document_close(&text);
		}
		ret = document_end(&text, err);
	}
	str_release(&sentence);
	document_release(&text);
	return ret;
}

/* A line of the CSV is a metric of a row. */
static const struct cell_column csv_columns[] = {
	{ "section", "", NULL, CELL_TEXT },  { "presence", "", NULL, CELL_TEXT },
	{ "kernel_a", "", NULL, CELL_TEXT }, { "kernel_b", "", NULL, CELL_TEXT },
	{ "what", "", NULL, CELL_TEXT },     { "metric", "", NULL, CELL_TEXT },
	{ "a", "", NULL, CELL_NUMBER },      { "b", "", NULL, CELL_NUMBER },
	{ "percent", "", NULL, CELL_REAL },
};

enum { CSV_COLUMNS = sizeof(csv_columns) / sizeof(csv_columns[0]) };

static struct cell count_cell(const struct diff_row *row, size_t side, enum diff_metric m)
{
	return row->item[side] ? cell_number(row->counts[side].of[m]) : cell_none();
}

/* `what` is what the row describes; "" for the total. */
static int csv_row(struct cell_table *csv, const char *section, const struct diff_row *row,
                   enum diff_section of, const char *what, struct err *err)
{
	bool is_both = row->item[DIFF_A] && row->item[DIFF_B];
	int ret = 0;

	for (int m = 0; !ret && m < DIFF_METRICS; m++) {
		uint64_t a = row->counts[DIFF_A].of[m], b = row->counts[DIFF_B].of[m];
		const struct cell cells[CSV_COLUMNS] = {
			cell_text(section),
			cell_text(presence_of(row)),
			cell_text(row->kernel[DIFF_A]),
			cell_text(row->kernel[DIFF_B]),
			cell_text(what),
			cell_text(diff_metric_name((enum diff_metric)m)),
			count_cell(row, DIFF_A, (enum diff_metric)m),
			count_cell(row, DIFF_B, (enum diff_metric)m),
			is_both && a ? cell_real(diff_change_percent(a, b)) : cell_none(),
		};

		if (diff_metric_is_of((enum diff_metric)m, of))
			ret = csv->format->row(csv, cells, err);
	}
	return ret;
}

static int write_csv(const struct diff_report *r, FILE *out, struct err *err)
{
	struct cell_table csv = { .out = out, .format = &cell_table_as_csv };
	struct str what;
	int ret = cell_table_begin(&csv, csv_columns, CSV_COLUMNS, err);

	str_init(&what, SENTENCE_LIMIT);
	if (!ret)
		ret = csv_row(&csv, "total", &r->diff->total, DIFF_SECTION_kernels, "", err);
	for (size_t i = 0; !ret && i < DIFF_SECTIONS; i++)
		for (size_t k = 0; !ret && k < r->diff->sections[i].count; k++) {
			const struct diff_row *row = &r->diff->sections[i].list[k];

			what.length = 0;
			ret = diff_row_text((enum diff_section)i, row, &what, err);
			if (!ret)
				ret = csv_row(&csv, section_names[i], row, (enum diff_section)i,
				              what.text, err);
		}
	str_release(&what);
	return ret;
}

int diff_csv(const struct diff_report *r, const char *name, struct err *err)
{
	struct out_file file = { 0 };
	int ret = out_file_open(&file, name, err);

	if (!ret)
		ret = write_csv(r, file.stream, err);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	return ret;
}
