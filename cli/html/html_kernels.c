/* SPDX-License-Identifier: Apache-2.0 */
#include "html_sections.h"
#include "html_table.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"

static const struct html_column columns[] = {
	{ "Kernel", HTML_TERM_NONE, true },
	{ "Launches", HTML_TERM_launch, false },
	HTML_MISS_COLUMNS,
	{ "Classes", HTML_TERM_NONE, true },
	HTML_CLASS_COLUMNS,
	{ "Bytes from L2", HTML_TERM_moved, false },
	{ "Used", HTML_TERM_used, false },
	{ "Cycles", HTML_TERM_cycles, false },
};

static void write_kernel(FILE *out, const struct report_data *d, const struct report_kernel *k)
{
	const struct l1_stats_row *l1 = &k->counts.l1;

	html_row_text(out, k->name);
	html_cell_count(out, k->launches_played);
	html_miss_cells(out, l1, &d->total.l1);
	fputs("<td class=t>", out);
	html_class_bar(out, l1);
	html_class_cells(out, l1, &d->total.l1);
	html_cell_count(out, l1->bytes_from_l2);
	html_cell_share(out, l1->bytes_used, l1->bytes_moved);
	html_cell_count(out, k->counts.cycles);
	fputc('\n', out);
}

int html_section_kernels(const struct html_page *page, FILE *out, struct err *err)
{
	const struct report_data *d = page->data;
	size_t shown = d->kernel_count < HTML_ROWS_MAX ? d->kernel_count : HTML_ROWS_MAX;
	const struct html_table table = { .id = "kernel-table",
		                          .caption = "Kernels, most requests first",
		                          .filter = "Filter by kernel",
		                          .columns = columns,
		                          .column_count = sizeof(columns) / sizeof(columns[0]) };

	fputs("<p class=says>What to look for: few lanes per request (an access pattern to fix), "
	      "and the class of most misses (what would fix them).</p>\n",
	      out);
	html_class_table_begin(out, &table, &d->total.l1);
	for (size_t i = 0; i < shown; i++)
		write_kernel(out, d, &d->kernels[i]);
	html_table_end(out);
	html_class_key(out, &d->total.l1);
	html_left_out(out, d->kernel_count - shown, "kernels");
	return 0;
}
