/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_run.h"

#include "address_use.h"
#include "bypass_list.h"
#include "gpu.h"
#include "launch_shape.h"
#include "recording.h"
#include "shape_text.h"
#include "work_watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_LIMIT = 1 << 20, LAUNCHES_LIMIT = 1 << 28 };

/* Returns the kernel of that name, appended if it is missing. */
static struct bypass_kernel *find_kernel(struct bypass_run *run, struct array *kernels,
                                         uint32_t kernel, struct err *err)
{
	const struct kernel_table *table = &run->recording->kernels[kernel].table;
	struct bypass_kernel *k = kernels->data;

	for (size_t i = 0; i < kernels->count; i++)
		if (!strcmp(k[i].name, table->name))
			return &k[i];
	k = array_push(kernels, 1, err);
	if (!k)
		return NULL;
	*k = (struct bypass_kernel){
		.run = run, .name = table->name, .table = table, .kernel = kernel
	};
	array_init(&k->launches, sizeof(size_t), LAUNCHES_LIMIT, "launches");
	return k;
}

int bypass_run_kernels(struct bypass_run *run, const struct launch_choice *choice,
                       struct array *kernels, struct err *err)
{
	array_init(kernels, sizeof(struct bypass_kernel), KERNELS_LIMIT, "kernels");
	for (size_t i = choice->first; i < choice->end; i++) {
		const struct recorded_launch *l = &run->recording->launches[i];
		struct bypass_kernel *k;
		size_t *launch;

		if (l->fate != LAUNCH_TRACED)
			continue;
		k = find_kernel(run, kernels, l->kernel, err);
		launch = k ? array_push(&k->launches, 1, err) : NULL;
		if (!launch)
			return err->code;
		*launch = i;
	}
	return 0;
}

void bypass_kernel_release(struct bypass_kernel *k)
{
	address_use_free(k->use);
	k->use = NULL;
	bypass_known_release(&k->known);
	array_release(&k->launches);
}

static struct replay_options options_of(const struct bypass_kernel *k, size_t launch, uint32_t jobs)
{
	const struct bypass_run *run = k->run;
	struct replay_options options = run->options;

	options.registers = run->registers[run->recording->launches[launch].kernel];
	options.jobs = jobs;
	return options;
}

/* Add the results of a launch in the first replay. */
static void see(struct bypass_kernel *k, size_t launch, const struct replay_result *result)
{
	const struct recorded_launch *l = &k->run->recording->launches[launch];
	uint32_t lanes = k->run->gpu->warp_lanes, size[3];
	uint32_t warps = (launch_shape_group_size(&l->shape, 0, size) + lanes - 1) / lanes;
	uint32_t resident = result->schedule.residency.groups;

	bypass_measure_add(&k->cache_all, result);
	k->run->launches++;
	if (warps > k->warps)
		k->warps = warps;
	if (resident > k->groups)
		k->groups = resident;
	if (!k->least_groups || resident < k->least_groups)
		k->least_groups = resident;
}

/* Replay a launch as report does, with bandwidth = off: other reads may miss then. */
static int play_without_bandwidth(struct bypass_kernel *k, size_t launch, struct err *err)
{
	const struct replay_options options = options_of(k, launch, k->run->options.jobs);
	struct replay_result result = { 0 };
	struct gpu gpu = *k->run->gpu;
	int ret;

	if (gpu.bandwidth != GPU_BANDWIDTH_ON)
		return 0;
	gpu.bandwidth = GPU_BANDWIDTH_OFF;
	ret = replay_launch(k->run->recording, launch, &gpu, &options, &result, err);
	if (!ret)
		bypass_measure_add(&k->without_bandwidth, &result);
	replay_result_release(&result);
	return ret;
}

/* As player_visitor.begin: all reads are cached; the observer records how lines are used. */
static int begin_launch(void *kernel, size_t launch, struct replay_options *options,
                        struct err *err)
{
	const struct bypass_kernel *k = kernel;

	(void)launch;
	(void)err;
	options->observer = address_use_observer;
	options->observer_context = k->use;
	return 0;
}

