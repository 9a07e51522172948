/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "bypass_plan.h"
#include "kernel_table.h"
#include "recording.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 3, EXPRESSION_SHOWN_BYTES = 40 };

bool bypass_report_was_played(const struct bypass_try *t)
{
	return t->entries[BYPASS_ROW_CACHE_ALL].is_there;
}

bool bypass_report_gains(const struct bypass_try *t)
{
	return bypass_report_was_played(t) && t->entries[t->best].list.count;
}

/* "23.1% fewer cycles", "as many cycles". */
static int put_change(struct str *out, uint64_t before, uint64_t after, const char *unit,
                      struct err *err)
{
	double change = before ? ((double)after - (double)before) / (double)before : 0;

	if (before && change > -0.0005 && change < 0.0005)
		return str_printf(out, err, "as many %s", unit);
	if (!before)
		return str_printf(out, err, "%s %s", after ? "more" : "as many", unit);
	return str_printf(out, err, "%.1f%% %s %s", 100 * (change < 0 ? -change : change),
	                  change < 0 ? "fewer" : "more", unit);
}

static int put_changes(struct str *out, const struct bypass_measure *before,
                       const struct bypass_measure *after, struct err *err)
{
	int ret = put_change(out, before->cycles, after->cycles, "cycles", err);

	if (!ret)
		ret = str_append(out, ", ", 2, err);
	return ret ? ret
	           : put_change(out, before->bytes_from_l2, after->bytes_from_l2, "bytes from L2",
	                        err);
}

/* The one source line of all reads that are chosen; NULL: there are several, or it is not known. */
static const struct place *only_line(const struct kernel_table *table, const bool *is_chosen)
{
	const struct place *line = NULL;

	for (size_t i = 0; i < table->site_count; i++) {
		const struct place *p = &table->sites[i].place;

		if (!is_chosen[i])
			continue;
		if (!p->file || !p->line ||
		    (line && (line->line != p->line || strcmp(line->file, p->file) != 0)))
			return NULL;
		line = p;
	}
	return line;
}

/* "A[i]", or what else is known of a read. `has_place`: the line is said already. */
static int put_read(struct str *out, const struct kernel_table *table, size_t site, bool has_place,
                    struct err *err)
{
	const struct site *s = &table->sites[site];
	bool is_known = s->expression && *s->expression;
	bool has_argument = s->argument >= 0 && (size_t)s->argument < table->argument_count &&
	                    table->arguments[s->argument].name &&
	                    *table->arguments[s->argument].name;
	int ret = 0;

	if (!has_place && s->place.file && s->place.line)
		ret = str_printf(out, err, "%s:%u%s", s->place.file, s->place.line,
		                 is_known || has_argument ? " " : "");
	else if (!is_known && !has_argument)
		return str_printf(out, err, "site %zu", site);
	if (!ret && is_known)
		ret = str_printf(out, err, "%.*s%s", EXPRESSION_SHOWN_BYTES, s->expression,
		                 strlen(s->expression) > EXPRESSION_SHOWN_BYTES ? "..." : "");
	else if (!ret && has_argument)
		ret = str_printf(out, err, "%s", table->arguments[s->argument].name);
	return ret;
}

/* " and ", ", " between the parts of a list. */
static int put_joint(struct str *out, size_t i, size_t count, struct err *err)
{
	const char *joint = !i ? "" : i + 1 < count ? ", " : " and ";

	return str_append(out, joint, strlen(joint), err);
}

/* "the read of A[i]", "the reads of A[i], B[j] and 4 more". */
static int put_reads(struct str *out, const struct kernel_table *table, const bool *is_chosen,
                     bool has_place, struct err *err)
{
	size_t count = 0, shown = 0, parts;
	int ret;

	for (size_t i = 0; i < table->site_count; i++)
		count += is_chosen[i];
	parts = count > NAMED_MOST ? NAMED_MOST + 1 : count;
	ret = str_printf(out, err, "the read%s of ", count == 1 ? "" : "s");
	for (size_t i = 0; i < table->site_count && shown < NAMED_MOST && !ret; i++) {
		if (!is_chosen[i])
			continue;
		ret = put_joint(out, shown++, parts, err);
		if (!ret)
			ret = put_read(out, table, i, has_place, err);
	}
	if (!ret && count > NAMED_MOST)
		ret = str_printf(out, err, " and %zu more", count - NAMED_MOST);
	return ret;
}

