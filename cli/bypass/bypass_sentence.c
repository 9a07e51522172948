/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "bypass_plan.h"
#include "cuda_words.h"
#include "kernel_table.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 3, LINES_MOST = 3, EXPRESSION_SHOWN_BYTES = 20 };

/* Mark the reads that rules name one by one, not with all others. Returns their number. */
static size_t mark(const struct bypass_try *t, const struct bypass_list *list, bool *is_chosen)
{
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

/* Returns the file of all chosen reads; NULL: there are several, or it is unknown. */
static const char *only_file(const struct kernel_table *table, const bool *is_chosen)
{
	const char *file = NULL;

	for (size_t i = 0; i < table->site_count; i++) {
		const struct place *p = &table->sites[i].place;

		if (!is_chosen[i])
			continue;
		if (!p->file || !p->line || (file && strcmp(file, p->file) != 0))
			return NULL;
		file = p->file;
	}
	return file;
}

/* The first line after `line` with a chosen read; 0: there is none. */
static uint32_t next_line(const struct kernel_table *table, const bool *is_chosen, uint32_t line)
{
	uint32_t next = 0;

	for (size_t i = 0; i < table->site_count; i++) {
		uint32_t at = table->sites[i].place.line;

		if (is_chosen[i] && at > line && (!next || at < next))
			next = at;
	}
	return next;
}

/* "mm.cl:9: ", "mm.cl:9,11: ", or the kernel's name. */
static int put_place(struct str *out, const struct kernel_table *table, const bool *is_chosen,
                     struct err *err)
{
	const char *file = only_file(table, is_chosen);
	uint32_t line = 0;
	int ret = str_printf(out, err, "%s", file ? file : table->name);

	for (int i = 0; file && !ret && (line = next_line(table, is_chosen, line)); i++) {
		if (i == LINES_MOST) {
			ret = str_printf(out, err, ",...");
			break;
		}
		ret = str_printf(out, err, "%c%" PRIu32, i ? ',' : ':', line);
	}
	return ret ? ret : str_append(out, ": ", 2, err);
}

/* "A[i]", "A[...]" for a long one, the argument, or the number of the site. */
static int put_read(struct str *out, const struct kernel_table *table, size_t site, struct err *err)
{
	const struct site *s = &table->sites[site];
	const char *text = s->expression ? s->expression : "";
	size_t length = strlen(text), name = strcspn(text, "[");

	if (*text && length <= EXPRESSION_SHOWN_BYTES)
		return str_append(out, text, length, err);
	if (*text && name < EXPRESSION_SHOWN_BYTES && text[length - 1] == ']')
		return str_printf(out, err, "%.*s[...]", (int)name, text);
	if (*text)
		return str_printf(out, err, "%.*s...", EXPRESSION_SHOWN_BYTES, text);
	if (s->argument >= 0 && (size_t)s->argument < table->argument_count &&
	    table->arguments[s->argument].name && *table->arguments[s->argument].name)
		return str_printf(out, err, "%s", table->arguments[s->argument].name);
	return str_printf(out, err, "site %zu", site);
}

/* ", " and " and " between the parts of an enumeration. */
static int put_joint(struct str *out, size_t i, size_t count, struct err *err)
{
	const char *joint = !i ? "" : i + 1 < count ? ", " : " and ";

	return str_append(out, joint, strlen(joint), err);
}

/* "the read of A[i]", "reads of A[i], B[j], C[k] and 4 more". */
static int put_reads(struct str *out, const struct kernel_table *table, const bool *is_chosen,
                     size_t count, struct err *err)
{
	size_t shown = 0, parts = count > NAMED_MOST ? NAMED_MOST + 1 : count;
	int ret = str_printf(out, err, count == 1 ? "the read of " : "reads of ");

	for (size_t i = 0; i < table->site_count && shown < NAMED_MOST && !ret; i++) {
		if (!is_chosen[i])
			continue;
		ret = put_joint(out, shown++, parts, err);
		if (!ret)
			ret = put_read(out, table, i, err);
	}
	if (!ret && count > NAMED_MOST)
		ret = str_printf(out, err, " and %zu more", count - NAMED_MOST);
	return ret;
}

/* Whether the rules are all arguments. */
static bool is_of_arguments(const struct bypass_list *list)
{
	bool is = list->count;

	for (size_t i = 0; i < list->count; i++)
		is = is && list->rules[i].kind == BYPASS_ARGUMENT;
	return is;
}

/* "all reads of A and B" */
static int put_arguments(struct str *out, const struct bypass_list *list, struct err *err)
{
	size_t parts = list->count > NAMED_MOST ? NAMED_MOST + 1 : list->count;
	char more[SHAPE_TEXT_BYTES];
	int ret = str_printf(out, err, "all reads of ");

	for (size_t i = 0; i < list->count && i < NAMED_MOST && !ret; i++) {
		ret = put_joint(out, i, parts, err);
		if (!ret)
			ret = str_printf(out, err, "%s", list->rules[i].name);
	}
	if (!ret && list->count > NAMED_MOST)
		ret = str_printf(out, err, " and %s",
		                 amount_text(more, list->count - NAMED_MOST, "more argument"));
	return ret;
}

/* "all reads", "all reads of warps 3 to 7 of each group". */
static int put_warps(struct str *out, uint64_t pi, const struct bypass_try *t, struct err *err)
{
	const char *group = cuda_word(t->kernel.run->recording, "group");
	uint32_t warps = t->kernel.warps;

	if (!pi)
		return str_printf(out, err, "all reads");
	if (pi + 1 == warps)
		return str_printf(out, err, "all reads of warp %" PRIu64 " of each %s", pi, group);
	return str_printf(out, err, "all reads of warps %" PRIu64 " to %" PRIu32 " of each %s", pi,
	                  warps - 1, group);
}

/* "the reads of buffer 1, buffer 2 and 12 lines of memory"; nothing if there are none. */
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

/* The rules of a list that name no sites, after those that do. */
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
			ret = put_warps(out, pi, t, err);
		is_first = false;
	}
	return ret ? ret
	           : put_memory(out, list, is_first ? "the reads of" : ", and the reads of", err);
}