/* Keep a launch that was replayed in the kernel's list. */
static int end_launch(void *kernel, size_t launch, const struct replay_result *result,
                      struct err *err)
{
	struct bypass_kernel *k = kernel;

	see(k, launch, result);
	((size_t *)k->launches.data)[k->launches.count++] = launch;
	return play_without_bandwidth(k, launch, err);
}

/* Count a replayed launch of the kernel in the progress line. Called by one thread at a time. A
 * search cannot know its number of replays in advance, so only those done are shown. */
static void show_replays(struct bypass_run *run, const char *kernel)
{
	char count[SHAPE_TEXT_BYTES];

	work_watch_what(run->watch, "%.40s: %s", kernel,
	                amount_text(count, ++run->replays, "replay"));
}

static void count_replay(void *kernel)
{
	const struct bypass_kernel *k = kernel;

	show_replays(k->run, k->name);
}

static int watch_all(struct bypass_kernel *k, bool is_strict, struct err *err)
{
	const struct player_visitor visitor = {
		.context = k, .begin = begin_launch, .end = end_launch, .release = count_replay
	};
	struct player player = { .is_strict = is_strict,
		                 .launches.recording = k->run->recording,
		                 .gpu = k->run->gpu,
		                 .registers = k->run->registers,
		                 .options = k->run->options,
		                 .outcome = k->run->outcome };
	const size_t *launches = k->launches.data;
	size_t count = k->launches.count;
	int ret = 0;

	k->launches.count = 0;
	for (size_t i = 0; !ret && i < count; i++)
		ret = player_launch(&player, launches[i], &visitor, err);
	k->run->outcome = player.outcome;
	return ret ? ret : address_use_end(k->use, err);
}

int bypass_kernel_begin(struct bypass_kernel *k, bool is_one, struct err *err)
{
	const struct address_use_setup setup = { .sm_count = k->run->gpu->sm_count,
		                                 .site_count = k->table->site_count,
		                                 .buffer_count = k->run->recording->buffer_count };
	const struct bypass_list none = { 0 };
	char *key = NULL;
	int ret = address_use_create(&k->use, &setup, err);

	if (!ret)
		ret = watch_all(k, is_one, err);
	bypass_known_init(&k->known, k->run->recording, k->name, k->warps);
	if (!ret)
		key = bypass_known_key(&k->known, &none, err);
	if (!ret)
		ret = key ? bypass_known_add(&k->known, key, &none, &k->cache_all, err) : err->code;
	k->run->lists++;
	free(key);
	return ret;
}

/* Lists being replayed: task t is launch t % launches of list t / launches. */
struct batch {
	struct bypass_kernel *kernel;
	const struct bypass_list *const *lists;
	const size_t *wanted; /* indexes of the lists to replay */
	struct bypass_measure *out;
	size_t task_count;
	uint32_t jobs;        /* of a task */
	pthread_mutex_t lock; /* protects what follows */
	size_t next;
	size_t failed; /* the first task that failed; SIZE_MAX: none */
	struct err err;
};

static bool take(struct batch *b, size_t *task)
{
	bool is_there;

	pthread_mutex_lock(&b->lock);
	is_there = b->next < b->task_count && b->failed == SIZE_MAX;
	if (is_there)
		*task = b->next++;
	pthread_mutex_unlock(&b->lock);
	return is_there;
}

/* All tasks before one that failed were taken before it, so the first failure is always the one
 * reported. */
static void give(struct batch *b, size_t task, const struct replay_result *result,
                 const struct err *why)
{
	struct bypass_run *run = b->kernel->run;

	pthread_mutex_lock(&b->lock);
	if (!why->code) {
		bypass_measure_add(&b->out[b->wanted[task / b->kernel->launches.count]], result);
	} else if (task < b->failed) {
		b->failed = task;
		b->err = *why;
	}
	show_replays(run, b->kernel->name);
	pthread_mutex_unlock(&b->lock);
}

