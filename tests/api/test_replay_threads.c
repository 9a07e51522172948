/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that share a recording do not see one another; of use under ThreadSanitizer. */
#include "api_recording.h"
#include "cmocka_all.h"
#include "warpline_replay.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, RUNS = 4, LAUNCHES = 3 };

struct reader {
	pthread_t thread;
	const struct warpline_recording *recording;
	const char *gpu;
	int jobs;
	uint64_t misses[LAUNCHES], told;
	int failed;
};

/* From `jobs` threads at once. */
static int count(void *context, const struct warpline_request *r)
{
	(void)r;
	atomic_fetch_add((_Atomic uint64_t *)context, 1);
	return 0;
}

static void *replay_all(void *context)
{
	struct reader *r = context;
	struct warpline_gpu *gpu = api_recording_gpu(r->gpu);
	struct warpline_replay *replay = NULL;
	_Atomic uint64_t told = 0;
	char jobs[16];

	r->failed = warpline_replay_create(&replay, NULL);
	(void)snprintf(jobs, sizeof(jobs), "jobs=%d", r->jobs);
	r->failed |= warpline_replay_set(replay, jobs, NULL);
	warpline_replay_on_request(replay, count, &told);
	for (size_t i = 0; i < (size_t)RUNS * LAUNCHES && !r->failed; i++) {
		size_t launch = i % LAUNCHES;

		r->failed |= warpline_replay_run(replay, r->recording, launch, gpu, NULL);
		r->misses[launch] = warpline_replay_number(replay, WARPLINE_TABLE_LAUNCH, 0,
		                                           WARPLINE_read_misses);
		r->told -=
			warpline_replay_number(replay, WARPLINE_TABLE_LAUNCH, 0, WARPLINE_requests);
	}
	r->told += told;
	warpline_replay_free(replay);
	warpline_gpu_free(gpu);
	return NULL;
}

static void threads_share_a_recording(void **state)
{
	static const char *const gpus[THREADS] = { "l1_ways=2", "l2=on", "l1_ways=2" };
	struct warpline_recording *recording = api_recording_open("mixed");
	struct reader readers[THREADS] = { 0 }, alone;

	(void)state;
	for (int i = 0; i < THREADS; i++) {
		readers[i] =
			(struct reader){ .recording = recording, .gpu = gpus[i], .jobs = i + 1 };
		assert_int_equal(pthread_create(&readers[i].thread, NULL, replay_all, &readers[i]),
		                 0);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
		alone = (struct reader){ .recording = recording, .gpu = gpus[i], .jobs = 1 };
		replay_all(&alone);
		assert_int_equal(readers[i].failed | alone.failed, 0);
		assert_memory_equal(readers[i].misses, alone.misses, sizeof(alone.misses));
		assert_int_equal(readers[i].told, 0);
	}
	warpline_recording_close(recording);
	api_recording_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_share_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
