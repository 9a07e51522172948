/* SPDX-License-Identifier: Apache-2.0 */
#include "report_rows.h"

#include "array.h"
#include "err.h"
#include "recording.h"
#include "stats_row.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 160, LINE_TEXT_BYTES = 4096 };

/* Whether a site accessed anything. */
static bool is_reached(const struct report_site *s)
{
	return stats_row_requests(&s->l1) || s->l1.lines || s->side.local_instructions ||
	       s->side.constant_instructions;
}

static bool has_line(const struct report_site *s)
{
	return s->facts->place.file && s->facts->place.line;
}

static int compare_numbers(int64_t x, int64_t y)
{
	return x < y ? -1 : x > y;
}

/* Sites of one source line side by side, in the order of the table. */
static int compare_places(const void *a, const void *b)
{
	const struct report_site *x = *(const struct report_site *const *)a;
	const struct report_site *y = *(const struct report_site *const *)b;
	int order = has_line(y) - has_line(x);

	if (!order && has_line(x))
		order = strcmp(x->facts->place.file, y->facts->place.file);
	if (!order && has_line(x))
		order = compare_numbers(x->facts->place.line, y->facts->place.line);
	return order ? order : compare_numbers(x->site, y->site);
}

static int compare_sites_arguments(const void *a, const void *b)
{
	const struct report_site *x = *(const struct report_site *const *)a;
	const struct report_site *y = *(const struct report_site *const *)b;
	int order = compare_numbers(x->facts->argument, y->facts->argument);

	return order ? order : compare_numbers(x->site, y->site);
}

/* Those sites of a kernel that accessed anything, *count of them, in that order; free(). */
static const struct report_site **sort_sites(const struct report_data *d,
                                             const struct report_kernel *k, size_t *count,
                                             int (*compare)(const void *, const void *),
                                             struct err *err)
{
	const struct report_site **sites =
		array_alloc(k->site_count, sizeof(const struct report_site *), "sites", err);

	*count = 0;
	for (size_t i = 0; sites && i < k->site_count; i++)
		if (is_reached(&d->sites[k->first_site + i]))
			sites[(*count)++] = &d->sites[k->first_site + i];
	if (*count)
		qsort(sites, *count, sizeof(*sites), compare);
	return sites;
}

static int compare_rows(const struct l1_stats_row *x, const struct l1_stats_row *y)
{
	uint64_t of_x = stats_row_requests(x), of_y = stats_row_requests(y);

	if (x->read_misses != y->read_misses)
		return x->read_misses > y->read_misses ? -1 : 1;
	return of_x > of_y ? -1 : of_x < of_y;
}

static int compare_lines(const void *a, const void *b)
{
	const struct report_line *x = a, *y = b;
	int order = compare_rows(&x->l1, &y->l1);

	return order ? order : x->site < y->site ? -1 : x->site > y->site;
}

static void add_site(struct report_line *line, const struct report_site *s)
{
	l1_stats_add(&line->l1, &s->l1);
	access_pattern_add(&line->pattern, &s->pattern);
	side_counts_add(&line->side, &s->side);
	if (line->argument != s->facts->argument)
		line->argument = -1;
}

static bool is_on_line(const struct report_site *s, const struct report_line *line)
{
	return has_line(s) && line->file && s->facts->place.line == line->line &&
	       !strcmp(s->facts->place.file, line->file);
}

static int add_lines(struct report_data *d, struct report_kernel *k, struct err *err)
{
	size_t count;
	const struct report_site **sites = sort_sites(d, k, &count, compare_places, err);

	if (!sites)
		return ERR_NOMEM;
	k->first_line = d->line_count;
	for (size_t i = 0; i < count; i++) {
		const struct report_site *s = sites[i];

		if (!i || !is_on_line(s, &d->lines[d->line_count - 1]))
			d->lines[d->line_count++] = (struct report_line){
				.kernel = k->kernel,
				.site = (size_t)(s - d->sites),
				.argument = s->facts->argument,
				.line = s->facts->place.line,
				.file = s->facts->place.line ? s->facts->place.file : NULL,
			};
		add_site(&d->lines[d->line_count - 1], s);
	}
	free(sites);
	k->line_count = d->line_count - k->first_line;
	qsort(&d->lines[k->first_line], k->line_count, sizeof(*d->lines), compare_lines);
	return 0;
}

const struct source_text *report_data_source(const struct report_data *d, uint32_t kernel)
{
	uint32_t program = d->recording->kernels[kernel].program;

	return program < d->source_count && d->sources[program].file ? &d->sources[program] : NULL;
}

int report_rows_sources(struct report_data *d, struct err *err)
{
	const struct recording *r = d->recording;
	bool *is_loaded = array_alloc(r->program_count, sizeof(*is_loaded), "sources", err);
	size_t bytes = 0;

	d->sources = array_alloc(r->program_count, sizeof(*d->sources), "sources", err);
	for (size_t i = 0; is_loaded && d->sources && i < d->kernel_count; i++) {
		uint32_t program = r->kernels[d->kernels[i].kernel].program;

		if (program >= r->program_count || is_loaded[program])
			continue;
		is_loaded[program] = true;
		source_text_load(&d->sources[program], r, program);
		if (d->sources[program].text.length > REPORT_SOURCE_BYTES - bytes) {
			source_text_release(&d->sources[program]);
			d->sources_left++;
		}
		bytes += d->sources[program].text.length;
	}
	free(is_loaded);
	d->source_count = d->sources ? r->program_count : 0;
	return is_loaded && d->sources ? 0 : ERR_NOMEM;
}