static void *work(void *context)
{
	struct batch *b = context;
	const struct bypass_kernel *k = b->kernel;
	const size_t *launches = k->launches.data;
	size_t task;

	while (take(b, &task)) {
		size_t launch = launches[task % k->launches.count];
		struct replay_options options = options_of(k, launch, b->jobs);
		struct replay_result result = { 0 };
		struct err why = { 0 };

		options.bypass = b->lists[b->wanted[task / k->launches.count]];
		(void)replay_launch(k->run->recording, launch, k->run->gpu, &options, &result,
		                    &why);
		give(b, task, &result, &why);
		replay_result_release(&result);
	}
	return NULL;
}

/* Replay the wanted lists in this thread and as many more as can be started. */
static int play(struct batch *b, size_t wanted, struct err *err)
{
	uint32_t jobs = b->kernel->run->options.jobs;
	pthread_t threads[BYPASS_RUN_JOBS_MAX];
	size_t started = 0;

	b->task_count = wanted * b->kernel->launches.count;
	b->jobs = b->task_count && b->task_count < jobs ? (uint32_t)(jobs / b->task_count) : 1;
	b->failed = SIZE_MAX;
	pthread_mutex_init(&b->lock, NULL);
	while (started + 1 < jobs && started + 1 < b->task_count &&
	       !pthread_create(&threads[started], NULL, work, b))
		started++;
	work(b);
	while (started)
		pthread_join(threads[--started], NULL);
	pthread_mutex_destroy(&b->lock);
	b->kernel->run->lists += wanted;
	return b->err.code ? err_set(err, (enum err_code)b->err.code, "%s", b->err.msg) : 0;
}

/* Lists to measure together, and which of them must be replayed. */
struct question {
	char **keys;    /* of each list; NULL: not remembered */
	size_t *wanted; /* lists to replay, count of them */
	size_t count;
};

/* Whether an earlier list to replay has the same key. */
static bool is_asked_twice(const struct question *q, size_t list)
{
	for (size_t i = 0; i < q->count; i++) {
		const char *key = q->keys[q->wanted[i]];

		if (key && q->keys[list] && !strcmp(key, q->keys[list]))
			return true;
	}
	return false;
}

static int ask(struct question *q, const struct bypass_kernel *k,
               const struct bypass_list *const *lists, size_t count, struct err *err)
{
	q->keys = array_alloc(count, sizeof(*q->keys), "bypass lists", err);
	q->wanted = array_alloc(count, sizeof(*q->wanted), "bypass lists", err);
	if (!q->keys || !q->wanted)
		return err->code;
	for (size_t i = 0; i < count; i++) {
		struct err why = { 0 };

		q->keys[i] = bypass_known_key(&k->known, lists[i], &why);
		if (why.code)
			return err_set(err, (enum err_code)why.code, "%s", why.msg);
		if (q->keys[i] &&
		    (bypass_known_find(&k->known, q->keys[i]) || is_asked_twice(q, i)))
			continue;
		q->wanted[q->count++] = i;
	}
	return 0;
}

/* Store the results; afterwards all lists are known. */
static int answer(const struct question *q, struct bypass_kernel *k,
                  const struct bypass_list *const *lists, size_t count, struct bypass_measure *out,
                  struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < q->count && !ret; i++) {
		size_t list = q->wanted[i];

		ret = bypass_known_add(&k->known, q->keys[list], lists[list], &out[list], err);
	}
	for (size_t i = 0; i < count && !ret; i++)
		if (q->keys[i])
			out[i] = *bypass_known_find(&k->known, q->keys[i]);
	return ret;
}

int bypass_run_measure(void *kernel, const struct bypass_list *const *lists, size_t count,
                       struct bypass_measure *out, struct err *err)
{
	struct bypass_kernel *k = kernel;
	struct question q = { 0 };
	struct batch b = { .kernel = k, .lists = lists, .out = out };
	int ret = ask(&q, k, lists, count, err);

	if (count)
		memset(out, 0, count * sizeof(*out));
	b.wanted = q.wanted;
	if (!ret && q.count)
		ret = play(&b, q.count, err);
	if (!ret)
		ret = answer(&q, k, lists, count, out, err);
	for (size_t i = 0; q.keys && i < count; i++)
		free(q.keys[i]);
	free(q.keys);
	free(q.wanted);
	return ret;
}
