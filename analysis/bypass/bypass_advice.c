/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_advice.h"

#include "bypass_plan.h"
#include "bypass_try.h"
#include "cuda_words.h"
#include "kernel_table.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 3, LINES_MOST = 3, EXPRESSION_SHOWN_BYTES = 20 };

/* The reads that are named one by one, and not with all others. Returns how many. */
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

/* The one file of all reads that are chosen; NULL: there are several, or it is not known. */
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

/* The first line behind `line` of a read that is chosen; 0: there is none. */
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

/* "A[i]", "A[...]" of a long one, or what else is known of a read. */
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

/* " and ", ", " between the parts of a list. */
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

/* Whether the reads are named by arguments alone. */
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
			ret = put_warps(out, pi, t, err);
		is_first = false;
	}
	return ret ? ret
	           : put_memory(out, list, is_first ? "the reads of" : ", and the reads of", err);
}

int bypass_advice_put(struct str *out, const struct bypass_try *t, const struct bypass_list *list,
                      struct err *err)
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