int report_rows_lines(struct report_data *d, struct err *err)
{
	int ret = 0;

	d->lines = array_alloc(d->site_count, sizeof(*d->lines), "source lines", err);
	if (!d->lines)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->kernel_count && !ret; i++)
		ret = add_lines(d, &d->kernels[i], err);
	for (size_t i = 0; i < d->line_count && !ret; i++) {
		struct report_line *line = &d->lines[i];
		const struct source_text *source = report_data_source(d, line->kernel);

		if (source)
			line->text = source_text_copy(source, &d->sites[line->site].facts->place,
			                              LINE_TEXT_BYTES);
	}
	return ret;
}

static int compare_arguments(const void *a, const void *b)
{
	const struct report_argument *x = a, *y = b;
	int order = compare_rows(&x->l1, &y->l1);

	return order ? order : x->argument < y->argument ? -1 : x->argument > y->argument;
}

static struct report_argument argument_row(const struct report_data *d,
                                           const struct report_kernel *k, int64_t argument)
{
	const struct kernel_table *t = &d->recording->kernels[k->kernel].table;
	struct report_argument row = {
		.kernel = k->kernel, .argument = argument, .name = "", .type = ""
	};

	if (argument >= 0 && (size_t)argument < t->argument_count) {
		row.name = t->arguments[argument].name ? t->arguments[argument].name : "";
		row.type = t->arguments[argument].type ? t->arguments[argument].type : "";
	}
	return row;
}

static int add_arguments(struct report_data *d, struct report_kernel *k, struct err *err)
{
	size_t count;
	const struct report_site **sites = sort_sites(d, k, &count, compare_sites_arguments, err);
	struct report_argument *row = NULL;

	if (!sites)
		return ERR_NOMEM;
	k->first_argument = d->argument_count;
	for (size_t i = 0; i < count; i++) {
		int64_t argument = sites[i]->facts->argument;

		if (!stats_row_requests(&sites[i]->l1) && !sites[i]->l1.lines)
			continue;
		if (!row || row->argument != argument) {
			row = &d->arguments[d->argument_count++];
			*row = argument_row(d, k, argument);
		}
		l1_stats_add(&row->l1, &sites[i]->l1);
	}
	free(sites);
	k->argument_count = d->argument_count - k->first_argument;
	qsort(&d->arguments[k->first_argument], k->argument_count, sizeof(*d->arguments),
	      compare_arguments);
	return 0;
}

int report_rows_arguments(struct report_data *d, struct err *err)
{
	int ret = 0;

	d->arguments = array_alloc(d->site_count, sizeof(*d->arguments), "arguments", err);
	if (!d->arguments)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->kernel_count && !ret; i++)
		ret = add_arguments(d, &d->kernels[i], err);
	return ret;
}

static int compare_buffers(const void *a, const void *b)
{
	const struct report_buffer *x = a, *y = b;
	int order = compare_rows(&x->l1, &y->l1);

	return order ? order : x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

/* Add a name to a list with commas, if it is not there. */
static int add_name(char **names, const char *name, struct err *err)
{
	size_t length = strlen(name);
	char *longer;

	for (const char *at = *names; (at = strstr(at, name)); at++)
		if ((at == *names || at[-1] == ' ') && (!at[length] || at[length] == ','))
			return 0;
	if (!*name || strlen(*names) + length > NAMES_MAX)
		return 0;
	longer = str_format(err, "%s%s%s", *names, **names ? ", " : "", name);
	if (!longer)
		return ERR_NOMEM;
	free(*names);
	*names = longer;
	return 0;
}

/* The names of the arguments that were the buffers, over the launches that were played. */
static int name_buffers(struct report_data *d, struct report_buffer **rows, struct err *err)
{
	const struct recording *r = d->recording;

	for (size_t i = 0; i < d->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[d->launches[i].launch];
		const struct kernel_table *t = &r->kernels[l->kernel].table;

		for (size_t a = 0; d->launches[i].is_played && a < l->argument_count; a++) {
			const struct recorded_argument *arg = &l->arguments[a];
			const char *name = arg->index < t->argument_count
			                           ? t->arguments[arg->index].name
			                           : NULL;

			if (arg->buffer < 0 || !rows[arg->buffer] || !name)
				continue;
			if (add_name(&rows[arg->buffer]->names, name, err))
				return ERR_NOMEM;
		}
	}
	return 0;
}

int report_rows_buffers(struct report_data *d, const struct l1_stats_row *buffers, struct err *err)
{
	const struct recording *r = d->recording;
	struct report_buffer **rows = array_alloc(r->buffer_count, sizeof(*rows), "buffers", err);
	int ret = rows ? 0 : ERR_NOMEM;

	d->buffers = array_alloc(r->buffer_count + 1, sizeof(*d->buffers), "buffers", err);
	for (size_t i = 0; !ret && d->buffers && i <= r->buffer_count; i++) {
		struct report_buffer *b = &d->buffers[d->buffer_count];

		if (!stats_row_requests(&buffers[i]) && !buffers[i].lines)
			continue;
		*b = (struct report_buffer){ .buffer = (int64_t)i - 1, .l1 = buffers[i] };
		b->names = str_copy("", err);
		if (i)
			b->bytes = r->buffers[i - 1].bytes;
		if (i)
			rows[i - 1] = b;
		d->buffer_count++;
		ret = b->names ? 0 : ERR_NOMEM;
	}
	if (!ret && d->buffers)
		ret = name_buffers(d, rows, err);
	free(rows);
	if (ret || !d->buffers)
		return ERR_NOMEM;
	qsort(d->buffers, d->buffer_count, sizeof(*d->buffers), compare_buffers);
	return 0;
}
