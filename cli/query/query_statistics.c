/* SPDX-License-Identifier: Apache-2.0 */
#include "query_table.h"

#include "array.h"
#include "err.h"
#include "player.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>
#include <stdlib.h>

/* A row: what the report has, and of launches what the manifest has besides. */
struct statistics_row {
	const struct report_data *data;
	const void *row;               /* struct report_site, ... */
	const struct l1_stats_row *l1; /* NULL: of a launch that was not played */
	const struct recorded_launch *launch;
	const struct kernel_table *table;
	uint64_t device, start_ns;
};

static const char *kernel_name(const struct report_data *d, uint32_t kernel)
{
	return d->recording->kernels[kernel].table.name;
}

static const char *argument_name(const struct report_data *d, uint32_t kernel, int64_t argument)
{
	const struct kernel_table *t = &d->recording->kernels[kernel].table;

	return argument >= 0 && (uint64_t)argument < t->argument_count ? t->arguments[argument].name
	                                                               : NULL;
}

static const char *fate_name(enum launch_fate fate)
{
	static const char *const names[] = {
#define LAUNCH_FATE(NAME, name) name,
#include "launch_fates.def"
#undef LAUNCH_FATE
	};

	return names[fate];
}

/* A number of which 0 says that it is not known. */
static struct cell known(uint64_t number)
{
	return number ? cell_number(number) : cell_none();
}

static struct cell ratio(uint64_t part, uint64_t whole)
{
	return whole ? cell_real((double)part / (double)whole) : cell_none();
}

/* What a replay knows. */
static struct cell sum(const struct statistics_row *r, uint64_t number)
{
	return r->l1 ? cell_number(number) : cell_none();
}

static const struct l1_stats_row no_counters;
static const struct report_launch no_launch;

static const struct l1_stats_row *counters_of(const struct statistics_row *r)
{
	return r->l1 ? r->l1 : &no_counters;
}

static struct cell totals_of(const struct recorded_launch *l, uint64_t number)
{
	return l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED ? cell_number(number)
	                                                             : cell_none();
}

static struct cell buffer_bytes(const struct report_buffer *x)
{
	return x->buffer < 0 ? cell_none() : cell_number(x->bytes);
}

struct cell query_get_sites(const void *row, uint32_t column)
{
	const struct statistics_row *r = row;
	const struct report_data *d = r->data;
	const struct report_site *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

	switch (column) {
#define SITE_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                     \
	case QUERY_SITE_##name:                                                                    \
		return value;
#include "query_columns.def"
#undef SITE_COLUMN
	default:
		return cell_none();
	}
}

struct cell query_get_lines(const void *row, uint32_t column)
{
	const struct statistics_row *r = row;
	const struct report_data *d = r->data;
	const struct report_line *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

	switch (column) {
#define LINE_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                     \
	case QUERY_LINE_##name:                                                                    \
		return value;
#include "query_columns.def"
#undef LINE_COLUMN
	default:
		return cell_none();
	}
}

struct cell query_get_kernels(const void *row, uint32_t column)
{
	const struct statistics_row *r = row;
	const struct report_kernel *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

	switch (column) {
#define KERNEL_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	case QUERY_KERNEL_##name:                                                                  \
		return value;
#include "query_columns.def"
#undef KERNEL_COLUMN
	default:
		return cell_none();
	}
}

struct cell query_get_buffers(const void *row, uint32_t column)
{
	const struct statistics_row *r = row;
	const struct report_buffer *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

	switch (column) {
#define BUFFER_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	case QUERY_BUFFER_##name:                                                                  \
		return value;
#include "query_columns.def"
#undef BUFFER_COLUMN
	default:
		return cell_none();
	}
}

struct cell query_get_launches(const void *row, uint32_t column)
{
	const struct statistics_row *r = row;
	const struct recorded_launch *l = r->launch;
	const struct report_launch *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

	switch (column) {
#define LAUNCH_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	case QUERY_LAUNCH_##name:                                                                  \
		return value;
#include "query_columns.def"
#undef LAUNCH_COLUMN
	default:
		return cell_none();
	}
}

static void release(void *owned)
{
	report_data_release(owned);
	free(owned);
}

