/* SPDX-License-Identifier: Apache-2.0 */
#include "html_page.h"

#include "gpu.h"
#include "gpu_choice.h"
#include "html_assets.h"
#include "html_glossary.h"
#include "html_order.h"
#include "html_text.h"
#include "out_file.h"
#include "player.h"
#include "recording.h"
#include "report_data.h"

#include <string.h>

static int write_words(const struct html_page *page, FILE *out, struct err *err)
{
	html_glossary_write(out);
	return 0;
}

/* In the order of the page; the names are the ids that its contents link to. */
static const struct {
	const char *name, *heading;
	html_section_fn *write;
} sections[] = {
	{ "overview", "Overview", html_section_overview },
	{ "kernels", "Kernels", html_section_kernels },
	{ "launches", "Launches", html_section_launches },
	{ "source", "Source", html_section_source },
	{ "order", "Order of accesses", html_section_order },
	{ "curve", "Miss-ratio curve", html_section_curve },
	{ "reuse", "Reuse of lines", html_section_reuse },
	{ "sets", "Sets of L1", html_section_sets },
	{ "buffers", "Buffers and arguments", html_section_buffers },
	{ "machine", "GPU", html_section_machine },
	{ "complete", "Completeness", html_section_complete },
	{ "counters", "All counters", html_section_counters },
	{ "words", "What the words mean", write_words },
};

enum { SECTION_COUNT = sizeof(sections) / sizeof(sections[0]) };

/* Write the name of the recorded program, without its folder. */
static void write_name(const struct html_page *page, FILE *out)
{
	const struct recording *r = page->data->recording;
	const char *name = r->command_count ? r->command[0] : "", *slash = strrchr(name, '/');

	html_string(out, slash ? slash + 1 : name);
	if (!*name)
		fputs("A recording", out);
}

static void write_asset(FILE *out, const struct html_asset *asset)
{
	fwrite(asset->bytes, 1, asset->length, out);
}

/* Allow nothing to be loaded, sent, framed or run but the styles and scripts of this program. */
static void write_policy(FILE *out)
{
	fprintf(out,
	        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
	        "style-src 'sha256-%s'; script-src 'sha256-%s'",
	        html_page_css.digest, html_page_js.digest);
	if (html_chart_js.bytes)
		fprintf(out, " 'sha256-%s'", html_chart_js.digest);
	fputs("; base-uri 'none'; form-action 'none'\">\n", out);
}

static void write_head(const struct html_page *page, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n", out);
	write_policy(out);
	fputs("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=referrer content=no-referrer>\n<title>",
	      out);
	write_name(page, out);
	fputs(" \xc2\xb7 Warpline report</title>\n<style>", out);
	write_asset(out, &html_page_css);
	fputs("</style>\n</head>\n<body>\n<a class=skip href=#overview>Skip to the report</a>\n"
	      "<div class=page>\n<header>\n<p class=kicker>Warpline report</p>\n<h1>",
	      out);
	write_name(page, out);
	fputs(" on ", out);
	html_string(out, page->gpu->title);
	html_string(out, gpu_choice_origin(page->gpu));
	fputs("</h1>\n</header>\n<nav aria-label=Contents><ul>\n", out);
	for (size_t i = 0; i < SECTION_COUNT; i++)
		fprintf(out, "<li><a href=#%s>%s</a>\n", sections[i].name, sections[i].heading);
	fputs("</ul></nav>\n<main>\n", out);
}

/* Write the licence of the library that the page contains. */
static void write_licence(FILE *out)
{
	fputs("<details><summary>Charts by Chart.js, MIT licence</summary>\n<pre>"
	      "Chart.js, (c) Chart.js Contributors, https://www.chartjs.org\n"
	      "@kurkle/color, (c) Jukka Kurkela, https://github.com/kurkle/color\n\n"
	      "Permission is hereby granted, free of charge, to any person obtaining a copy of "
	      "this software and associated documentation files (the \"Software\"), to deal in the "
	      "Software without restriction, including without limitation the rights to use, copy, "
	      "modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, "
	      "and to permit persons to whom the Software is furnished to do so, subject to the "
	      "following conditions:\n\nThe above copyright notice and this permission notice "
	      "shall "
	      "be included in all copies or substantial portions of the Software.\n\nTHE SOFTWARE "
	      "IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING "
	      "BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR "
	      "PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE "
	      "LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, "
	      "TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE "
	      "USE OR OTHER DEALINGS IN THE SOFTWARE.</pre></details>\n",
	      out);
}

static int write_scripts(const struct html_page *page, FILE *out, struct err *err)
{
	int ret;

	fputs("<script type=application/json id=data>", out);
	ret = html_launches_json(page, out, err);
	fputs("</script>\n", out);
	if (html_chart_js.bytes) {
		fputs("<script>", out);
		write_asset(out, &html_chart_js);
		fputs("</script>\n", out);
	}
	fputs("<script>", out);
	write_asset(out, &html_page_js);
	fputs("</script>\n</body>\n</html>\n", out);
	return ret;
}

static int write_section(const struct html_page *page, size_t i, FILE *out, struct err *err)
{
	int ret;

	fprintf(out, "<section id=%s aria-labelledby=h-%s%s>\n<h2 id=h-%s>%s</h2>\n",
	        sections[i].name, sections[i].name, i ? "" : " tabindex=-1", sections[i].name,
	        sections[i].heading);
	ret = sections[i].write(page, out, err);
	fputs("</section>\n", out);
	return ret;
}

int html_page_write(const struct html_page *page, FILE *out, struct err *err)
{
	int ret = 0;

	write_head(page, out);
	for (size_t i = 0; !ret && i < SECTION_COUNT; i++)
		ret = write_section(page, i, out, err);
	if (ret)
		return ret;
	fputs("</main>\n<footer>\n<p>Made by Warpline " WARPLINE_VERSION
	      " from a recording alone, without counters of a device.</p>\n",
	      out);
	if (html_chart_js.bytes)
		write_licence(out);
	fputs("</footer>\n</div>\n", out);
	return write_scripts(page, out, err);
}

int html_page_save(const struct report_data *d, const char *file, bool is_quiet, struct err *err)
{
	struct html_order order;
	const struct html_page page = { .data = d, .gpu = &d->setup->gpu, .order = &order };
	struct out_file out = { 0 };
	int ret = html_order_make(&order, d, is_quiet, err);

	if (!ret)
		ret = out_file_open(&out, file, err);
	if (!ret)
		ret = html_page_write(&page, out.stream, err);
	if (!ret)
		ret = out_file_end(&out, err);
	out_file_release(&out);
	html_order_release(&order);
	return ret;
}