/* "all reads", "all reads of warps 3 to 7 of each group". */
static int put_warps(struct str *out, uint64_t pi, uint32_t warps, struct err *err)
{
	if (!pi)
		return str_printf(out, err, "all reads");
	if (pi + 1 == warps)
		return str_printf(out, err, "all reads of warp %" PRIu64 " of each group", pi);
	return str_printf(out, err, "all reads of warps %" PRIu64 " to %" PRIu32 " of each group",
	                  pi, warps - 1);
}

/* "the reads of buffer 1, buffer 2 and 12 lines of memory"; nothing where there are none. */
static int put_memory(struct str *out, const struct bypass_list *list, const char *joint,
                      struct err *err)
{
	char count[SHAPE_TEXT_BYTES];
	size_t addresses = 0, buffers = 0;
	int ret = 0;

	for (size_t i = 0; i < list->count && !ret; i++) {
		addresses += list->rules[i].kind == BYPASS_ADDRESS;
		if (list->rules[i].kind == BYPASS_BUFFER)
			ret = str_printf(out, err, "%s buffer %" PRIu64, buffers++ ? "," : joint,
			                 list->rules[i].number);
	}
	if (!ret && addresses)
		ret = str_printf(out, err, "%s %s of memory", buffers ? " and" : joint,
		                 amount_text(count, addresses, "line"));
	return ret;
}

/* What the rules of a list that are no sites say, behind what the others said. */
static int put_other_rules(struct str *out, const struct bypass_try *t,
                           const struct bypass_list *list, bool is_first, struct err *err)
{
	uint64_t pi = UINT64_MAX;
	int ret = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];
		uint64_t number = rule->kind == BYPASS_ALL     ? 0
		                  : rule->kind == BYPASS_WARPS ? rule->number
		                                               : UINT64_MAX;

		if (number < pi)
			pi = number;
	}
	if (pi != UINT64_MAX) {
		ret = str_printf(out, err, "%s", is_first ? "" : ", and ");
		if (!ret)
			ret = put_warps(out, pi, t->kernel.warps, err);
		is_first = false;
	}
	return ret ? ret
	           : put_memory(out, list, is_first ? "the reads of" : ", and the reads of", err);
}

bool bypass_report_bypasses(const struct bypass_try *t, size_t site)
{
	const struct bypass_list *list = &t->entries[t->best].list;
	bool is = false;

	for (size_t i = 0; i < list->count && !is; i++)
		is = (list->rules[i].kind == BYPASS_WARPS && !list->rules[i].number) ||
		     bypass_rule_names(&list->rules[i], t->kernel.table, site);
	return is;
}

/* The reads that are named one by one, and not with all others. Returns how many. */
static size_t mark(const struct bypass_try *t, bool *is_chosen)
{
	const struct bypass_list *list = &t->entries[t->best].list;
	const struct kernel_table *table = t->kernel.table;
	size_t count = 0;

	for (size_t i = 0; i < table->site_count; i++) {
		if (table->sites[i].kind != SITE_READ || !t->uses[i].reads)
			continue;
		for (size_t r = 0; r < list->count && !is_chosen[i]; r++)
			is_chosen[i] = list->rules[r].kind != BYPASS_ALL &&
			               bypass_rule_names(&list->rules[r], table, i);
		count += is_chosen[i];
	}
	return count;
}

/* "mm.cl:9: let the read of B[j] bypass L1" */
static int put_advice(struct str *out, const struct bypass_try *t, struct err *err)
{
	const struct kernel_table *table = t->kernel.table;
	const struct bypass_list *list = &t->entries[t->best].list;
	bool *is_chosen = array_alloc(table->site_count, sizeof(*is_chosen), "sites", err);
	const struct place *line;
	size_t reads;
	int ret;

	if (!is_chosen)
		return ERR_NOMEM;
	reads = mark(t, is_chosen);
	line = reads ? only_line(table, is_chosen) : NULL;
	if (line)
		ret = str_printf(out, err, "%s:%u: let ", line->file, line->line);
	else
		ret = str_printf(out, err, "%s: let ", table->name);
	if (!ret && reads)
		ret = put_reads(out, table, is_chosen, line != NULL, err);
	if (!ret)
		ret = put_other_rules(out, t, list, !reads, err);
	free(is_chosen);
	return ret ? ret : str_printf(out, err, " bypass L1");
}

