/* SPDX-License-Identifier: Apache-2.0 */
#include "report_data.h"

#include "array.h"
#include "err.h"
#include "l1_stats.h"
#include "launch_reuse.h"
#include "recording.h"
#include "report_play.h"
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

/* Add the lines and arguments of a kernel, whose sites have these sums. */
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

/* Load the sources of the programs of d->kernels. One that cannot be read stays empty. */
static int load_sources(struct report_data *d, struct err *err)
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

/* Make the rows of lines and arguments, from the sites of every kernel. */
static int make_lines(struct report_data *d, struct err *err)
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

/* Add a name to a comma-separated list, if it is missing. */
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

/* Name the buffers by their arguments, over all replayed launches. */
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

/* Make the rows of buffers, from the sum of l1_stats' tables. */
static int make_buffers(struct report_data *d, const struct l1_stats_list *buffers, struct err *err)
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

/* The most points of a miss-ratio curve. */
enum { POINTS_MAX = 2 * 64 + 2 };

static int compare_points(const void *a, const void *b)
{
	uint64_t x = ((const struct report_curve_point *)a)->lines;
	uint64_t y = ((const struct report_curve_point *)b)->lines;

	return x < y ? -1 : x > y;
}

/* Choose the numbers of lines, ascending. Returns their number. */
static size_t choose_lines(struct report_curve_point *points, uint64_t own_lines, uint64_t enough)
{
	uint64_t most = 2 * (own_lines > enough ? own_lines : enough);
	size_t count = 0, kept = 0;

	for (uint64_t lines = 1; lines <= most && count + 4 < POINTS_MAX; lines *= 2) {
		points[count++].lines = lines;
		if (lines > 1 && lines + lines / 2 <= most)
			points[count++].lines = lines + lines / 2;
	}
	points[count++].lines = own_lines;
	points[count++].lines = enough;
	qsort(points, count, sizeof(*points), compare_points);
	for (size_t i = 0; i < count; i++)
		if (!kept || points[kept - 1].lines != points[i].lines)
			points[kept++] = points[i];
	return kept;
}

/*
 * Make points for 1, 2, 3, 4, 6, 8, 12, ... lines, for the GPU's own number, and for the least
 * number beyond which misses do not fall, up to twice the last of these. Returns 0 or ERR_NOMEM;
 * the caller frees curve->points.
 */
static int make_curve(struct report_curve *curve, const struct report_distances *distances,
                      uint32_t sets, uint64_t own_lines, struct err *err)
{
	const struct reuse_counts *whole = &distances->counts[REPORT_WHOLE];
	const struct reuse_counts *by_set = &distances->counts[REPORT_SETS];

	*curve = (struct report_curve){ .reads = reuse_counts_reads(whole),
		                        .enough_lines = reuse_counts_enough(whole),
		                        .exact_lines = whole->unknown ? whole->limit : 0 };
	curve->points = array_alloc(POINTS_MAX, sizeof(*curve->points), "points of a curve", err);
	if (!curve->points)
		return ERR_NOMEM;
	curve->count = choose_lines(curve->points, own_lines, curve->enough_lines);
	for (size_t i = 0; i < curve->count; i++) {
		struct report_curve_point *p = &curve->points[i];

		p->misses = reuse_counts_misses(whole, p->lines);
		p->error = reuse_counts_error(whole, p->lines);
		p->lines_error = reuse_counts_ways_error(whole, p->lines);
		p->set_misses = p->lines % sets || !reuse_counts_reads(by_set)
		                        ? UINT64_MAX
		                        : reuse_counts_misses(by_set, p->lines / sets);
	}
	return 0;
}

/* Add the kernels with a traced launch, in the recording's order, and their sites. */
static int add_kernels(struct report_data *d, const struct launch_choice *c, struct err *err)
{
	const struct recording *r = d->recording;
	bool *is_asked = array_alloc(r->kernel_count, sizeof(*is_asked), "kernels", err);

	d->kernels = array_alloc(r->kernel_count, sizeof(*d->kernels), "kernels", err);
	if (!is_asked || !d->kernels) {
		free(is_asked);
		return ERR_NOMEM;
	}
	for (size_t i = c->first; i < c->end; i++)
		if (r->launches[i].fate == LAUNCH_TRACED)
			is_asked[r->launches[i].kernel] = true;
	for (size_t k = 0; k < r->kernel_count; k++) {
		if (!is_asked[k])
			continue;
		d->kernels[d->kernel_count++] =
			(struct report_kernel){ .kernel = (uint32_t)k,
			                        .name = r->kernels[k].table.name,
			                        .first_site = d->site_count,
			                        .site_count = r->kernels[k].table.site_count };
		d->site_count += r->kernels[k].table.site_count;
	}
	free(is_asked);
	return 0;
}

