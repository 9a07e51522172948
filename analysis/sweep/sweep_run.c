/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_run.h"

#include "work_watch.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GEOMETRY_LIMIT = 65536 };

static int init_cells(struct sweep_run *r, struct err *err)
{
	r->task_count = r->geometries.count * r->axes->ways.count;
	if (r->task_count > SWEEP_CELLS_MAX)
		return err_set(err, ERR_LIMIT,
		               "%zu caches of lines of %" PRIu32
		               " bytes would be replayed one by one: at most %u can be",
		               r->task_count, r->gpu.l1_line_bytes, SWEEP_CELLS_MAX);
	r->cells = array_alloc(r->task_count, sizeof(*r->cells), "caches", err);
	return r->cells ? 0 : ERR_NOMEM;
}

static int init_run(struct sweep_run *r, struct err *err)
{
	const struct number_list *ways = &r->axes->ways;
	int ret;

	array_init(&r->geometries, sizeof(struct sweep_geometry), GEOMETRY_LIMIT, "geometries");
	pthread_mutex_init(&r->lock, NULL);
	ret = sweep_axes_geometries(r->axes, &r->gpu, &r->geometries, &r->left_out, &r->why, err);
	if (ret)
		return ret;
	if (!r->geometries.count)
		return err_set(err, ERR_USAGE, "no such cache with lines of %" PRIu32 " bytes: %s",
		               r->gpu.l1_line_bytes, r->why.msg);
	if (r->axes->has_latency || !sweep_can(&r->gpu))
		return init_cells(r, err);
	r->task_count = 1;
	return sweep_create(&r->sweep, &r->gpu, r->geometries.data, r->geometries.count,
	                    ways->numbers[ways->count - 1], err);
}

static void release_run(struct sweep_run *r)
{
	if (r->geometries.item_bytes)
		pthread_mutex_destroy(&r->lock);
	sweep_free(r->sweep);
	array_release(&r->geometries);
	free(r->cells);
}

/* The current task of a thread. */
struct pass {
	const struct sweep_run *run;
	struct gpu gpu; /* of a cell */
	struct player player;
	struct err err;
};

/* player_visitor.play, if one pass simulates all caches. */
static int play_all_caches(void *context, size_t launch, const struct replay_options *options,
                           struct replay_result *result, struct err *err)
{
	const struct sweep_run *r = context;

	return sweep_launch(r->sweep, r->player.launches.recording, launch, options,
	                    &result->is_whole, err);
}

/* Add the results of a task. All tasks replay the same launches. */
static void report(struct sweep_run *r, const struct pass *p)
{
	bool lacked_accesses;

	pthread_mutex_lock(&r->lock);
	lacked_accesses = r->outcome.lacks_accesses;
	r->played = p->player.played;
	r->outcome = p->player.outcome;
	r->outcome.lacks_accesses |= lacked_accesses;
	if (p->err.code && !r->ret) {
		r->ret = p->err.code;
		r->err = p->err;
	}
	pthread_mutex_unlock(&r->lock);
}

static void leave_out(struct sweep_run *r, const struct err *why)
{
	pthread_mutex_lock(&r->lock);
	if (!r->cells_left_out++)
		r->cell_why = *why;
	pthread_mutex_unlock(&r->lock);
}

/* Set up the pass for a cell; false if the GPU cannot have it. */
static bool take_cell(struct pass *p, size_t cell, struct err *why)
{
	const struct number_list *ways = &p->run->axes->ways;
	const struct sweep_geometry *g =
		(const struct sweep_geometry *)p->run->geometries.data + cell / ways->count;

	p->gpu.l1_index.kind = g->index;
	p->gpu.l1_sets = g->sets;
	p->gpu.l1_ways = ways->numbers[cell % ways->count];
	return !gpu_check(&p->gpu, why);
}

/* Run a task, from any thread. Its results go to *r; nothing else is shared. */
static void play_task(struct sweep_run *r, size_t task)
{
	const struct player_visitor visitor = { .context = r,
		                                .play = r->sweep ? play_all_caches : NULL };
	struct pass p = { .run = r, .gpu = r->gpu, .player = r->player };
	struct err why = { 0 };

	if (r->cells && !take_cell(&p, task, &why)) {
		leave_out(r, &why);
		return;
	}
	p.player.gpu = &p.gpu;
	player_play(&p.player, &visitor, &p.err);
	if (r->cells)
		r->cells[task] = (struct sweep_cell){ p.player.l1, true };
	report(r, &p);
}

bool sweep_run_cell(const struct sweep_run *r, size_t geometry, size_t way, struct counters *out)
{
	const struct number_list *ways = &r->axes->ways;
	size_t cell = geometry * ways->count + way;

	if (r->sweep)
		sweep_cell(r->sweep, geometry, ways->numbers[way], out);
	else
		*out = r->cells[cell].counters;
	return r->sweep || r->cells[cell].is_there;
}

int sweep_runs_init(struct sweep_runs *all, const struct player *player, uint64_t jobs,
                    struct err *err)
{
	const struct sweep_axes *axes = &all->axes;
	int ret = 0;

	all->run_count = axes->lines.count * axes->policy_count;
	all->runs = array_alloc(all->run_count, sizeof(*all->runs), "the line sizes", err);
	if (!all->runs)
		return ERR_NOMEM;
	for (size_t i = 0; !ret && i < all->run_count; i++) {
		struct sweep_run *run = &all->runs[i];

		run->axes = axes;
		run->player = *player;
		run->player.watch = NULL; /* of all tasks together */
		run->player.options.played = work_watch_done(player->watch);
		run->gpu = *player->gpu;
		run->gpu.l1_line_bytes = axes->lines.numbers[i / axes->policy_count];
		run->gpu.l1_policy = axes->policies[i % axes->policy_count];
		run->gpu.l1_bytes = 0;
		run->gpu.latency = axes->has_latency ? GPU_LATENCY_ON : GPU_LATENCY_OFF;
		ret = init_run(run, err);
		all->task_count += run->task_count;
	}
	for (size_t i = 0; !ret && i < all->run_count; i++)
		all->runs[i].player.options.jobs = (uint32_t)(jobs / all->task_count);
	return ret;
}

void sweep_runs_release(struct sweep_runs *all)
{
	for (size_t i = 0; all->runs && i < all->run_count; i++)
		release_run(&all->runs[i]);
	free(all->runs);
	all->runs = NULL;
}

/* Take tasks until there are no more. */
static void *work(void *context)
{
	struct sweep_runs *all = context;
	size_t i;

	while ((i = atomic_fetch_add(&all->next, 1)) < all->task_count) {
		struct sweep_run *run = all->runs;

		for (; i >= run->task_count; run++)
			i -= run->task_count;
		play_task(run, i);
	}
	return NULL;
}

int sweep_runs_play(struct sweep_runs *all, uint64_t jobs, struct err *err)
{
	pthread_t threads[SWEEP_JOBS_MAX];
	size_t started = 0;

	while (started + 1 < jobs && started + 1 < all->task_count &&
	       !pthread_create(&threads[started], NULL, work, all))
		started++;
	work(all);
	while (started)
		pthread_join(threads[--started], NULL);
	for (size_t i = 0; i < all->run_count; i++)
		if (all->runs[i].ret)
			return err_set(err, (enum err_code)all->runs[i].ret, "%s",
			               all->runs[i].err.msg);
	return 0;
}
