/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "gpu.h"
#include "html_sections.h"
#include "html_table.h"
#include "html_text.h"
#include "line_walk.h"
#include "recording.h"
#include "report_data.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <string.h>

enum { DESCRIPTION_BYTES = 1 << 16, REASONS_MAX = 20 };

/* A line "key = value" of a description. */
static void write_key(FILE *out, const char *line, size_t length, const char *meaning)
{
	const char *equals = memchr(line, '=', length);
	size_t key = equals ? (size_t)(equals - line) : length;

	while (key && line[key - 1] == ' ')
		key--;
	fputs("<tr><th scope=row class=\"t code\">", out);
	html_text(out, line, key);
	fputs("<td>", out);
	if (equals) {
		equals++;
		equals += *equals == ' ';
		html_text(out, equals, length - (size_t)(equals - line));
	}
	html_cell_text(out, meaning);
	fputc('\n', out);
}

static void write_keys(FILE *out, const char *text)
{
	struct line_walk walk = line_walk_string(text);
	struct line line;
	size_t number = 0;

	while (line_walk_next(&walk, &line))
		if (strncmp(line.text, "title", strlen("title")) != 0)
			write_key(out, line.text, line.length, gpu_key_text(number++));
}

int html_section_machine(const struct html_page *page, FILE *out, struct err *err)
{
	static const struct html_column columns[] = { { "Key", HTML_TERM_NONE, true },
		                                      { "Value", HTML_TERM_NONE, false },
		                                      { "What it is", HTML_TERM_NONE, true } };
	const struct html_table table = { .id = "gpu-table",
		                          .caption = "The description that was replayed",
		                          .filter = "Filter by key",
		                          .columns = columns,
		                          .column_count = sizeof(columns) / sizeof(columns[0]) };
	const struct gpu *gpu = page->gpu;
	char sets[SHAPE_TEXT_BYTES], ways[SHAPE_TEXT_BYTES];
	struct str text;
	int ret;

	str_init(&text, DESCRIPTION_BYTES);
	ret = gpu_print(gpu, &text, err);
	if (!ret) {
		fputs("<p>", out);
		html_string(out, gpu->title);
		fputs(": ", out);
		html_count(out, gpu->sm_count);
		fputs(gpu->sm_count == 1 ? " SM with an L1 of " : " SMs, each with an L1 of ", out);
		html_count(out, (uint64_t)gpu->l1_sets * gpu->l1_ways * gpu->l1_line_bytes);
		fprintf(out,
		        " bytes (%s of %s, lines of %" PRIu32
		        " bytes). All figures of this page are of this model: it was not "
		        "measured on a device.</p>\n",
		        amount_text(sets, gpu->l1_sets, "set"),
		        amount_text(ways, gpu->l1_ways, "way"), gpu->l1_line_bytes);
		html_table_begin(out, &table);
		write_keys(out, text.text ? text.text : "");
		html_table_end(out);
	}
	str_release(&text);
	return ret;
}

static void write_not_played(const struct report_data *d, FILE *out)
{
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < d->launch_count; i++)
		left += !d->launches[i].is_played;
	if (!left)
		return;
	fputs("<p>Launches that were not replayed:</p>\n<ul>\n", out);
	for (size_t i = 0; i < d->launch_count && shown < REASONS_MAX; i++) {
		if (d->launches[i].is_played)
			continue;
		fprintf(out, "<li>launch %" PRIu64 ": ", d->launches[i].number);
		html_string(out, d->launches[i].reason);
		fputc('\n', out);
		shown++;
	}
	if (left > shown) {
		fputs("<li>and ", out);
		html_count(out, left - shown);
		fputs(" more\n", out);
	}
	fputs("</ul>\n", out);
}

static void write_notes(const struct recording *r, FILE *out)
{
	size_t shown = r->note_count < REASONS_MAX ? r->note_count : REASONS_MAX;

	if (!r->note_count)
		return;
	fputs("<p>What the recorder saw and did not handle:</p>\n<ul>\n", out);
	for (size_t i = 0; i < shown; i++) {
		fputs("<li>", out);
		html_string(out, r->notes[i].what);
		fputs(", ", out);
		html_count(out, r->notes[i].count);
		fputs(" times: ", out);
		html_string(out, r->notes[i].reason);
		fputc('\n', out);
	}
	fputs("</ul>\n", out);
	html_left_out(out, r->note_count - shown, "notes");
}

int html_section_complete(const struct html_page *page, FILE *out, struct err *err)
{
	const struct report_data *d = page->data;
	const struct completeness *c = &d->completeness;

	if (c->is_complete && d->is_whole)
		fputs("<p class=\"note good\"><b>Complete:</b> nothing that was to be recorded is "
		      "missing.</p>\n",
		      out);
	else
		fputs("<p class=\"note bad\"><b>Incomplete:</b> the figures are of what the "
		      "recording "
		      "has.</p>\n",
		      out);
	if (c->missing) {
		fputs("<p><b>Missing:</b> ", out);
		html_string(out, c->missing);
		fputs(".</p>\n", out);
	}
	if (!d->is_whole)
		fputs("<p>Files of launches lack accesses.</p>\n", out);
	if (c->limited_launches) {
		fputs("<p>", out);
		html_count(out, c->limited_launches);
		fputs(" launches came after a limit that was set for the recording", out);
		if (c->limit) {
			fputs(": ", out);
			html_string(out, c->limit);
		}
		fputs(". They are not missing.</p>\n", out);
	}
	write_not_played(d, out);
	write_notes(d->recording, out);
	return 0;
}

int html_section_words(const struct html_page *page, FILE *out, struct err *err)
{
	html_terms_write(out);
	return 0;
}
