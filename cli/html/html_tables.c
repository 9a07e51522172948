/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of kernels, source lines, buffers, arguments and counters. */
#include "html_page.h"

#include "counters.h"
#include "gpu.h"
#include "html_table.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"
#include "sum_columns.h"

#include <inttypes.h>
#include <string.h>

enum {
	CLASS_COUNT = 5,
	BAR_UNITS = 1000,
	BAR_BYTES = 1024,
	LABEL_BYTES = 4352, /* a path and a number */
	TEXT_BYTES = 120,
};

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

/* What the tables of lines, buffers and arguments have after their own columns. */
static const enum sum_column sums[] = { SUM_REQUESTS,  SUM_LANES,  SUM_MISSES,      SUM_MISS_SHARE,
	                                SUM_MISS_RATE, SUM_COLD,   SUM_CAPACITY,    SUM_CONFLICT,
	                                SUM_COHERENCE, SUM_SECTOR, SUM_BYTES_MOVED, SUM_USED };

void html_left_out(FILE *out, size_t count, const char *what)
{
	if (!count)
		return;
	fputs("<p class=note><b>Not shown:</b> ", out);
	html_count(out, count);
	fprintf(out,
	        " more %s, so that this page stays small; <code>warpline report --json</code> "
	        "has all.</p>\n",
	        what);
}

static size_t shown_of(size_t count)
{
	return count < HTML_ROWS_MAX ? count : HTML_ROWS_MAX;
}

static const char *kernel_name(const struct report_data *d, uint32_t kernel)
{
	return d->recording->kernels[kernel].table.name;
}

/* The classes of misses, in the order of their bars. */
static const char *const class_names[CLASS_COUNT] = { "cold", "capacity", "conflict", "coherence",
	                                              "sector" };

static uint64_t class_of(const struct l1_stats_row *row, size_t i)
{
	const uint64_t counts[CLASS_COUNT] = { row->cold, row->capacity, row->conflict,
		                               row->coherence, row->sector };

	return counts[i];
}

void html_class_write(FILE *out, const struct l1_stats_row *row)
{
	size_t most = 0;

	for (size_t i = 1; i < CLASS_COUNT; i++)
		if (class_of(row, i) > class_of(row, most))
			most = i;
	if (class_of(row, most))
		fprintf(out, "%s %.0f%%", class_names[most],
		        100.0 * (double)class_of(row, most) / (double)row->read_misses);
}

/* The shares of classes in a row's misses as a picture, which repeats the cells beside it. */
static const char *class_bar(char bar[BAR_BYTES], const struct l1_stats_row *row)
{
	double scale = row->read_misses ? (double)BAR_UNITS / (double)row->read_misses : 0;
	uint64_t before = 0;
	size_t length = 0;

	*bar = '\0';
	if (!row->read_misses)
		return bar;
	length += (size_t)snprintf(bar, BAR_BYTES,
	                           "<svg class=stack viewBox=\"0 0 %d 1\" "
	                           "preserveAspectRatio=none aria-hidden=true>",
	                           BAR_UNITS);
	for (size_t i = 0; i < CLASS_COUNT; i++) {
		uint64_t count = class_of(row, i);

		if (count)
			length += (size_t)snprintf(bar + length, BAR_BYTES - length,
			                           "<rect class=%s x=%.1f width=%.1f height=1 />",
			                           class_names[i], (double)before * scale,
			                           (double)count * scale);
		before += count;
	}
	snprintf(bar + length, BAR_BYTES - length, "</svg>");
	return bar;
}

/* What the colours of the bars mean. */
static void write_bar_key(FILE *out, const struct l1_stats_row *all)
{
	fputs("<ul class=key aria-label=\"Colours of the bars, from left to right\">", out);
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (class_of(all, i))
			fprintf(out, "<li><span class=%s></span>%s", class_names[i],
			        class_names[i]);
	fputs("</ul>\n", out);
}

