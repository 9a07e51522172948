/* SPDX-License-Identifier: Apache-2.0 */
#include "report_rows.h"

#include "array.h"
#include "err.h"
#include "recording.h"
#include "stats_row.h"
#include "str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 160 };

static bool is_of_line(const struct place *place, const char *file, uint32_t line)
{
	return file && place->file && line == place->line && !strcmp(place->file, file);
}

bool report_site_is_on_line(const struct report_site *site, const struct report_line *line)
{
	return site->kernel == line->kernel &&
	       is_of_line(&site->facts->place, line->file, line->line);
}

/* Whether a site accessed anything. */
static bool is_reached(const struct report_site *s)
{
	return stats_row_requests(&s->l1) || s->l1.lines || s->side.local_instructions ||
	       s->side.constant_instructions;
}

static void add_site(struct report_line *line, const struct report_site *s)
{
	l1_stats_add(&line->l1, &s->l1);
	access_pattern_add(&line->pattern, &s->pattern);
	side_counts_add(&line->side, &s->side);
	if (line->argument != s->facts->argument)
		line->argument = -1;
}

/* The line's text without the blanks around it. */
static int copy_text(const struct report_data *d, struct report_line *line, struct err *err)
{
	size_t length = 0;
	const char *text =
		report_data_source_line(d, line->kernel, line->file, line->line, &length);

	if (!text)
		return 0;
	for (; length && isspace((unsigned char)*text); length--)
		text++;
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	line->text = str_format(err, "%.*s", (int)length, text);
	return line->text ? 0 : ERR_NOMEM;
}

static struct report_line *find_line(struct report_data *d, size_t first, const struct site *site)
{
	for (size_t i = first; i < d->line_count; i++)
		if (is_of_line(&site->place, d->lines[i].file, d->lines[i].line))
			return &d->lines[i];
	return NULL;
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

static int add_lines(struct report_data *d, struct report_kernel *k, struct err *err)
{
	int ret = 0;

	k->first_line = d->line_count;
	for (size_t i = k->first_site; i < k->first_site + k->site_count && !ret; i++) {
		const struct report_site *s = &d->sites[i];
		struct report_line *line = find_line(d, k->first_line, s->facts);

		if (!is_reached(s))
			continue;
		if (!line) {
			line = &d->lines[d->line_count++];
			*line = (struct report_line){ .kernel = k->kernel,
				                      .site = i,
				                      .argument = s->facts->argument,
				                      .line = s->facts->place.line };
			line->file = line->line ? s->facts->place.file : NULL;
			ret = copy_text(d, line, err);
		}
		add_site(line, s);
	}
	k->line_count = d->line_count - k->first_line;
	qsort(&d->lines[k->first_line], k->line_count, sizeof(*d->lines), compare_lines);
	return ret;
}

int report_rows_lines(struct report_data *d, struct err *err)
{
	int ret = 0;

	d->lines = array_alloc(d->site_count, sizeof(*d->lines), "source lines", err);
	if (!d->lines)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->kernel_count && !ret; i++)
		ret = add_lines(d, &d->kernels[i], err);
	return ret;
}

static int compare_arguments(const void *a, const void *b)
{
	const struct report_argument *x = a, *y = b;
	int order = compare_rows(&x->l1, &y->l1);

	return order ? order : x->argument < y->argument ? -1 : x->argument > y->argument;
}

/* The row of an argument of a kernel whose rows begin with `first`; a new one where there is none.
 */
static struct report_argument *argument_row(struct report_data *d, const struct report_kernel *k,
                                            int64_t argument)
{
	const struct kernel_table *t = &d->recording->kernels[k->kernel].table;
	struct report_argument *row = &d->arguments[k->first_argument];

	for (; row < &d->arguments[d->argument_count]; row++)
		if (row->argument == argument)
			return row;
	d->argument_count++;
	*row = (struct report_argument){
		.kernel = k->kernel, .argument = argument, .name = "", .type = ""
	};
	if (argument >= 0 && (size_t)argument < t->argument_count) {
		row->name = t->arguments[argument].name ? t->arguments[argument].name : "";
		row->type = t->arguments[argument].type ? t->arguments[argument].type : "";
	}
	return row;
}

int report_rows_arguments(struct report_data *d, struct err *err)
{
	d->arguments = array_alloc(d->site_count, sizeof(*d->arguments), "arguments", err);
	if (!d->arguments)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->kernel_count; i++) {
		struct report_kernel *k = &d->kernels[i];

		k->first_argument = d->argument_count;
		for (size_t s = k->first_site; s < k->first_site + k->site_count; s++) {
			const struct report_site *site = &d->sites[s];

			if (stats_row_requests(&site->l1) || site->l1.lines)
				l1_stats_add(&argument_row(d, k, site->facts->argument)->l1,
				             &site->l1);
		}
		k->argument_count = d->argument_count - k->first_argument;
		qsort(&d->arguments[k->first_argument], k->argument_count, sizeof(*d->arguments),
		      compare_arguments);
	}
	return 0;
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
