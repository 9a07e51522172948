/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "cell_table.h"
#include "document.h"
#include "err.h"
#include "gpu.h"
#include "recording.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_LIMIT_BYTES = 1 << 20, ROWS_BYTES = 256, REAL_BYTES = 32 };

static const char *const way_names[] = {
#define BYPASS_WAY(name, text) #name,
#include "bypass_ways.def"
#undef BYPASS_WAY
};

/* Returns the misses per read request to L1; 0 without reads. */
static double miss_rate(const struct bypass_measure *m)
{
	return m->reads ? (double)m->misses / (double)m->reads : 0;
}

static void put_measure(struct json_out *out, json_t *object, const struct bypass_measure *m)
{
#define BYPASS_MEASURE(name, value) json_out_count(out, object, #name, m->name);
#include "bypass_measures.def"
#undef BYPASS_MEASURE
	json_out_real(out, object, "miss_rate", miss_rate(m));
}

/* The results of a list, `name` under `key`. */
static json_t *measure_json(struct json_out *out, const char *key, const char *name, size_t rules,
                            const struct bypass_measure *m)
{
	json_t *row = json_object();

	json_out_text(out, row, key, name);
	json_out_count(out, row, "rules", rules);
	put_measure(out, row, m);
	return row;
}

static json_t *rows_json(struct json_out *out, const struct bypass_study *study,
                         const struct bypass_try *t)
{
	json_t *rows = json_array();

	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		const struct bypass_entry *e = &t->entries[row];
		json_t *object;

		if (!e->is_there)
			continue;
		object =
			measure_json(out, "list", bypass_row_word(row), e->list.count, &e->measure);
		json_out_real(out, object, "gain",
		              bypass_measure_gain(&t->kernel.cache_all, &e->measure,
		                                  study->wish.objective));
		json_out_append(out, rows, object);
	}
	return rows;
}

/* The rules of a list except addresses, which -o writes. */
static json_t *rules_json(struct json_out *out, const struct bypass_list *list)
{
	json_t *rules = json_array();

	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];
		json_t *object;

		if (rule->kind == BYPASS_ADDRESS)
			continue;
		object = json_object();
		json_out_text(out, object, "kind", bypass_kind_word(rule->kind));
		if (rule->kind == BYPASS_ARGUMENT)
			json_out_text(out, object, "name", rule->name);
		else if (rule->kind != BYPASS_ALL)
			json_out_count(out, object, "number", rule->number);
		json_out_append(out, rules, object);
	}
	return rules;
}

static void put_use(struct json_out *out, json_t *object, const struct address_use_sum *s)
{
	json_out_count(out, object, "loads", s->stays);
	json_out_count(out, object, "first_bytes", s->first_bytes);
	json_out_count(out, object, "bytes_moved", s->bytes_moved);
	json_out_count(out, object, "further_uses", s->uses);
	json_out_real(out, object, "u", address_use_u(s));
	json_out_real(out, object, "r", address_use_r(s));
}

static json_t *reads_json(struct json_out *out, const struct bypass_try *t)
{
	const struct kernel_table *table = t->kernel.table;
	json_t *reads = json_array();

	for (size_t i = 0; i < table->site_count; i++) {
		const struct site *s = &table->sites[i];
		json_t *object;

		if (!t->uses[i].reads)
			continue;
		object = json_object();
		json_out_count(out, object, "site", i);
		json_out_text(out, object, "file", s->place.file);
		json_out_count(out, object, "line", s->place.line);
		json_out_count(out, object, "column", s->place.column);
		json_out_text(out, object, "expression", s->expression);
		json_out_count(out, object, "reads", t->uses[i].reads);
		put_use(out, object, &t->uses[i].sum);
		json_out_append(out, reads, object);
	}
	return reads;
}

static json_t *curve_json(struct json_out *out, const struct bypass_study *study,
                          const struct bypass_try *t, const struct warp_curve *c)
{
	json_t *curve, *points;

	if (!c->count)
		return NULL;
	curve = json_object();
	points = json_array();
	for (size_t i = 0; i < c->count; i++) {
		json_t *point = json_object();

		json_out_count(out, point, "pi", c->points[i].pi);
		put_measure(out, point, &c->points[i].measure);
		json_out_real(out, point, "gain",
		              bypass_measure_gain(&t->kernel.cache_all, &c->points[i].measure,
		                                  study->wish.objective));
		json_out_append(out, points, point);
	}
	json_out_count(out, curve, "warps", c->warps);
	json_out_count(out, curve, "best", c->points[c->best].pi);
	json_out_text(out, curve, "class", warp_class_word(c->shape));
	json_out_value(out, curve, "points", points);
	return curve;
}