int html_section_kernels(const struct html_page *page, FILE *out, struct err *err)
{
	static const struct headed_column first[] = { HTML_COLUMN("Kernel", NULL, TEXT),
		                                      HTML_COLUMN("Launches", "launch", NUMBER) };
	static const enum sum_column before[] = { SUM_REQUESTS, SUM_LANES, SUM_MISSES,
		                                  SUM_MISS_SHARE, SUM_MISS_RATE };
	static const struct headed_column classes = HTML_COLUMN("Classes", NULL, MARKUP);
	static const enum sum_column after[] = { SUM_COLD,      SUM_CAPACITY, SUM_CONFLICT,
		                                 SUM_COHERENCE, SUM_SECTOR,   SUM_BYTES_FROM_L2,
		                                 SUM_USED };
	static const struct headed_column cycles = HTML_COLUMN("Cycles", "cycles", NUMBER);
	const struct report_data *d = page->data;
	const struct l1_stats_row *all = &d->total.l1;
	struct html_table t = { .out = out,
		                .id = "kernel-table",
		                .caption = "Kernels, most requests first",
		                .filter = "Filter by kernel" };

	fputs("<p class=says>What to look for: few lanes per request (an access pattern to fix), "
	      "and the class of most misses (what would fix them).</p>\n",
	      out);
	html_table_show(&t, first, COUNT_OF(first));
	sum_page_show(&t, before, COUNT_OF(before), all);
	html_table_show(&t, &classes, 1);
	sum_page_show(&t, after, COUNT_OF(after), all);
	html_table_show(&t, &cycles, 1);
	html_table_begin(&t);
	for (size_t i = 0; i < shown_of(d->kernel_count); i++) {
		const struct report_kernel *k = &d->kernels[i];
		struct cell cells[CELL_TABLE_COLUMNS] = { cell_text(k->name),
			                                  cell_number(k->launches_played) };
		size_t n = sum_page_cells(cells, 2, before, COUNT_OF(before), &k->counts.l1, all);
		char bar[BAR_BYTES];

		cells[n++] = cell_text(class_bar(bar, &k->counts.l1));
		n = sum_page_cells(cells, n, after, COUNT_OF(after), &k->counts.l1, all);
		cells[n] = cell_number(k->counts.cycles);
		html_table_row(&t, cells);
	}
	html_table_end(&t);
	write_bar_key(out, all);
	html_left_out(out, d->kernel_count - shown_of(d->kernel_count), "kernels");
	return 0;
}

/* Begin a table of `count` columns of its own and the sums. */
static void begin_sums(struct html_table *t, const struct headed_column *own, size_t count,
                       const struct report_data *d)
{
	html_table_show(t, own, count);
	sum_page_show(t, sums, COUNT_OF(sums), &d->total.l1);
	html_table_begin(t);
}

/* Write a row of such a table: `count` cells of its own are filled in. */
static void put_sums(const struct html_table *t, struct cell *cells, size_t count,
                     const struct l1_stats_row *l1, const struct report_data *d)
{
	sum_page_cells(cells, count, sums, COUNT_OF(sums), l1, &d->total.l1);
	html_table_row(t, cells);
}

void html_lines_write(const struct report_data *d, FILE *out)
{
	static const struct headed_column own[] = { HTML_COLUMN("Place", "site", CODE),
		                                    HTML_COLUMN("Kernel", NULL, TEXT),
		                                    HTML_COLUMN("Source", NULL, CODE) };
	struct html_table t = { .out = out,
		                .id = "line-table",
		                .caption = "Source lines of each kernel, most misses first",
		                .filter = "Filter by place, kernel or text" };

	fputs("<h3>All lines</h3>\n", out);
	begin_sums(&t, own, COUNT_OF(own), d);
	for (size_t i = 0; i < shown_of(d->line_count); i++) {
		const struct report_line *l = &d->lines[i];
		char place[LABEL_BYTES], text[TEXT_BYTES + 1];
		struct cell cells[CELL_TABLE_COLUMNS] = { cell_text(place),
			                                  cell_text(kernel_name(d, l->kernel)),
			                                  cell_text(text) };

		if (l->file)
			(void)snprintf(place, sizeof(place), "%s:%" PRIu32, l->file, l->line);
		else
			(void)snprintf(place, sizeof(place), "site %" PRIu32,
			               d->sites[l->site].site);
		(void)snprintf(text, sizeof(text), "%s", l->text ? l->text : "");
		put_sums(&t, cells, COUNT_OF(own), &l->l1, d);
	}
	html_table_end(&t);
	html_left_out(out, d->line_count - shown_of(d->line_count), "lines");
}

static void write_buffers(const struct report_data *d, FILE *out)
{
	static const struct headed_column own[] = { HTML_COLUMN("Buffer", "buffer", TEXT),
		                                    HTML_COLUMN("Arguments", NULL, TEXT),
		                                    HTML_COLUMN("Bytes", NULL, NUMBER) };
	struct html_table t = { .out = out,
		                .id = "buffer-table",
		                .caption = "Buffers, most misses first",
		                .filter = "Filter by buffer or argument" };

	begin_sums(&t, own, COUNT_OF(own), d);
	for (size_t i = 0; i < shown_of(d->buffer_count); i++) {
		const struct report_buffer *b = &d->buffers[i];
		char name[LABEL_BYTES] = "in no buffer";
		struct cell cells[CELL_TABLE_COLUMNS] = { cell_text(name), cell_text(b->names),
			                                  b->buffer < 0 ? cell_none()
			                                                : cell_number(b->bytes) };

		if (b->buffer >= 0)
			snprintf(name, sizeof(name), "buffer %" PRId64, b->buffer);
		put_sums(&t, cells, COUNT_OF(own), &b->l1, d);
	}
	html_table_end(&t);
	html_left_out(out, d->buffer_count - shown_of(d->buffer_count), "buffers");
}

