/* SPDX-License-Identifier: Apache-2.0 */
#include "report_rows.h"

#include "array.h"
#include "err.h"
#include "l1_stats.h"
#include "recording.h"
#include "str.h"
#include "sum_rows.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 160, LINE_TEXT_BYTES = 4096 };

/* Whether a site accessed anything. */
static bool is_reached(const struct report_site *s)
{
	return l1_stats_requests(&s->sums.l1) || s->sums.l1.lines ||
	       s->sums.side.local_instructions || s->sums.side.constant_instructions;
}

static struct report_argument argument_of(const struct report_kernel *k,
                                          const struct kernel_table *t, const struct sum_row *row)
{
	struct report_argument argument = {
		.kernel = k->kernel, .argument = row->key, .name = "", .type = "", .l1 = row->l1
	};

	if (row->key >= 0 && (size_t)row->key < t->argument_count) {
		const struct kernel_argument *a = &t->arguments[row->key];

		argument.name = a->name ? a->name : "";
		argument.type = a->type ? a->type : "";
	}
	return argument;
}

static void add_site(struct report_line *line, const struct report_site *s)
{
	access_pattern_add(&line->pattern, &s->sums.pattern);
	side_counts_add(&line->side, &s->sums.side);
	if (line->argument != s->facts->argument)
		line->argument = -1;
}

static struct report_line line_of(const struct report_data *d, const struct report_kernel *k,
                                  const struct sum_row *row)
{
	const struct site *table = d->recording->kernels[k->kernel].table.sites;
	const struct report_site *sites = &d->sites[k->first_site];
	const struct place *place = &row->sites[0]->place;
	struct report_line line = { .kernel = k->kernel,
		                    .site = k->first_site + (size_t)row->key,
		                    .argument = row->sites[0]->argument,
		                    .line = place->line,
		                    .file = place->line ? place->file : NULL,
		                    .l1 = row->l1 };

	for (size_t i = 0; i < row->site_count; i++)
		add_site(&line, &sites[row->sites[i] - table]);
	return line;
}

/* The lines and the arguments of a kernel, whose sites have these sums. */
static int add_sums(struct report_data *d, struct report_kernel *k,
                    const struct l1_stats_list *list, const bool *is_reached, struct err *err)
{
	const struct kernel_table *t = &d->recording->kernels[k->kernel].table;
	struct sum_rows lines = { 0 }, arguments = { 0 };
	int ret = sum_rows_make(&lines, SUM_LINES, list, t, is_reached, err);

	if (!ret)
		ret = sum_rows_make(&arguments, SUM_ARGUMENTS, list, t, NULL, err);
	k->first_line = d->line_count;
	k->first_argument = d->argument_count;
	k->line_count = lines.count;
	k->argument_count = arguments.count;
	for (size_t i = 0; !ret && i < lines.count; i++)
		d->lines[d->line_count++] = line_of(d, k, &lines.rows[i]);
	for (size_t i = 0; !ret && i < arguments.count; i++)
		d->arguments[d->argument_count++] = argument_of(k, t, &arguments.rows[i]);
	sum_rows_release(&lines);
	sum_rows_release(&arguments);
	return ret;
}

static int add_kernel(struct report_data *d, struct report_kernel *k, struct err *err)
{
	const struct report_site *sites = &d->sites[k->first_site];
	struct l1_stats_list list = { .count = k->site_count, .unit = 1 };
	bool *reached = array_alloc(k->site_count, sizeof(bool), "sites", err);
	int ret = ERR_NOMEM;

	list.rows = array_alloc(k->site_count, sizeof(*list.rows), "sites", err);
	for (size_t i = 0; list.rows && reached && i < k->site_count; i++) {
		list.rows[i] = sites[i].sums.l1;
		reached[i] = is_reached(&sites[i]);
	}
	if (list.rows && reached)
		ret = add_sums(d, k, &list, reached, err);
	free(list.rows);
	free(reached);
	return ret;
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

int report_rows_sites(struct report_data *d, struct err *err)
{
	int ret = 0;

	d->lines = array_alloc(d->site_count, sizeof(*d->lines), "source lines", err);
	d->arguments = array_alloc(d->site_count, sizeof(*d->arguments), "arguments", err);
	if (!d->lines || !d->arguments)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->kernel_count && !ret; i++)
		ret = add_kernel(d, &d->kernels[i], err);
	for (size_t i = 0; i < d->line_count && !ret; i++) {
		struct report_line *line = &d->lines[i];
		const struct source_text *source = report_data_source(d, line->kernel);

		if (source)
			line->text = source_text_copy(source, &d->sites[line->site].facts->place,
			                              LINE_TEXT_BYTES);
	}
	return ret;
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

int report_rows_buffers(struct report_data *d, const struct l1_stats_list *buffers, struct err *err)
{
	const struct recording *r = d->recording;
	struct report_buffer **rows = array_alloc(r->buffer_count, sizeof(*rows), "buffers", err);
	struct sum_rows sums;
	int ret = sum_rows_make(&sums, SUM_BUFFERS, buffers, NULL, NULL, err);

	d->buffers = array_alloc(r->buffer_count + 1, sizeof(*d->buffers), "buffers", err);
	if (!rows || !d->buffers)
		ret = ERR_NOMEM;
	for (size_t i = 0; !ret && i < sums.count; i++) {
		const struct sum_row *sum = &sums.rows[i];
		struct report_buffer *b = &d->buffers[d->buffer_count++];

		*b = (struct report_buffer){ .buffer = sum->key, .l1 = sum->l1 };
		b->names = str_copy("", err);
		if (sum->key >= 0) {
			b->bytes = r->buffers[sum->key].bytes;
			rows[sum->key] = b;
		}
		ret = b->names ? 0 : ERR_NOMEM;
	}
	if (!ret)
		ret = name_buffers(d, rows, err);
	sum_rows_release(&sums);
	free(rows);
	return ret;
}