static json_t *search_json(struct json_out *out, const struct bypass_searched *s)
{
	const struct bypass_found *f = &s->found;
	json_t *search = json_object();

	json_out_count(out, search, "candidates", f->count);
	json_out_count(out, search, "left_out", f->left_out);
	json_out_count(out, search, "lists", f->evaluations);
	json_out_bool(out, search, "exhaustive", f->is_exhaustive);
	json_out_bool(out, search, "limited", f->is_limited);
	return search;
}

static json_t *lines_json(struct json_out *out, const struct bypass_try *t)
{
	json_t *lines = json_array();

	for (size_t i = 0; i < t->line_count; i++) {
		json_t *line = json_object();

		json_out_count(out, line, "address", t->lines[i].line);
		json_out_count(out, line, "sm", (uint64_t)t->lines[i].sm);
		put_use(out, line, &t->lines[i].sum);
		json_out_append(out, lines, line);
	}
	return lines;
}

/* Put the sentence of a kernel, or, with NULL, of all. */
static int put_sentence(struct json_out *out, json_t *object, const struct bypass_study *study,
                        const struct bypass_try *t, struct err *err)
{
	struct str sentence;
	int ret;

	str_init(&sentence, SENTENCE_LIMIT_BYTES);
	ret = t ? bypass_sentence_kernel(study, t, &sentence, err)
	        : bypass_sentence_all(study, &sentence, err);
	if (!ret)
		json_out_text(out, object, "advice", sentence.text);
	str_release(&sentence);
	return ret;
}

static json_t *kernel_json(struct json_out *out, const struct bypass_study *study,
                           const struct bypass_try *t, struct err *err)
{
	json_t *kernel = json_object();

	json_out_text(out, kernel, "kernel", t->kernel.name);
	json_out_count(out, kernel, "launches", t->kernel.launches.count);
	if (put_sentence(out, kernel, study, t, err))
		out->is_bad = true;
	if (!bypass_try_was_played(t))
		return kernel;
	json_out_text(out, kernel, "best", bypass_row_word(t->best));
	json_out_value(out, kernel, "rules", rules_json(out, &t->entries[t->best].list));
	json_out_value(out, kernel, "lists", rows_json(out, study, t));
	json_out_value(out, kernel, "reads", reads_json(out, t));
	if (t->sites.found.count)
		json_out_value(out, kernel, "site_search", search_json(out, &t->sites));
	if (t->buffers.found.count)
		json_out_value(out, kernel, "buffer_search", search_json(out, &t->buffers));
	if (t->entries[BYPASS_ROW_ADDRESS].is_there)
		json_out_value(out, kernel, "lines", lines_json(out, t));
	if (t->warps.count)
		json_out_value(out, kernel, "warp", curve_json(out, study, t, &t->warps));
	if (t->hybrid.count)
		json_out_value(out, kernel, "hybrid", curve_json(out, study, t, &t->hybrid));
	return kernel;
}

static json_t *total_json(struct json_out *out, const struct bypass_study *study)
{
	json_t *rows = json_array();

	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++)
		if (study->rows[row].is_there)
			json_out_append(out, rows,
			                measure_json(out, "list", bypass_row_word(row),
			                             study->rows[row].rules,
			                             &study->rows[row].measure));
	if (study->best_sum.is_there)
		json_out_append(out, rows,
		                measure_json(out, "list", "best", study->best_sum.rules,
		                             &study->best_sum.measure));
	return rows;
}

static json_t *splits_json(struct json_out *out, const struct bypass_study *study)
{
	const struct bypass_split *list = study->splits.data;
	json_t *splits = json_array();

	for (size_t i = 0; i < study->splits.count; i++) {
		const struct bypass_split *s = &list[i];
		json_t *split = json_object();

		json_out_text(out, split, "l1", s->gpu.l1);
		json_out_count(out, split, "l1_bytes", s->l1_bytes);
		json_out_count(out, split, "local_bytes", s->gpu.local_bytes);
		json_out_count(out, split, "least_groups", s->least_groups);
		json_out_count(out, split, "most_groups", s->most_groups);
		json_out_count(out, split, "refused", s->refused);
		json_out_bool(out, split, "best", i == bypass_study_best_split(study));
		json_out_value(out, split, "cache_all",
		               measure_json(out, "list", "cache-all", 0, &s->cache_all));
		json_out_value(out, split, "with_best",
		               measure_json(out, "list", "best", study->best_sum.rules, &s->best));
		json_out_append(out, splits, split);
	}
	return splits;
}