/* Play the launches that --launch chooses; the rows point into what is found. */
static int play(struct query_job *job, struct report_data **out, struct err *err)
{
	const struct launch_choice choice =
		launch_choice_make(job->recording, option_number_given(&job->choice->launch));
	const struct report_request request = { .watch = job->watch };
	struct report_data *d;
	int ret = query_job_setup(job, err);

	if (ret)
		return ret;
	d = array_alloc(1, sizeof(*d), "statistics", err);
	if (!d)
		return ERR_NOMEM;
	job->owned = d;
	job->release = release;
	ret = report_data_make(d, &job->setup, &choice, &request, err);
	if (ret)
		return ret;
	job->outcome = report_data_outcome(d);
	*out = d;
	return 0;
}

/* A list of rows of a report. */
struct row_list {
	const void *rows;
	size_t count, bytes; /* of them, and of each, */
	size_t l1;           /* and where its counters are */
};

static int offer(struct query_job *job, const struct report_data *d, const struct row_list *list,
                 struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < list->count; i++) {
		const char *at = (const char *)list->rows + i * list->bytes;
		const struct statistics_row row = { .data = d,
			                            .row = at,
			                            .l1 = (const void *)(at + list->l1) };

		ret = query_rows_offer(job->rows, &row, err);
	}
	return ret;
}

#define RUN(table, list, number, type, member)                                                     \
	int query_run_##table(struct query_job *job, struct err *err)                              \
	{                                                                                          \
		struct report_data *d = NULL;                                                      \
		struct row_list rows;                                                              \
		int ret = play(job, &d, err);                                                      \
                                                                                                   \
		if (ret)                                                                           \
			return ret;                                                                \
		rows = (struct row_list){ d->list, d->number, sizeof(struct type),                 \
			                  offsetof(struct type, member) };                         \
		return offer(job, d, &rows, err);                                                  \
	}
RUN(sites, sites, site_count, report_site, sums.l1)
RUN(lines, lines, line_count, report_line, l1)
RUN(kernels, kernels, kernel_count, report_kernel, counts.l1)
RUN(buffers, buffers, buffer_count, report_buffer, l1)
#undef RUN

/* Offer a launch; `device_ns` is what those before it took on each device. */
static int offer_launch(struct query_job *job, size_t launch, const struct report_launch *played,
                        uint64_t *device_ns, struct err *err)
{
	const struct recording *r = job->recording;
	const struct recorded_launch *l = &r->launches[launch];
	uint32_t device = r->kernels[l->kernel].device;
	const struct statistics_row row = { .row = played ? played : &no_launch,
		                            .l1 = played && played->is_played ? &played->counts.l1
		                                                              : NULL,
		                            .launch = l,
		                            .table = &r->kernels[l->kernel].table,
		                            .device = device,
		                            .start_ns = device_ns[device] };

	if (__builtin_add_overflow(device_ns[device], l->device_ns, &device_ns[device]))
		device_ns[device] = UINT64_MAX;
	return query_rows_offer(job->rows, &row, err);
}

int query_run_launches(struct query_job *job, struct err *err)
{
	const struct recording *r = job->recording;
	bool is_played = query_rows_are_played(job->rows);
	struct report_data *d = NULL;
	uint64_t *device_ns = array_alloc(r->device_count, sizeof(*device_ns), "devices", err);
	const struct option_number *number = &job->choice->launch;
	int ret = device_ns ? 0 : ERR_NOMEM;
	size_t next = 0; /* of the launches that were played */

	if (!ret && number->is_given && recording_find_launch(r, number->value) == r->launch_count)
		ret = err_set(err, ERR_USAGE,
		              "--launch: the recording has no line of launch %" PRIu64,
		              number->value);
	if (!ret && is_played)
		ret = play(job, &d, err);
	for (size_t i = 0; !ret && i < r->launch_count; i++) {
		const struct report_launch *played = NULL;

		if (d && next < d->launch_count && d->launches[next].launch == i)
			played = &d->launches[next++];
		if (!number->is_given || r->launches[i].number == number->value)
			ret = offer_launch(job, i, played, device_ns, err);
	}
	free(device_ns);
	return ret;
}
