/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "gpu.h"
#include "html_page.h"
#include "html_table.h"
#include "html_text.h"
#include "line_walk.h"
#include "recording.h"
#include "report_data.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTION_BYTES = 1 << 16, REASONS_MAX = 20 };

/* Write a line "key = value" of a description. */
static int write_key(const struct html_table *t, struct line line, const char *meaning,
                     struct err *err)
{
	char *text = str_format(err, "%.*s", (int)line.length, line.text), *value, *key_end;

	if (!text)
		return ERR_NOMEM;
	key_end = value = text + strcspn(text, "=");
	if (*value)
		value += value[1] == ' ' ? 2 : 1;
	while (key_end > text && key_end[-1] == ' ')
		key_end--;
	*key_end = '\0';
	html_table_row(
		t, (const struct cell[]){ cell_text(text), cell_text(value), cell_text(meaning) });
	free(text);
	return 0;
}

static int write_keys(const struct html_table *t, const char *text, struct err *err)
{
	struct line_walk walk = line_walk_string(text);
	struct line line;
	size_t number = 0;
	int ret = 0;

	while (!ret && line_walk_next(&walk, &line))
		if (strncmp(line.text, "title", strlen("title")) != 0)
			ret = write_key(t, line, gpu_key_text(number++), err);
	return ret;
}

int html_section_machine(const struct html_page *page, FILE *out, struct err *err)
{
	static const struct headed_column columns[] = { HTML_COLUMN("Key", NULL, CODE),
		                                        HTML_COLUMN("Value", NULL, FIGURE),
		                                        HTML_COLUMN("What it is", NULL, TEXT) };
	struct html_table table = { .out = out,
		                    .id = "gpu-table",
		                    .caption = "The description that was replayed",
		                    .filter = "Filter by key" };
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
		        " bytes). All figures on this page are from this model; nothing was "
		        "measured on a device.</p>\n",
		        amount_text(sets, gpu->l1_sets, "set"),
		        amount_text(ways, gpu->l1_ways, "way"), gpu->l1_line_bytes);
		html_table_show(&table, columns, 3);
		html_table_begin(&table);
		ret = write_keys(&table, text.text ? text.text : "", err);
		html_table_end(&table);
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
		      "recording has.</p>\n",
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
