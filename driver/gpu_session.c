/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_session.h"

#include "err.h"
#include "gpu_device.h"
#include "gpu_engine.h"
#include "gpu_link.h"
#include "gpu_memory.h"
#include "gpu_module.h"
#include "problem.h"
#include "recorder.h"
#include "recorder_start.h"
#include "seen_list.h"
#include "str.h"
#include "thread_pool.h"

#include <stdlib.h>
#include <time.h>

#define LIMIT_RANGES  (1 << 24)
#define LIMIT_DEVICES 1024

/* The one mutable global of this library. At exit the session is not freed: threads may come late.
 */
static _Atomic(struct gpu_session *) current;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_lists(struct gpu_session *s)
{
	uint64_t now = gpu_session_now();

	pthread_mutex_init(&s->lock, NULL);
	launch_tallies_init(&s->tallies, now);
	launch_quota_init(&s->quota, &s->settings, now);
	array_init(&s->ranges, sizeof(struct address_range), LIMIT_RANGES, "allocations");
	array_init(&s->devices, sizeof(struct gpu_device), LIMIT_DEVICES, "devices");
}

/* A session over settings that it takes. NULL, with a line on stderr, when it cannot record. */
static struct gpu_session *make(struct recorder_settings settings)
{
	struct gpu_session *s = calloc(1, sizeof(*s));
	struct err err = { 0 };

	if (!s) {
		recorder_settings_release(&settings);
		return NULL;
	}
	s->settings = settings;
	init_lists(s);
	if (launch_filter_init(&s->filter, &s->settings, &err) < 0 ||
	    thread_pool_create(&s->pool, &err) < 0 ||
	    recorder_start(&s->recorder, &s->settings, &err) < 0) {
		problem("nothing is recorded: %s", err.msg);
		seen_list_add(s->settings.seen, SEEN_FAILURE, err.msg);
		gpu_session_free(s);
		return NULL;
	}
	atomic_store_explicit(&current, s, memory_order_release);
	return s;
}

/* A child has the parent's memory but not its threads, and not its recording: what it knew of that
 * is left alone. (CUDA itself does not work in a child whose parent has begun with it.) */
static void leave_to_parent(void)
{
	static const pthread_once_t fresh = PTHREAD_ONCE_INIT;

	atomic_store_explicit(&current, NULL, memory_order_release);
	once = fresh;
}

static void begin(void)
{
	struct recorder_settings settings;

	if (recorder_start_settings(&settings) && make(settings))
		pthread_atfork(NULL, NULL, leave_to_parent);
}

/* After the application's own destructors, which may still launch. */
__attribute__((destructor)) static void end_with_process(void)
{
	gpu_session_end();
}

struct gpu_session *gpu_session_begin(void)
{
	pthread_once(&once, begin);
	return gpu_session_current();
}

struct gpu_session *gpu_session_current(void)
{
	return atomic_load_explicit(&current, memory_order_acquire);
}

struct gpu_session *gpu_session_create(const char *dir, const char *instrumenter,
                                       uint64_t buffer_bytes)
{
	struct recorder_settings settings;
	int rc = recorder_settings_init(&settings, NULL);

	free(settings.dir);
	free(settings.instrumenter);
	settings.dir = str_copy(dir, NULL);
	settings.instrumenter = str_copy(instrumenter, NULL);
	settings.buffer_bytes = buffer_bytes;
	if (rc == 0 && settings.dir && settings.instrumenter)
		return make(settings);
	recorder_settings_release(&settings);
	return NULL;
}

void gpu_session_end(void)
{
	struct gpu_session *s = atomic_exchange(&current, NULL);

	if (!s)
		return;
	launch_tallies_write(&s->tallies, s->recorder, gpu_session_now());
	recorder_end(s->recorder);
}

/* Empty a map whose values are freed by `release`. */
static void release_map(struct handle_map *map, void (*release)(void *value))
{
	for (size_t i = 0; release && i < map->capacity; i++)
		if (map->slots[i].key)
			release(map->slots[i].value);
	handle_map_release(map);
}

static void release_module(void *module)
{
	gpu_module_release(module);
}

void gpu_session_free(struct gpu_session *s)
{
	thread_pool_free(s->pool);
	release_map(&s->modules, release_module);
	release_map(&s->libraries, release_module);
	release_map(&s->functions, NULL);
	release_map(&s->kernels, NULL);
	release_map(&s->links, gpu_link_free);
	release_map(&s->engines, gpu_engine_free);
	array_release(&s->ranges);
	array_release(&s->devices);
	recorder_free(s->recorder);
	launch_tallies_release(&s->tallies);
	launch_filter_release(&s->filter);
	launch_quota_release(&s->quota);
	recorder_settings_release(&s->settings);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void gpu_session_lock(struct gpu_session *s)
{
	pthread_mutex_lock(&s->lock);
}

void gpu_session_unlock(struct gpu_session *s)
{
	pthread_mutex_unlock(&s->lock);
}

bool gpu_session_device(struct gpu_session *s, CUdevice device, uint32_t *id)
{
	struct gpu_device *list, *added;
	bool is_known = false;

	gpu_session_lock(s);
	list = s->devices.data;
	for (size_t i = 0; i < s->devices.count && !is_known; i++) {
		is_known = list[i].device == device;
		*id = list[i].id;
	}
	gpu_session_unlock(s);
	if (is_known)
		return true;
	if (!gpu_device_write(s->recorder, device, id))
		return false;
	/* Two threads may both have written a line; either number is right. */
	gpu_session_lock(s);
	added = array_push(&s->devices, 1, NULL);
	if (added)
		*added = (struct gpu_device){ device, *id };
	gpu_session_unlock(s);
	return true;
}

static void write_due(struct gpu_session *s)
{
	uint64_t due = atomic_load(&s->tally_due_ns), now = gpu_session_now();

	if (!due || now < due || !atomic_compare_exchange_strong(&s->tally_due_ns, &due, 0))
		return;
	launch_tallies_write(&s->tallies, s->recorder, now);
}

void gpu_session_count(struct gpu_session *s, struct launch_tally *tally, enum tally_reason reason,
                       uint64_t number)
{
	if (launch_tally_count(&s->tallies, tally, reason, number))
		atomic_store(&s->tally_due_ns,
		             launch_tallies_due_ns(&s->tallies, gpu_session_now()));
	write_due(s);
}

uint64_t gpu_session_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void gpu_session_worked(struct gpu_session *s, uint64_t since)
{
	recorder_worked(s->recorder, RECORDER_WORK, gpu_session_now() - since);
}
