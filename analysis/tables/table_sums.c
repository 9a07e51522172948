/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include "array.h"
#include "err.h"
#include "player.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>
#include <stdlib.h>

/* A row of the report; for a launch also the data of the manifest. */
struct sums_row {
	const struct report_data *data;
	const void *row;               /* struct report_site, ... */
	const struct l1_stats_row *l1; /* NULL: the launch was not replayed */
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
	return table_argument_name(&d->recording->kernels[kernel].table, argument);
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

/* A number that is 0 if unknown. */
static struct cell known(uint64_t number)
{
	return number ? cell_number(number) : cell_none();
}

static struct cell ratio(uint64_t part, uint64_t whole)
{
	return whole ? cell_real((double)part / (double)whole) : cell_none();
}

/* A number that only a replay has. */
static struct cell sum(const struct sums_row *r, uint64_t number)
{
	return r->l1 ? cell_number(number) : cell_none();
}

static const struct l1_stats_row no_counters;
static const struct report_launch no_launch;

static const struct l1_stats_row *counters_of(const struct sums_row *r)
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

/* Count down to the requested column. */
#define COLUMN(name, type, level, is_shown, is_played, unit, help, value)                          \
	if (!column--)                                                                             \
		return value;

struct cell table_get_sites(const void *row, uint32_t column)
{
	const struct sums_row *r = row;
	const struct report_data *d = r->data;
	const struct report_site *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

#define SITE_COLUMN COLUMN
#include "table_columns.def"
#undef SITE_COLUMN
	return cell_none();
}

struct cell table_get_lines(const void *row, uint32_t column)
{
	const struct sums_row *r = row;
	const struct report_data *d = r->data;
	const struct report_line *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

#define LINE_COLUMN COLUMN
#include "table_columns.def"
#undef LINE_COLUMN
	return cell_none();
}

struct cell table_get_kernels(const void *row, uint32_t column)
{
	const struct sums_row *r = row;
	const struct report_kernel *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

#define KERNEL_COLUMN COLUMN
#include "table_columns.def"
#undef KERNEL_COLUMN
	return cell_none();
}

struct cell table_get_buffers(const void *row, uint32_t column)
{
	const struct sums_row *r = row;
	const struct report_buffer *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

#define BUFFER_COLUMN COLUMN
#include "table_columns.def"
#undef BUFFER_COLUMN
	return cell_none();
}

struct cell table_get_launches(const void *row, uint32_t column)
{
	const struct sums_row *r = row;
	const struct recorded_launch *l = r->launch;
	const struct report_launch *x = r->row;
	const struct l1_stats_row *l1 = counters_of(r);

#define LAUNCH_COLUMN COLUMN
#include "table_columns.def"
#undef LAUNCH_COLUMN
	return cell_none();
}

/* Replay the launches; the rows then point into job->data. */
static int play(struct table_job *job, struct err *err)
{
	const struct launch_choice choice = launch_choice_make(job->recording, job->launch);
	const struct report_request request = { .watch = job->watch };
	int ret;

	job->data = array_alloc(1, sizeof(*job->data), "statistics", err);
	if (!job->data)
		return ERR_NOMEM;
	ret = report_data_make(job->data, job->setup, &choice, &request, err);
	if (!ret)
		job->outcome = report_data_outcome(job->data);
	return ret;
}

/* A list of rows of a report. */
struct row_list {
	const void *rows;
	size_t count, bytes; /* number of rows, and bytes of each */
	size_t l1;           /* offset of its counters */
};

static int offer(struct table_job *job, const struct row_list *list, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < list->count; i++) {
		const char *at = (const char *)list->rows + i * list->bytes;
		const struct sums_row row = { .data = job->data,
			                      .row = at,
			                      .l1 = (const void *)(at + list->l1) };

		ret = job->reader->take(job->reader->context, &row, err);
	}
	return ret;
}

#define RUN(table, list, number, type, member)                                                     \
	int table_run_##table(struct table_job *job, struct err *err)                              \
	{                                                                                          \
		int ret = play(job, err);                                                          \
                                                                                                   \
		return ret ? ret                                                                   \
		           : offer(job,                                                            \
		                   &(struct row_list){ job->data->list, job->data->number,         \
		                                       sizeof(struct type),                        \
		                                       offsetof(struct type, member) },            \
		                   err);                                                           \
	}
RUN(sites, sites, site_count, report_site, sums.l1)
RUN(lines, lines, line_count, report_line, l1)
RUN(kernels, kernels, kernel_count, report_kernel, counts.l1)
RUN(buffers, buffers, buffer_count, report_buffer, l1)
#undef RUN

/* Offer a launch; `device_ns` is the time of the earlier launches on each device. */
static int offer_launch(struct table_job *job, size_t launch, const struct report_launch *played,
                        uint64_t *device_ns, struct err *err)
{
	const struct recording *r = job->recording;
	const struct recorded_launch *l = &r->launches[launch];
	uint32_t device = r->kernels[l->kernel].device;
	const struct sums_row row = { .row = played ? played : &no_launch,
		                      .l1 = played && played->is_played ? &played->counts.l1 : NULL,
		                      .launch = l,
		                      .table = &r->kernels[l->kernel].table,
		                      .device = device,
		                      .start_ns = device_ns[device] };

	if (__builtin_add_overflow(device_ns[device], l->device_ns, &device_ns[device]))
		device_ns[device] = UINT64_MAX;
	return job->reader->take(job->reader->context, &row, err);
}

int table_run_launches(struct table_job *job, struct err *err)
{
	const struct recording *r = job->recording;
	uint64_t *device_ns = array_alloc(r->device_count, sizeof(*device_ns), "devices", err);
	int ret = device_ns ? 0 : ERR_NOMEM;
	size_t next = 0; /* index of the next replayed launch */

	if (!ret && job->launch && recording_find_launch(r, *job->launch) == r->launch_count)
		ret = err_set(err, ERR_USAGE,
		              "--launch: the recording has no line of launch %" PRIu64,
		              *job->launch);
	if (!ret && job->setup)
		ret = play(job, err);
	for (size_t i = 0; !ret && i < r->launch_count; i++) {
		const struct report_data *d = job->data;
		const struct report_launch *played = NULL;

		if (d && next < d->launch_count && d->launches[next].launch == i)
			played = &d->launches[next++];
		if (!job->launch || r->launches[i].number == *job->launch)
			ret = offer_launch(job, i, played, device_ns, err);
	}
	free(device_ns);
	return ret;
}
