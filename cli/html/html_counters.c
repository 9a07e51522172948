/* SPDX-License-Identifier: Apache-2.0 */
/* The table is made from the lists of counters: what each is said to be is what the lists say. */
#include "gpu.h"
#include "html_sections.h"
#include "html_table.h"
#include "html_text.h"
#include "report_data.h"

#include <string.h>

struct counter_row {
	const char *where, *name, *unit, *text;
	uint64_t count;
};

static void write_row(FILE *out, const struct counter_row *row)
{
	fputs("<tr><th scope=row class=t>", out);
	for (const char *c = row->name; *c; c++)
		fputc(*c == '_' ? ' ' : *c, out);
	html_cell_text(out, row->where);
	html_cell_count(out, row->count);
	html_cell_text(out, row->unit);
	html_cell_text(out, row->text);
	fputc('\n', out);
}

static void write_l1_row(FILE *out, const char *name, uint64_t count)
{
	const struct counter_fact *f = counter_fact_find(name);

	write_row(out, &(struct counter_row){ "L1", name, f->unit, f->text, count });
}

static void write_l1(FILE *out, const struct report_numbers *n)
{
	static const char written[] = "written through, and written back";

#define BYPASS_STAT(name)
#define L1_STAT(name) write_l1_row(out, #name, n->l1.name);
#include "site_counters.def"
#undef L1_STAT
	write_row(out,
	          &(struct counter_row){ "L1", "bytes_to_l2", "bytes", written, n->bytes_to_l2 });
	if (!n->l1.bypasses)
		return;
	write_l1_row(out, "bypasses", n->l1.bypasses);
	write_l1_row(out, "bytes_bypassed", n->l1.bytes_bypassed);
}

static void write_below(FILE *out, const struct report_numbers *n)
{
	const struct counter_row rows[] = {
#define L2_COUNTER(name, unit, text)   { "L2", #name, unit, text, n->l2.name },
#define DRAM_COUNTER(name, unit, text) { "DRAM", #name, unit, text, n->dram.name },
#include "counters.def"
#undef DRAM_COUNTER
#undef L2_COUNTER
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		write_row(out, &rows[i]);
}

/* Local and constant memory, where the recording has them. */
static void write_side(FILE *out, const struct report_numbers *n)
{
	const struct counter_row rows[] = {
#define SIDE_COUNTER(name, space, key, unit, text)                                                 \
	{ !strcmp(#space, "LOCAL") ? "local memory" : "constant memory", key, unit, text,          \
	  n->side.name },
#include "side_counters.def"
#undef SIDE_COUNTER
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		write_row(out, &rows[i]);
}

int html_section_counters(const struct html_page *page, FILE *out, struct err *err)
{
	static const struct html_column columns[] = {
		{ "Counter", HTML_TERM_NONE, true },        { "Of", HTML_TERM_NONE, true },
		{ "Count", HTML_TERM_NONE, false },         { "Unit", HTML_TERM_NONE, true },
		{ "What it counts", HTML_TERM_NONE, true },
	};
	const struct html_table table = { .id = "counter-table",
		                          .caption = "All launches that were replayed, together",
		                          .filter = "Filter by name, place or meaning",
		                          .columns = columns,
		                          .column_count = sizeof(columns) / sizeof(columns[0]) };
	const struct report_numbers *n = &page->data->total;

	html_table_begin(out, &table);
	write_l1(out, n);
	if (page->gpu->l2 == GPU_L2_ON)
		write_below(out, n);
	if (n->side.local_instructions || n->side.constant_instructions)
		write_side(out, n);
	html_table_end(out);
	return 0;
}