int bypass_sentence_list(struct str *out, const struct bypass_try *t,
                         const struct bypass_list *list, struct err *err)
{
	const struct kernel_table *table = t->kernel.table;
	bool *is_chosen = array_alloc(table->site_count, sizeof(*is_chosen), "sites", err);
	size_t reads;
	int ret;

	if (!is_chosen)
		return ERR_NOMEM;
	reads = mark(t, list, is_chosen);
	ret = put_place(out, table, is_chosen, err);
	if (!ret)
		ret = str_append(out, "let ", 4, err);
	if (!ret && reads && is_of_arguments(list))
		ret = put_arguments(out, list, err);
	else if (!ret && reads)
		ret = put_reads(out, table, is_chosen, reads, err);
	if (!ret)
		ret = put_other_rules(out, t, list, !reads, err);
	free(is_chosen);
	return ret ? ret : str_printf(out, err, " bypass L1");
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

/* The changes by a list that gains: the saving first. */
static int put_gain(struct str *out, const struct bypass_measure *before,
                    const struct bypass_measure *after, struct err *err)
{
	int ret;

	if (after->cycles <= before->cycles || after->bytes_from_l2 >= before->bytes_from_l2)
		return put_changes(out, before, after, err);
	ret = put_change(out, before->bytes_from_l2, after->bytes_from_l2, "bytes from L2", err);
	if (!ret)
		ret = str_append(out, ", for ", 6, err);
	return ret ? ret : put_change(out, before->cycles, after->cycles, "cycles", err);
}

/* Compares two lists by how near they came to a gain: < 0 the first. One that moves too many bytes
 * is last. */
static int compare_lists(const struct bypass_study *study, const struct bypass_try *t,
                         const struct bypass_measure *a, const struct bypass_measure *b)
{
	uint64_t most = bypass_measure_ceiling(&t->kernel.cache_all, study->wish.objective);
	bool a_fits = a->bytes_from_l2 <= most, b_fits = b->bytes_from_l2 <= most;

	if (a_fits != b_fits)
		return a_fits ? -1 : 1;
	return bypass_measure_compare(a, b, study->wish.objective);
}

/* Returns the best row with a bypassing read, by the objective; CACHE_ALL: there is none. */
static enum bypass_row best_list(const struct bypass_study *study, const struct bypass_try *t)
{
	enum bypass_row best = BYPASS_ROW_CACHE_ALL;

	for (enum bypass_row row = BYPASS_ROW_ALL; row < BYPASS_ROWS; row++) {
		const struct bypass_entry *e = &t->entries[row];

		if (e->is_there && e->measure.bypasses &&
		    (!best || compare_lists(study, t, &e->measure, &t->entries[best].measure) < 0))
			best = row;
	}
	return best;
}

static int put_no_gain(struct str *out, const struct bypass_study *study,
                       const struct bypass_try *t, struct err *err)
{
	enum bypass_row row = best_list(study, t);
	int ret = str_printf(out, err, "%s: no gain: do not bypass", t->kernel.name);

	if (ret)
		return ret;
	if (!row)
		return str_printf(out, err, "; no read goes through L1");
	ret = str_printf(out, err, "; the best list, %s, has ", bypass_row_word(row));
	return ret ? ret : put_changes(out, &t->kernel.cache_all, &t->entries[row].measure, err);
}

int bypass_sentence_kernel(const struct bypass_study *study, const struct bypass_try *t,
                           struct str *out, struct err *err)
{
	int ret;

	if (!bypass_try_was_played(t))
		return str_printf(out, err, "%s: no launch was replayed", t->kernel.name);
	if (!bypass_try_gains(t))
		return put_no_gain(out, study, t, err);
	ret = bypass_sentence_list(out, t, &t->entries[t->best].list, err);
	if (!ret)
		ret = str_append(out, ": ", 2, err);
	return ret ? ret : put_gain(out, &t->kernel.cache_all, &t->entries[t->best].measure, err);
}

/* The sentence for several kernels. */
static int put_all(struct str *out, const struct bypass_study *study, size_t played,
                   struct err *err)
{
	size_t gaining = 0;
	int ret;

	for (size_t i = 0; i < study->count; i++)
		gaining += bypass_try_gains(&study->tries[i]);
	if (!gaining)
		return str_printf(out, err, "no gain: do not bypass; none of %zu kernels gains",
		                  played);
	ret = str_printf(out, err, "%zu of %zu kernels gain%s, together ", gaining, played,
	                 gaining == 1 ? "s" : "");
	return ret ? ret
	           : put_gain(out, &study->rows[BYPASS_ROW_CACHE_ALL].measure,
	                      &study->best_sum.measure, err);
}

int bypass_sentence_all(const struct bypass_study *study, struct str *out, struct err *err)
{
	const struct bypass_try *one = NULL, *left = NULL;
	size_t played = 0;
	int ret;

	for (size_t i = 0; i < study->count; i++)
		if (!bypass_try_was_played(&study->tries[i]))
			left = &study->tries[i];
		else if (!played++)
			one = &study->tries[i];
	if (!played)
		return str_printf(out, err, "no launch was replayed");
	ret = played == 1 ? bypass_sentence_kernel(study, one, out, err)
	                  : put_all(out, study, played, err);
	if (ret || !left)
		return ret;
	if (study->count - played == 1)
		return str_printf(out, err, "; no launch of %s was replayed", left->kernel.name);
	return str_printf(out, err, "; no launch of %zu other kernels was replayed",
	                  study->count - played);
}
