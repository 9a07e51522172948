/* SPDX-License-Identifier: Apache-2.0 */
#include "query_table.h"

#include "array.h"
#include "dump.h"
#include "err.h"
#include "player.h"
#include "work_watch.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LOOPS_LIMIT_BYTES = 1 << 26, ACCESSES_AT_ONCE = 1 << 16 };

/* The row at hand, which dump.h's functions know as their dump. */
struct access_row {
	struct dump dump;
	struct query_rows *rows;
	const struct access *access;
	const char *kernel;
	enum query_truth *sites; /* whether accesses of each site can be wanted */
	struct str *loops;
	struct err *err; /* of the loops */
	struct work_watch *watch;
	uint64_t seen; /* accesses */
};

/* What a row is of before there is one: only what is known of its launch is asked for. */
static const struct site no_site = { .loop = -1, .argument = -1 };
static const struct access no_access = { .facts = &no_site };

static const char *argument_name(const struct access_row *r)
{
	const struct kernel_table *t = r->dump.table;
	int32_t argument = r->access->facts->argument;

	return argument >= 0 && (size_t)argument < t->argument_count ? t->arguments[argument].name
	                                                             : NULL;
}

static struct cell buffer_of(const struct access_row *r, bool is_offset)
{
	uint64_t offset = 0;
	int64_t buffer = -1;

	if (site_kind_has_address(r->access->facts->kind))
		buffer = dump_buffer(&r->dump, r->access, &offset);
	return is_offset && buffer >= 0 ? cell_number(offset) : cell_index(buffer);
}

static struct cell loops_of(const struct access_row *r)
{
	const struct access *a = r->access;

	if (!a->loop_count)
		return cell_none();
	r->loops->length = 0;
	for (size_t i = 0; i < a->loop_count; i++)
		if (str_printf(r->loops, r->err, "%s%u:%" PRIu64, i ? " " : "", a->loops[i].loop,
		               a->loops[i].iteration))
			return cell_none();
	return cell_text(r->loops->text);
}

static struct cell iteration_of(const struct access *a)
{
	return a->loop_count ? cell_number(a->loops[a->loop_count - 1].iteration) : cell_none();
}

/* Of what has an address. */
static struct cell addressed(const struct access *a, uint64_t number)
{
	return site_kind_has_address(a->facts->kind) ? cell_number(number) : cell_none();
}

struct cell query_get_accesses(const void *row, uint32_t column)
{
	const struct access_row *r = row;
	const struct access *a = r->access;
	const struct site *site = a->facts;

	switch (column) {
#define ACCESS_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	case QUERY_ACCESS_##name:                                                                  \
		return value;
#include "query_columns.def"
#undef ACCESS_COLUMN
	default:
		return cell_none();
	}
}

/* A launch begins: what can be said of its sites. */
static int begin_launch(struct dump *d, struct err *err)
{
	struct access_row *r = (struct access_row *)(void *)d;
	struct access access = { 0 };

	free(r->sites);
	r->sites = array_alloc(d->table->site_count, sizeof(*r->sites), "sites", err);
	if (!r->sites)
		return ERR_NOMEM;
	r->access = &access;
	for (size_t i = 0; i < d->table->site_count; i++) {
		access.site = (uint32_t)i;
		access.facts = &d->table->sites[i];
		r->sites[i] = query_expr_test(r->rows->expr, query_get_accesses, r, QUERY_SITE);
	}
	r->access = &no_access;
	return 0;
}

/* Returns ERR_LIMIT without a message when no more rows are wanted. */
static int take_access(struct dump *d, const struct access *a, struct err *err)
{
	struct access_row *r = (struct access_row *)(void *)d;
	int ret;

	if (!(++r->seen % ACCESSES_AT_ONCE))
		work_watch_reach(r->watch, r->seen);
	if (r->sites[a->site] == QUERY_NO)
		return 0;
	r->access = a;
	ret = query_rows_offer(r->rows, r, err);
	if (!ret && r->err->code)
		ret = err_set(err, (enum err_code)r->err->code, "%s", r->err->msg);
	return !ret && query_rows_have_enough(r->rows) ? ERR_LIMIT : ret;
}

static const struct dump_format rows_format = { "query", begin_launch, take_access, NULL, NULL };

static int offer_launch(struct query_job *job, struct access_row *r, struct err *err)
{
	const struct recorded_launch *l = &job->recording->launches[r->dump.launch];
	bool is_whole = true;
	int ret;

	r->dump.facts = l;
	r->kernel = job->recording->kernels[l->kernel].table.name;
	r->access = &no_access;
	if (query_expr_test(r->rows->expr, query_get_accesses, r, QUERY_LAUNCH) == QUERY_NO)
		return 0;
	ret = dump_launch(&r->dump, &rows_format, NULL, &is_whole, err);
	job->outcome.lacks_accesses |= !is_whole;
	return ret == ERR_LIMIT && !err->code ? 0 : ret;
}

int query_run_accesses(struct query_job *job, struct err *err)
{
	const struct launch_choice choice =
		launch_choice_make(job->recording, option_number_given(&job->choice->launch));
	struct str loops;
	struct err why = { 0 };
	struct access_row r = { .dump = { .recording = job->recording },
		                .rows = job->rows,
		                .loops = &loops,
		                .watch = job->watch,
		                .err = &why };
	int ret = launch_choice_check(&choice, err);

	work_watch_begin(job->watch, ret ? 0 : launch_choice_accesses(&choice));
	str_init(&loops, LOOPS_LIMIT_BYTES);
	for (size_t i = choice.first; !ret && i < choice.end && !query_rows_have_enough(r.rows);
	     i++) {
		r.dump.launch = i;
		if (choice.is_one || job->recording->launches[i].fate == LAUNCH_TRACED)
			ret = offer_launch(job, &r, err);
	}
	work_watch_end(job->watch);
	str_release(&loops);
	free(r.sites);
	return ret;
}