static int add_sites(struct report_data *d, struct err *err)
{
	const struct gpu *gpu = &d->setup->gpu;
	bool has_sets = (uint64_t)gpu->l1_sets * gpu->sm_count <= REPORT_SET_ROWS_MAX;

	d->sites = array_alloc(d->site_count, sizeof(*d->sites), "sites", err);
	if (!d->sites)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->kernel_count; i++) {
		struct report_kernel *k = &d->kernels[i];
		const struct kernel_table *t = &d->recording->kernels[k->kernel].table;

		for (size_t s = 0; s < k->site_count; s++) {
			d->sites[k->first_site + s].kernel = k->kernel;
			d->sites[k->first_site + s].site = (uint32_t)s;
			d->sites[k->first_site + s].facts = &t->sites[s];
		}
		if (!has_sets)
			continue;
		k->sets = array_alloc(gpu->l1_sets, sizeof(*k->sets), "sets", err);
		if (!k->sets)
			return ERR_NOMEM;
	}
	return 0;
}

/* player_visitor.refused: a launch that is not replayed. */
static int refuse(void *context, size_t launch, const char *why, struct err *err)
{
	struct report_play *p = context;
	struct report_launch *row = report_play_row(p, launch);

	if (p->data->recording->launches[launch].fate == LAUNCH_TRACED)
		p->kernels[row->kernel]->launches_left++;
	row->reason = str_copy(why, err);
	return row->reason ? 0 : ERR_NOMEM;
}

/* Add a row for each launch, with what is known without a replay. */
static int add_launches(struct report_data *d, const struct launch_choice *c, struct err *err)
{
	d->launches = array_alloc(c->end - c->first, sizeof(*d->launches), "launches", err);
	if (!d->launches)
		return ERR_NOMEM;
	for (size_t i = c->first; i < c->end; i++) {
		struct report_launch *row = &d->launches[d->launch_count++];

		row->launch = i;
		row->number = d->recording->launches[i].number;
		row->kernel = d->recording->launches[i].kernel;
	}
	return 0;
}

static int play_all(struct report_play *p, const struct launch_choice *c, struct err *err)
{
	struct report_data *d = p->data;
	const struct player_visitor visitor = { .context = p,
		                                .begin = report_play_begin,
		                                .end = report_play_end,
		                                .release = report_play_release,
		                                .refused = refuse };
	struct player player = { .watch = p->request->watch,
		                 .launches = *c,
		                 .gpu = &d->setup->gpu,
		                 .registers = d->setup->registers,
		                 .options = d->setup->options };
	int ret;

	p->kernels = array_alloc(d->recording->kernel_count, sizeof(struct report_kernel *),
	                         "kernels", err);
	ret = p->kernels ? add_launches(d, c, err) : ERR_NOMEM;
	for (size_t i = 0; !ret && i < d->kernel_count; i++)
		p->kernels[d->kernels[i].kernel] = &d->kernels[i];
	if (!ret)
		ret = player_play(&player, &visitor, err);
	d->launches_played = player.played;
	d->launches_refused = player.outcome.refused;
	d->is_whole = !player.outcome.lacks_accesses;
	free(p->kernels);
	p->kernels = NULL;
	return ret;
}

static int make_curves(struct report_play *p, struct err *err)
{
	struct report_data *d = p->data;
	const struct gpu *gpu = &d->setup->gpu;
	uint64_t lines = (uint64_t)gpu->l1_sets * gpu->l1_ways;
	struct report_distances all = { 0 };
	int ret = 0;

	for (size_t i = 0; i < d->kernel_count && !ret; i++) {
		struct report_kernel *k = &d->kernels[i];
		const struct report_distances *own = &p->distances[k->kernel];

		ret = make_curve(&k->curve, own, gpu->l1_sets, lines, err);
		for (size_t o = 0; o < REPORT_ORGANISATIONS && !ret; o++)
			ret = reuse_counts_sum(&all.counts[o], &own->counts[o], err);
	}
	if (!ret)
		ret = make_curve(&d->curve, &all, gpu->l1_sets, lines, err);
	for (size_t o = 0; o < REPORT_ORGANISATIONS; o++)
		reuse_counts_release(&all.counts[o]);
	return ret;
}

/* Whether launches that were not replayed follow those that were. */
static bool is_before_unknown(const struct report_data *d)
{
	const struct report_launch *last = &d->launches[d->launch_count - 1];

	return !last->is_played || last->number + 1 < d->recording->launches_seen;
}

