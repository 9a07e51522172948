/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include "access_walk.h"
#include "array.h"
#include "err.h"
#include "str.h"

#include <stdlib.h>

/* The current row. */
struct access_row {
	const struct table_reader *reader;
	const struct access_walk *walk;
	const struct access *access;
	bool *sites; /* by site: whether its accesses may be requested */
	struct str *loops;
	struct err *err; /* of the loops */
};

static struct cell buffer_of(const struct access_row *r, bool is_offset)
{
	uint64_t offset = 0;
	int64_t buffer = -1;

	if (site_kind_has_address(r->access->facts->kind))
		buffer = access_walk_buffer(r->walk, r->access, &offset);
	return is_offset && buffer >= 0 ? cell_number(offset) : cell_index(buffer);
}

static struct cell iteration_of(const struct access *a)
{
	return a->loop_count ? cell_number(a->loops[a->loop_count - 1].iteration) : cell_none();
}

/* Returns a number for an access with an address; empty otherwise. */
static struct cell addressed(const struct access *a, uint64_t number)
{
	return site_kind_has_address(a->facts->kind) ? cell_number(number) : cell_none();
}

struct cell table_get_accesses(const void *row, uint32_t column)
{
	const struct access_row *r = row;
	const struct access_walk *w = r->walk;
	const struct access *a = r->access;
	const struct site *site = a->facts;

#define ACCESS_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	if (!column--)                                                                             \
		return value;
#include "table_columns.def"
#undef ACCESS_COLUMN
	return cell_none();
}

/* Whether the reader may want accesses of this walk: before an access is read only its launch is
 * known. */
static bool wants(void *context, const struct access_walk *w)
{
	static const struct site no_site = { .loop = -1, .argument = -1 };
	static const struct access no_access = { .facts = &no_site };
	struct access_row *r = context;

	r->walk = w;
	r->access = &no_access;
	return !r->reader->has_enough(r->reader->context) &&
	       r->reader->may_want(r->reader->context, r, TABLE_LAUNCH);
}

static int begin(void *context, const struct access_walk *w, struct err *err)
{
	struct access_row *r = context;
	struct access access = { 0 };

	free(r->sites);
	r->sites = array_alloc(w->table->site_count, sizeof(*r->sites), "sites", err);
	if (!r->sites)
		return ERR_NOMEM;
	r->access = &access;
	for (size_t i = 0; i < w->table->site_count; i++) {
		access.site = (uint32_t)i;
		access.facts = &w->table->sites[i];
		r->sites[i] = r->reader->may_want(r->reader->context, r, TABLE_SITE);
	}
	return 0;
}

static int take(void *context, const struct access_walk *w, const struct access *a, struct err *err)
{
	struct access_row *r = context;
	int ret;

	(void)w;
	if (!r->sites[a->site])
		return 0;
	r->access = a;
	ret = r->reader->take(r->reader->context, r, err);
	if (!ret && r->err->code)
		ret = err_set(err, (enum err_code)r->err->code, "%s", r->err->msg);
	return ret || !r->reader->has_enough(r->reader->context) ? ret : ACCESS_WALK_STOP;
}

int table_run_accesses(struct table_job *job, struct err *err)
{
	struct str loops;
	struct err why = { 0 };
	struct access_row r = { .reader = job->reader, .loops = &loops, .err = &why };
	const struct access_visitor visitor = {
		.context = &r, .wants = wants, .begin = begin, .access = take
	};
	struct access_walk walk = { .launches = launch_choice_make(job->recording, job->launch),
		                    .watch = job->watch };
	int ret = launch_choice_check(&walk.launches, err);

	str_init(&loops, ACCESS_LOOPS_BYTES);
	if (!ret)
		ret = access_walk_run(&walk, &visitor, err);
	job->outcome.lacks_accesses = walk.lacks_groups;
	str_release(&loops);
	free(r.sites);
	return ret;
}
