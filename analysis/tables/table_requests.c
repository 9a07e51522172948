/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include "array.h"
#include "err.h"
#include "l1_observer.h"
#include "player.h"
#include "recording.h"
#include "request.h"

#include <stdlib.h>

/* The current row, and the launch being replayed. */
struct request_row {
	const struct table_reader *reader;
	const struct recorded_launch *launch;
	const struct kernel_table *table;
	const struct request *request;
	const struct l1_outcome *outcome;
	uint32_t sm, site;
	bool *sites; /* by site: whether its requests may be requested */
	struct request_sm *sms;
	int ret; /* of the first row that failed */
	struct err err;
};

/* Observes the L1 of an SM. */
struct request_sm {
	struct l1_observer observer;
	struct request_row *row;
	uint32_t sm;
};

/* The job, and the current launch. */
struct request_job {
	struct table_job *job;
	struct request_row row;
};

static const char *outcome_name(enum l1_event event)
{
	static const char *const names[] = {
		[L1_HIT] = "hit",           [L1_PENDING] = "pending",
		[L1_COLD] = "cold",         [L1_COHERENCE] = "coherence",
		[L1_CAPACITY] = "capacity", [L1_CONFLICT] = "conflict",
		[L1_SECTOR] = "sector",     [L1_WRITE_HIT] = "write_hit",
		[L1_WRITE] = "write",       [L1_ATOMIC] = "atomic",
		[L1_BYPASS] = "bypass",
	};

	return names[event];
}

struct cell table_get_requests(const void *row, uint32_t column)
{
	const struct request_row *r = row;
	const struct request *q = r->request;
	const struct l1_outcome *o = r->outcome;
	const struct site *site = &r->table->sites[r->site];

#define REQUEST_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                  \
	if (!column--)                                                                             \
		return value;
#include "table_columns.def"
#undef REQUEST_COLUMN
	return cell_none();
}

static void served(void *context, const struct request *request, const struct l1_outcome *outcome)
{
	const struct request_sm *sm = context;
	struct request_row *r = sm->row;

	if (r->ret || !r->sites[request->site])
		return;
	r->sm = sm->sm;
	r->site = request->site;
	r->request = request;
	r->outcome = outcome;
	r->ret = r->reader->take(r->reader->context, r, &r->err);
}

static void left(void *context, const struct l1_residency *x)
{
	(void)context;
	(void)x;
}

static const struct l1_observer *observer_of(void *context, uint32_t sm)
{
	const struct request_row *r = context;

	return &r->sms[sm].observer;
}

static int prepare(struct request_row *r, uint32_t sm_count, struct err *err)
{
	r->sites = array_alloc(r->table->site_count, sizeof(*r->sites), "sites", err);
	r->sms = array_alloc(sm_count, sizeof(*r->sms), "SMs", err);
	if (!r->sites || !r->sms)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < sm_count; i++)
		r->sms[i] = (struct request_sm){ { &r->sms[i], served, left }, r, i };
	for (uint32_t i = 0; i < r->table->site_count; i++) {
		r->site = i;
		r->sites[i] = r->reader->may_want(r->reader->context, r, TABLE_SITE);
	}
	return 0;
}

/* player_visitor.begin. */
static int begin(void *context, size_t launch, struct replay_options *options, struct err *err)
{
	struct request_job *j = context;
	struct table_job *job = j->job;
	const struct recorded_launch *l = &job->recording->launches[launch];
	struct request_row *r = &j->row;

	*r = (struct request_row){ .reader = job->reader,
		                   .launch = l,
		                   .table = &job->recording->kernels[l->kernel].table };
	if (r->reader->has_enough(r->reader->context) ||
	    !r->reader->may_want(r->reader->context, r, TABLE_LAUNCH))
		return PLAYER_SKIP;
	options->observer = observer_of;
	options->observer_context = r;
	options->jobs = 1; /* rows come in one order */
	return prepare(r, job->setup->gpu.sm_count, err);
}

static int end(void *context, size_t launch, const struct replay_result *result, struct err *err)
{
	const struct request_job *j = context;
	const struct request_row *r = &j->row;

	(void)launch;
	(void)result;
	return r->ret ? err_set(err, (enum err_code)r->ret, "%s", r->err.msg) : 0;
}

static void release(void *context)
{
	struct request_job *j = context;

	free(j->row.sites);
	free(j->row.sms);
}

int table_run_requests(struct table_job *job, struct err *err)
{
	struct request_job j = { .job = job };
	const struct player_visitor visitor = {
		.context = &j, .begin = begin, .end = end, .release = release
	};
	struct player player = { .watch = job->watch,
		                 .launches = launch_choice_make(job->recording, job->launch),
		                 .gpu = &job->setup->gpu,
		                 .registers = job->setup->registers,
		                 .options = job->setup->options };
	int ret = launch_choice_check(&player.launches, err);

	if (!ret)
		ret = player_play(&player, &visitor, err);
	job->outcome = player.outcome;
	job->outcome.refusal.code = 0;
	return ret;
}