json_t *bypass_json(struct json_out *out, const struct bypass_study *study, struct err *err)
{
	const struct bypass_run *run = &study->run;
	const struct gpu *gpu = run->gpu;
	json_t *root = document_head(out, "bypass/1");
	json_t *kernels = json_array(), *ways = json_array();

	document_put_version(out, root);
	document_put_order(out, root, gpu, &run->options);
	json_out_text(out, root, "l2", gpu->l2 == GPU_L2_ON ? "on" : "off");
	json_out_text(out, root, "bandwidth", gpu->bandwidth == GPU_BANDWIDTH_ON ? "on" : "off");
	json_out_count(out, root, "l1_fill_bytes", gpu->l1_fill_bytes);
	json_out_text(out, root, "objective", bypass_objective_word(study->wish.objective));
	for (size_t i = 0; i < BYPASS_WAYS; i++)
		if (study->wish.is_wanted[i])
			json_out_append(out, ways, json_string(way_names[i]));
	json_out_value(out, root, "by", ways);
	json_out_count(out, root, "launches", run->launches);
	json_out_count(out, root, "lists", run->lists);
	json_out_count(out, root, "replays", run->replays);
	if (put_sentence(out, root, study, NULL, err))
		out->is_bad = true;
	for (size_t i = 0; i < study->count; i++)
		json_out_append(out, kernels, kernel_json(out, study, &study->tries[i], err));
	json_out_value(out, root, "kernels", kernels);
	json_out_value(out, root, "total", total_json(out, study));
	if (study->has_splits)
		json_out_value(out, root, "splits", splits_json(out, study));
	return root;
}

/* A line of the CSV is a list that was measured. */
static const struct cell_column list_columns[] = {
	{ "kernel", "", NULL, CELL_TEXT },    { "rows", "", NULL, CELL_TEXT },
	{ "list", "", NULL, CELL_TEXT },      { "rules", "", NULL, CELL_NUMBER },
#define BYPASS_MEASURE(name, value) { #name, "", NULL, CELL_NUMBER },
#include "bypass_measures.def"
#undef BYPASS_MEASURE
	{ "miss_rate", "", NULL, CELL_TEXT }, { "gain", "", NULL, CELL_TEXT },
};

enum { LIST_COLUMNS = sizeof(list_columns) / sizeof(list_columns[0]) };

/* "site hybrid": the rows of the report that have a list; "" if it was only tried. */
static const char *rows_of(char text[ROWS_BYTES], const struct bypass_try *t,
                           char *const keys[BYPASS_ROWS], const struct known_list *list)
{
	size_t length = 0;

	*text = '\0';
	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		const struct bypass_entry *e = &t->entries[row];
		bool is_it = keys[row] ? list->key && !strcmp(list->key, keys[row])
		                       : !list->key && list->rules == e->list.count &&
		                                 !memcmp(&list->measure, &e->measure,
		                                         sizeof(e->measure));

		if (e->is_there && is_it)
			length += (size_t)snprintf(text + length, ROWS_BYTES - length, "%s%s",
			                           length ? " " : "", bypass_row_word(row));
	}
	return text;
}

static int put_list(struct cell_table *csv, const struct bypass_try *t, const char *rows,
                    const struct known_list *list, double gain, struct err *err)
{
	const struct bypass_measure *m = &list->measure;
	char rate[REAL_BYTES], gained[REAL_BYTES];
	const struct cell cells[LIST_COLUMNS] = {
		cell_text(t->kernel.name), cell_text(rows),
		cell_text(list->text),     cell_number(list->rules),
#define BYPASS_MEASURE(name, value) cell_number(m->name),
#include "bypass_measures.def"
#undef BYPASS_MEASURE
		cell_text(rate),           cell_text(gained),
	};

	snprintf(rate, sizeof(rate), "%.6f", miss_rate(m));
	snprintf(gained, sizeof(gained), "%.6f", gain);
	return csv->format->row(csv, cells, err);
}

static int put_kernel(struct cell_table *csv, const struct bypass_study *study,
                      const struct bypass_try *t, struct err *err)
{
	const struct known_list *lists = t->kernel.known.lists.data;
	char *keys[BYPASS_ROWS] = { NULL }, rows[ROWS_BYTES];
	struct err why = { 0 };
	int ret;

	for (size_t row = 0; row < BYPASS_ROWS && !why.code; row++)
		if (t->entries[row].is_there)
			keys[row] = bypass_known_key(&t->kernel.known, &t->entries[row].list, &why);
	ret = why.code ? err_set(err, (enum err_code)why.code, "%s", why.msg) : 0;
	for (size_t i = 0; i < t->kernel.known.lists.count && !ret; i++)
		ret = put_list(csv, t, rows_of(rows, t, keys, &lists[i]), &lists[i],
		               bypass_measure_gain(&t->kernel.cache_all, &lists[i].measure,
		                                   study->wish.objective),
		               err);
	for (size_t row = 0; row < BYPASS_ROWS; row++)
		free(keys[row]);
	return ret;
}

int bypass_csv_write(FILE *out, const struct bypass_study *study, struct err *err)
{
	struct cell_table csv = { .out = out, .format = &cell_table_as_csv };
	int ret = cell_table_begin(&csv, list_columns, LIST_COLUMNS, err);

	for (size_t i = 0; i < study->count && !ret; i++)
		if (bypass_try_was_played(&study->tries[i]))
			ret = put_kernel(&csv, study, &study->tries[i], err);
	return ret;
}
