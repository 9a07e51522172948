/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "err.h"
#include "gpu.h"
#include "kernel_table.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>

/* How far a search went. */
static void print_search(FILE *out, const char *name, const struct bypass_searched *s,
                         uint32_t limit)
{
	const struct bypass_found *f = &s->found;
	char lists[SHAPE_TEXT_BYTES];

	if (f->count && f->is_exhaustive)
		fprintf(out, "  %s: all %s of %zu were replayed; there is no better one.\n", name,
		        amount_text(lists, UINT64_C(1) << f->count, "list"), f->count);
	else if (f->count)
		fprintf(out,
		        "  %s: greedy search among %zu, %s replayed; a better one may exist.\n",
		        name, f->count, amount_text(lists, f->evaluations, "list"));
	if (f->is_limited)
		fprintf(out, "    It ended at its limit of %" PRIu32 " lists (--limit).\n", limit);
	if (f->left_out)
		fprintf(out, "    Only the %d with the most bytes were searched; left out: %zu.\n",
		        BYPASS_SEARCH_CANDIDATES, f->left_out);
}

/* Whether the best list sends reads through an argument past L1. */
static bool bypasses_argument(const struct bypass_try *t, size_t argument)
{
	const struct kernel_table *table = t->kernel.table;

	for (size_t i = 0; i < table->site_count; i++)
		if (t->uses[i].reads && table->sites[i].argument == (int64_t)argument &&
		    bypass_report_bypasses(t, i))
			return true;
	return false;
}

/* Where bypassing makes L1 write back first. */
static int print_written(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                         struct err *err)
{
	const struct kernel_table *table = t->kernel.table;

	if (r->run->gpu->l1_write != GPU_L1_WRITE_BACK_ALLOCATE || !t->entries[t->best].list.count)
		return 0;
	for (size_t i = 0; i < table->argument_count; i++) {
		const struct kernel_argument *a = &table->arguments[i];
		char *name;

		if (a->space != SPACE_GLOBAL || !a->is_written || !bypasses_argument(t, i))
			continue;
		name = str_visible(a->name, err);
		if (!name)
			return ERR_NOMEM;
		fprintf(out,
		        "  The kernel may write through %s: before a read of it bypasses L1, "
		        "what L1 holds changed there is written back.\n",
		        name);
		free(name);
	}
	return 0;
}

/* Where bytes that are saved cost cycles, or cycles traffic, which has no price below the SM's own
 * link. */
static void print_traffic(FILE *out, const struct bypass_try *t)
{
	const struct bypass_measure *before = &t->kernel.cache_all,
				    *after = &t->entries[t->best].measure;

	if (after->cycles > before->cycles &&
	    after->cycles - before->cycles <= before->cycles / 100 &&
	    after->bytes_from_l2 < before->bytes_from_l2)
		fputs("  The best list is best for the bytes that it saves: up to 1% more cycles "
		      "count as none.\n",
		      out);
	if (after->cycles < before->cycles &&
	    after->bytes_from_l2 > before->bytes_from_l2 + before->bytes_from_l2 / 10)
		fputs("  The best list moves more bytes. What L2 can serve in all is not "
		      "modelled: there its gain may be lost.\n",
		      out);
}

/* A list of lines of memory that is better than what a program can apply. */
static void print_address(FILE *out, const struct bypass_report *r, const struct bypass_try *t)
{
	static const enum bypass_row rows[] = { BYPASS_ROW_ADDRESS, BYPASS_ROW_ADDRESS_MERGED };
	const struct bypass_measure *before = &t->kernel.cache_all;
	enum bypass_objective objective = r->wish->objective;
	uint64_t most = bypass_measure_ceiling(before, objective);
	double least = bypass_measure_gain(before, &t->entries[t->best].measure, objective) + 0.01;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bypass_entry *e = &t->entries[rows[i]];
		double gain = bypass_measure_gain(before, &e->measure, objective);

		if (!e->is_there || rows[i] == t->best || e->measure.bytes_from_l2 > most ||
		    gain < least)
			continue;
		fprintf(out,
		        "  %s gains more, %.1f%%, but no program can tell L1 which lines to "
		        "keep.\n",
		        bypass_row_word(rows[i]), 100 * gain);
		break;
	}
}

int bypass_text_notes(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                      struct err *err)
{
	print_address(out, r, t);
	print_search(out, "site", &t->sites, r->wish->limit);
	print_search(out, "buffer", &t->buffers, r->wish->limit);
	print_traffic(out, t);
	return print_written(out, r, t, err);
}