/* Take each kernel's links to earlier launches. */
static int take_links(struct report_play *p, struct err *err)
{
	struct report_data *d = p->data;
	int ret = launch_reuse_end(p->launches, is_before_unknown(d), err);

	for (size_t i = 0; i < d->kernel_count && !ret; i++) {
		struct report_kernel *k = &d->kernels[i];
		const struct launch_link *links =
			launch_reuse_links(p->launches, k->kernel, &k->link_count);

		k->links = array_alloc(k->link_count, sizeof(*links), "launches", err);
		if (!k->links)
			return ERR_NOMEM;
		for (size_t n = 0; n < k->link_count; n++)
			k->links[n] = links[n];
	}
	return ret;
}

static int compare_kernels(const void *a, const void *b)
{
	const struct report_kernel *x = a, *y = b;
	uint64_t of_x = l1_stats_requests(&x->counts.l1), of_y = l1_stats_requests(&y->counts.l1);

	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return x->kernel < y->kernel ? -1 : 1;
}

/* Compute everything that follows from the replayed launches. */
static int sum_up(struct report_play *p, struct err *err)
{
	struct report_data *d = p->data;
	const struct l1_stats_list buffers = { p->buffers, d->recording->buffer_count + 1, 1 };
	int ret;

	qsort(d->kernels, d->kernel_count, sizeof(*d->kernels), compare_kernels);
	ret = load_sources(d, err);
	if (!ret)
		ret = make_lines(d, err);
	if (!ret)
		ret = make_buffers(d, &buffers, err);
	if (!ret && p->request->has_curves)
		ret = make_curves(p, err);
	if (!ret && p->launches)
		ret = take_links(p, err);
	if (!ret && p->request->has_patterns)
		ret = finding_list_make(&d->findings, d, err);
	return ret;
}

static void release_play(struct report_play *p, size_t kernels)
{
	for (size_t k = 0; p->distances && k < kernels; k++)
		for (size_t o = 0; o < REPORT_ORGANISATIONS; o++)
			reuse_counts_release(&p->distances[k].counts[o]);
	launch_reuse_free(p->launches);
	free(p->distances);
	free(p->buffers);
}

int report_data_make(struct report_data *d, const struct replay_setup *setup,
                     const struct launch_choice *launches, const struct report_request *request,
                     struct err *err)
{
	const struct recording *r = launches->recording;
	struct report_play p = { .data = d, .request = request };
	int ret = launch_choice_check(launches, err);

	*d = (struct report_data){ .recording = r, .setup = setup, .is_whole = true };
	if (ret)
		return ret;
	d->launches_asked = launches->end - launches->first;
	completeness_make(&d->completeness, r, false);
	p.distances = array_alloc(r->kernel_count, sizeof(*p.distances), "reuse distances", err);
	p.buffers = array_alloc(r->buffer_count + 1, sizeof(*p.buffers), "buffers", err);
	ret = p.distances && p.buffers ? add_kernels(d, launches, err) : ERR_NOMEM;
	if (!ret)
		ret = add_sites(d, err);
	if (!ret && request->has_patterns && d->launches_asked > 1)
		ret = launch_reuse_create(&p.launches, r->kernel_count, err);
	if (!ret)
		ret = play_all(&p, launches, err);
	if (!ret)
		ret = sum_up(&p, err);
	release_play(&p, r->kernel_count);
	return ret;
}

static void release_kernels(struct report_data *d)
{
	for (size_t i = 0; i < d->kernel_count; i++) {
		free(d->kernels[i].sets);
		free(d->kernels[i].curve.points);
		free(d->kernels[i].links);
		hot_lines_release(&d->kernels[i].hot);
	}
	free(d->kernels);
}

const char *report_data_verdict(const struct report_data *d)
{
	if (d->findings.count)
		return "findings";
	return d->is_whole && d->completeness.is_complete && d->launches_played &&
	                       d->launches_played == d->launches_asked &&
	                       finding_list_is_whole(&d->findings)
	               ? "nothing_found"
	               : "unknown";
}

struct player_outcome report_data_outcome(const struct report_data *d)
{
	return (struct player_outcome){ .lacks_accesses = !d->is_whole,
		                        .refused = d->launches_refused };
}

void report_data_release(struct report_data *d)
{
	completeness_release(&d->completeness);
	release_kernels(d);
	for (size_t i = 0; i < d->launch_count; i++)
		free(d->launches[i].reason);
	for (size_t i = 0; i < d->line_count; i++)
		free(d->lines[i].text);
	for (size_t i = 0; i < d->buffer_count; i++)
		free(d->buffers[i].names);
	for (size_t i = 0; i < d->source_count; i++)
		source_text_release(&d->sources[i]);
	free(d->curve.points);
	free(d->launches);
	free(d->sites);
	free(d->lines);
	free(d->arguments);
	free(d->buffers);
	free(d->sources);
	finding_list_release(&d->findings);
	*d = (struct report_data){ 0 };
}
