/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_report.h"

#include "err.h"
#include "miss_curve.h"
#include "recording.h"
#include "stats_run.h"

void stats_json_counts(struct json_out *out, json_t *object, const struct l1_stats_row *row,
                       bool has_bypass)
{
	json_out_count(out, object, "requests", l1_stats_requests(row));
#define L1_STAT(name) json_out_count(out, object, #name, row->name);
#define BYPASS_STAT(name)                                                                          \
	if (has_bypass)                                                                            \
		json_out_count(out, object, #name, row->name);
#include "site_counters.def"
#undef L1_STAT
}

/* Put which line, buffer, argument, set, groups or window a row describes. */
static void put_key(struct json_out *out, json_t *object, const struct stats_source *from,
                    const struct sum_rows *rows, const struct sum_row *row)
{
	const struct kernel_table *t = &from->recording->kernels[from->kernel].table;

	switch (rows->kind) {
	case SUM_LINES:
		json_out_text(out, object, "file", t->sites[row->key].place.file);
		json_out_count(out, object, "line", t->sites[row->key].place.line);
		json_out_count(out, object, "site", (uint64_t)row->key);
		break;
	case SUM_BUFFERS:
		json_out_index(out, object, "buffer", row->key);
		break;
	case SUM_ARGUMENTS:
		json_out_index(out, object, "argument", row->key);
		json_out_text(out, object, "name",
		              row->key >= 0 && (size_t)row->key < t->argument_count
		                      ? t->arguments[row->key].name
		                      : NULL);
		break;
	case SUM_SETS:
		json_out_count(out, object, "set", (uint64_t)row->key);
		break;
	case SUM_GROUPS:
	case SUM_WINDOWS:
	case SUM_KINDS:
	default:
		json_out_count(out, object, "first", sum_rows_first(rows, row));
		json_out_count(out, object, "last", stats_source_last(from, rows, row));
		break;
	}
}

static json_t *rows_json(struct json_out *out, const struct stats_source *from,
                         const struct sum_rows *rows)
{
	json_t *array = json_array();

	for (size_t i = 0; i < rows->count; i++) {
		json_t *object = json_object();

		put_key(out, object, from, rows, &rows->rows[i]);
		stats_json_counts(out, object, &rows->rows[i].l1, from->all->bypasses);
		json_out_append(out, array, object);
	}
	return array;
}

static json_t *reuse_json(struct json_out *out, const struct stats_run *s)
{
	static const char *const reasons[] = {
		[L1_LEAVE_REPLACED] = "replaced", [L1_LEAVE_WRITTEN] = "written",
		[L1_LEAVE_ATOMIC] = "atomic",     [L1_LEAVE_INVALIDATED] = "invalidated",
		[L1_LEAVE_END] = "end",
	};
	const struct l1_stats_reuse *reuse = l1_stats_reuse(s->l1);
	json_t *object = json_object(), *uses = json_array(), *left = json_object();

	for (uint32_t i = 0; i < L1_STATS_USES; i++) {
		json_t *bin;

		if (!reuse->uses[i].lines)
			continue;
		bin = json_object();
		json_out_count(out, bin, "uses", l1_stats_bin_first(i));
		json_out_count(out, bin, "lines", reuse->uses[i].lines);
		json_out_count(out, bin, "bytes_moved", reuse->uses[i].bytes_moved);
		json_out_count(out, bin, "bytes_used", reuse->uses[i].bytes_used);
		json_out_append(out, uses, bin);
	}
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		json_out_count(out, left, reasons[i], reuse->reasons[i]);
	json_out_value(out, object, "uses", uses);
	json_out_value(out, object, "left", left);
	return object;
}

static json_t *bins_json(struct json_out *out, const struct reuse_bins *b)
{
	json_t *object = json_object(), *bins = json_array();

	for (uint32_t i = 0; i < REUSE_BINS; i++) {
		json_t *bin;

		if (!b->bins[i])
			continue;
		bin = json_object();
		json_out_count(out, bin, "distance", reuse_bin_first(i));
		json_out_count(out, bin, "reads", b->bins[i]);
		json_out_append(out, bins, bin);
	}
	json_out_count(out, object, "cold", b->cold);
	json_out_count(out, object, "taken", b->taken);
	json_out_value(out, object, "bins", bins);
	json_out_count(out, object, "beyond", b->beyond);
	return object;
}

static json_t *distances_json(struct json_out *out, const struct stats_run *s,
                              const struct kernel_table *table)
{
	static const char *const keys[] = { "sm", "set" };
	json_t *object = json_object();

	for (size_t o = 0; o < 2; o++) {
		const struct reuse_bins *sites = miss_curve_site_bins(s->curve, o);
		const struct reuse_counts *counts = miss_curve_counts(s->curve, o);
		json_t *all, *list = json_array();
		struct reuse_bins sum;

		reuse_counts_bins(counts, miss_curve_counts(s->curve, 0), &sum);
		all = bins_json(out, &sum);
		json_out_value(out, all, "exact_below",
		               counts->unknown ? json_integer((json_int_t)counts->limit)
		                               : json_null());
		for (size_t i = 0; sites && i < table->site_count; i++) {
			json_t *row;

			if (table->sites[i].kind != SITE_READ)
				continue;
			row = bins_json(out, &sites[i]);
			json_out_count(out, row, "site", i);
			json_out_append(out, list, row);
		}
		json_out_value(out, all, "sites", list);
		json_out_value(out, object, keys[o], all);
	}
	return object;
}

/* Put the rows of a section. */
static int put_section(struct json_out *out, json_t *object, enum stats_section section,
                       const struct stats_source *from, struct err *err)
{
	struct sum_rows rows;
	int ret = stats_source_rows(from, (enum sum_kind)section, &rows, err);

	if (!ret)
		json_out_value(out, object, stats_section_name(section),
		               rows_json(out, from, &rows));
	sum_rows_release(&rows);
	return ret;
}

int stats_json_launch(struct json_out *out, json_t *launch, const struct stats_run *s,
                      const struct stats_source *from, struct err *err)
{
	json_t *object = json_object();
	int ret = 0;

	for (size_t i = 0; i < STATS_reuse && !ret; i++)
		if (s->is_wanted[i])
			ret = put_section(out, object, (enum stats_section)i, from, err);
	if (s->is_wanted[STATS_reuse])
		json_out_value(out, object, "reuse", reuse_json(out, s));
	if (s->is_wanted[STATS_distances])
		json_out_value(
			out, object, "distances",
			distances_json(out, s, &from->recording->kernels[from->kernel].table));
	json_out_value(out, launch, "stats", object);
	return ret;
}

static json_t *kernel_json(struct json_out *out, const struct stats_run *s, uint64_t launches,
                           const struct stats_source *from, struct err *err)
{
	json_t *object = json_object();
	int ret = 0;

	json_out_count(out, object, "kernel", from->kernel);
	json_out_text(out, object, "name", from->recording->kernels[from->kernel].table.name);
	json_out_count(out, object, "launches", launches);
	if (s->is_wanted[STATS_lines])
		ret = put_section(out, object, STATS_lines, from, err);
	if (!ret && s->is_wanted[STATS_arguments])
		ret = put_section(out, object, STATS_arguments, from, err);
	if (ret)
		out->is_bad = true;
	return object;
}

int stats_json_sum(struct json_out *out, json_t *total, const struct stats_run *s,
                   const struct stats_sum *sum, struct err *err)
{
	json_t *object = json_object(), *kernels = json_array();
	struct stats_source from;
	int ret = 0;

	for (uint32_t k = 0; k < sum->kernel_count; k++)
		if (stats_sum_kernel(sum, k, &from))
			json_out_append(out, kernels,
			                kernel_json(out, s, sum->kernels[k].launches, &from, err));
	json_out_value(out, object, "kernels", kernels);
	if (stats_sum_all(sum, &from))
		ret = put_section(out, object, STATS_buffers, &from, err);
	json_out_value(out, total, "stats", object);
	return ret;
}