static void write_arguments(const struct report_data *d, FILE *out)
{
	static const struct headed_column own[] = { HTML_COLUMN("Argument", "buffer", TEXT),
		                                    HTML_COLUMN("Kernel", NULL, TEXT),
		                                    HTML_COLUMN("Type", NULL, TEXT) };
	struct html_table t = { .out = out,
		                .id = "argument-table",
		                .caption = "Arguments of each kernel",
		                .filter = "Filter by argument, kernel or type" };

	fputs("<h3>Arguments</h3>\n", out);
	begin_sums(&t, own, COUNT_OF(own), d);
	for (size_t i = 0; i < shown_of(d->argument_count); i++) {
		const struct report_argument *a = &d->arguments[i];
		struct cell cells[CELL_TABLE_COLUMNS] = {
			cell_text(a->argument < 0 ? "not known" : a->name),
			cell_text(kernel_name(d, a->kernel)), cell_text(a->type)
		};

		put_sums(&t, cells, COUNT_OF(own), &a->l1, d);
	}
	html_table_end(&t);
	html_left_out(out, d->argument_count - shown_of(d->argument_count), "arguments");
}

int html_section_buffers(const struct html_page *page, FILE *out, struct err *err)
{
	write_buffers(page->data, out);
	write_arguments(page->data, out);
	return 0;
}

/* Write a counter; `unit` and `text` are those of the lists of counters. */
static void put_counter(const struct html_table *t, const char *where, const char *name,
                        uint64_t count, const struct counter_fact *fact)
{
	char words[64];
	const struct cell cells[] = { cell_text(words), cell_text(where), cell_number(count),
		                      cell_text(fact->unit), cell_text(fact->text) };

	snprintf(words, sizeof(words), "%s", name);
	for (char *c = words; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	html_table_row(t, cells);
}

static void put_l1(const struct html_table *t, const struct report_numbers *n)
{
	static const struct counter_fact written = { .unit = "bytes",
		                                     .text = "written through, and written back" };

#define BYPASS_STAT(name)
#define L1_STAT(name) put_counter(t, "L1", #name, n->l1.name, counter_fact_find(#name));
#include "site_counters.def"
#undef L1_STAT
	put_counter(t, "L1", "bytes_to_l2", n->bytes_to_l2, &written);
	if (!n->l1.bypasses)
		return;
	put_counter(t, "L1", "bypasses", n->l1.bypasses, counter_fact_find("bypasses"));
	put_counter(t, "L1", "bytes_bypassed", n->l1.bytes_bypassed,
	            counter_fact_find("bytes_bypassed"));
}

static void put_below(const struct html_table *t, const struct report_numbers *n)
{
#define L2_COUNTER(name, unit_, text_)                                                             \
	put_counter(t, "L2", #name, n->l2.name,                                                    \
	            &(struct counter_fact){ .unit = (unit_), .text = (text_) });
#define DRAM_COUNTER(name, unit_, text_)                                                           \
	put_counter(t, "DRAM", #name, n->dram.name,                                                \
	            &(struct counter_fact){ .unit = (unit_), .text = (text_) });
#include "counters.def"
#undef DRAM_COUNTER
#undef L2_COUNTER
}

/* Local and constant memory, which not all recordings have. */
static void put_side(const struct html_table *t, const struct report_numbers *n)
{
#define SIDE_COUNTER(name, space, key, unit_, text_)                                               \
	put_counter(t, !strcmp(#space, "LOCAL") ? "local memory" : "constant memory", key,         \
	            n->side.name, &(struct counter_fact){ .unit = (unit_), .text = (text_) });
#include "side_counters.def"
#undef SIDE_COUNTER
}

int html_section_counters(const struct html_page *page, FILE *out, struct err *err)
{
	static const struct headed_column columns[] = { HTML_COLUMN("Counter", NULL, TEXT),
		                                        HTML_COLUMN("Of", NULL, TEXT),
		                                        HTML_COLUMN("Count", NULL, NUMBER),
		                                        HTML_COLUMN("Unit", NULL, TEXT),
		                                        HTML_COLUMN("What it counts", NULL, TEXT) };
	const struct report_numbers *n = &page->data->total;
	struct html_table t = { .out = out,
		                .id = "counter-table",
		                .caption = "All launches that were replayed, together",
		                .filter = "Filter by name, place or meaning" };

	html_table_show(&t, columns, COUNT_OF(columns));
	html_table_begin(&t);
	put_l1(&t, n);
	if (page->gpu->l2 == GPU_L2_ON)
		put_below(&t, n);
	if (n->side.local_instructions || n->side.constant_instructions)
		put_side(&t, n);
	html_table_end(&t);
	return 0;
}