/* The best row that sends anything past L1, by the objective; CACHE_ALL: there is none. */
static enum bypass_row best_list(const struct bypass_report *r, const struct bypass_try *t)
{
	enum bypass_row best = BYPASS_ROW_CACHE_ALL;

	for (enum bypass_row row = BYPASS_ROW_ALL; row < BYPASS_ROWS; row++) {
		const struct bypass_entry *e = &t->entries[row];

		if (e->is_there && e->measure.bypasses &&
		    (!best || bypass_measure_compare(&e->measure, &t->entries[best].measure,
		                                     r->wish->objective) < 0))
			best = row;
	}
	return best;
}

static int put_no_gain(struct str *out, const struct bypass_report *r, const struct bypass_try *t,
                       struct err *err)
{
	enum bypass_row row = best_list(r, t);
	int ret = str_printf(out, err, "%s: no gain: do not bypass", t->kernel.name);

	if (ret)
		return ret;
	if (!row)
		return str_printf(out, err, "; no read goes through L1");
	ret = str_printf(out, err, "; the best list, %s, has ", bypass_row_word(row));
	return ret ? ret : put_changes(out, &t->kernel.cache_all, &t->entries[row].measure, err);
}

int bypass_sentence_kernel(const struct bypass_report *r, const struct bypass_try *t,
                           struct str *out, struct err *err)
{
	int ret;

	if (!bypass_report_was_played(t))
		return str_printf(out, err, "%s: no launch was played", t->kernel.name);
	if (!bypass_report_gains(t))
		return put_no_gain(out, r, t, err);
	ret = put_advice(out, t, err);
	if (!ret)
		ret = str_append(out, ": ", 2, err);
	return ret ? ret
	           : put_changes(out, &t->kernel.cache_all, &t->entries[t->best].measure, err);
}

/* Of several kernels: how many gain, what all gain together, and which gains most. */
static int put_several(const struct bypass_report *r, size_t gaining, size_t played,
                       const struct bypass_try *most, struct str *out, struct err *err)
{
	int ret = str_printf(out, err, "%zu of %zu kernels gain%s by bypassing, together ", gaining,
	                     played, gaining == 1 ? "s" : "");

	if (!ret)
		ret = put_changes(out, &r->rows[BYPASS_ROW_CACHE_ALL].measure, &r->best.measure,
		                  err);
	if (!ret)
		ret = str_append(out, "; most by: ", 11, err);
	return ret ? ret : bypass_sentence_kernel(r, most, out, err);
}

int bypass_sentence_all(const struct bypass_report *r, struct str *out, struct err *err)
{
	const struct bypass_try *most = NULL, *only = NULL;
	size_t gaining = 0, played = 0;
	uint64_t saved = 0;

	for (size_t i = 0; i < r->count; i++) {
		const struct bypass_try *t = &r->tries[i];
		uint64_t before, after;

		if (!bypass_report_was_played(t))
			continue;
		only = played++ ? NULL : t;
		if (!bypass_report_gains(t))
			continue;
		gaining++;
		before = bypass_measure_value(&t->kernel.cache_all, r->wish->objective);
		after = bypass_measure_value(&t->entries[t->best].measure, r->wish->objective);
		if (!most || (before > after && before - after > saved)) {
			most = t;
			saved = before > after ? before - after : 0;
		}
	}
	if (!played)
		return str_printf(out, err, "no launch was played");
	if (only)
		return bypass_sentence_kernel(r, only, out, err);
	if (!gaining)
		return str_printf(out, err, "no gain: do not bypass, in none of %zu kernels",
		                  played);
	return put_several(r, gaining, played, most, out, err);
}
