/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "err.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The rows of the report that a list is in, with blanks between: none, if it was only tried. */
static void put_rows(FILE *out, const struct bypass_try *t, char *const keys[BYPASS_ROWS],
                     const struct known_list *list)
{
	const char *joint = "";

	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		const struct bypass_entry *e = &t->entries[row];
		bool is_it;

		if (!e->is_there)
			continue;
		if (keys[row])
			is_it = list->key && !strcmp(list->key, keys[row]);
		else
			is_it = !list->key && list->rules == e->list.count &&
			        !memcmp(&list->measure, &e->measure, sizeof(e->measure));
		if (!is_it)
			continue;
		fprintf(out, "%s%s", joint, bypass_row_word(row));
		joint = " ";
	}
}

static void put_list(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                     char *const keys[BYPASS_ROWS], const struct known_list *list)
{
	const struct bypass_measure *m = &list->measure;

	text_write_csv(out, t->kernel.name);
	fputc(',', out);
	put_rows(out, t, keys, list);
	fputc(',', out);
	text_write_csv(out, list->text);
	fprintf(out, ",%zu", list->rules);
#define BYPASS_MEASURE(name, value) fprintf(out, ",%" PRIu64, m->name);
#include "bypass_measures.def"
#undef BYPASS_MEASURE
	fprintf(out, ",%.6f,%.6f\n", bypass_report_miss_rate(m),
	        bypass_measure_gain(&t->kernel.cache_all, m, r->wish->objective));
}

static int put_kernel(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                      struct err *err)
{
	const struct known_list *lists = t->kernel.known.lists.data;
	char *keys[BYPASS_ROWS] = { NULL };
	struct err why = { 0 };

	for (size_t row = 0; row < BYPASS_ROWS && !why.code; row++)
		if (t->entries[row].is_there)
			keys[row] = bypass_known_key(&t->kernel.known, &t->entries[row].list, &why);
	for (size_t i = 0; i < t->kernel.known.lists.count && !why.code; i++)
		put_list(out, r, t, keys, &lists[i]);
	for (size_t row = 0; row < BYPASS_ROWS; row++)
		free(keys[row]);
	return why.code ? err_set(err, (enum err_code)why.code, "%s", why.msg) : 0;
}

int bypass_csv_write(FILE *out, const struct bypass_report *r, struct err *err)
{
	int ret = 0;

	fputs("kernel,rows,list,rules"
#define BYPASS_MEASURE(name, value) "," #name
#include "bypass_measures.def"
#undef BYPASS_MEASURE
	      ",miss_rate,gain\n",
	      out);
	for (size_t i = 0; i < r->count && !ret; i++)
		if (bypass_report_was_played(&r->tries[i]))
			ret = put_kernel(out, r, &r->tries[i], err);
	return ret;
}
