/* SPDX-License-Identifier: Apache-2.0 */
/* Measures are sums of replays, whatever the threads, and no list is replayed twice. */
#include "bypass_recordings.h"
#include "bypass_run.h"

#include "address_use.h"
#include "bypass_list.h"
#include "cmocka_all.h"
#include "gpu.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const texts[] = { "none",    "all",           "site:0", "site:1",
	                             "warps:0", "site:0,site:1", "line:8", "argument:stream",
	                             "site:1",  "buffer:0" };
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

/* Of these, in streaming: none; all = warps:0 = site:0,site:1; site:0; site:1 = line:8 =
 * argument:stream; buffer:0 (which nobody knows to be site:0). */
enum { DIFFERENT = 5 };

static char dir[64];
static struct recording *recording;
static struct gpu gpu;
static struct bypass_list lists[TEXTS];

static int open_all(void **state)
{
	struct err err = { 0 };

	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/warpline-bypass-%ld", (long)getpid());
	if (bypass_recording_make_mixed(dir, &err) || recording_open(&recording, dir, &err) ||
	    gpu_load(&gpu, WARPLINE_TEST_GPU, NULL, &err)) {
		print_error("%s\n", err.msg);
		return -1;
	}
	gpu.l1_index.kind = GPU_L1_INDEX_MODULO;
	gpu.l1_sets = 1;
	gpu.l1_ways = 4;
	for (size_t i = 0; i < TEXTS; i++)
		if (bypass_list_parse(&lists[i], texts[i], NULL))
			return -1;
	return 0;
}

static int close_all(void **state)
{
	char command[96];

	(void)state;
	for (size_t i = 0; i < TEXTS; i++)
		bypass_list_release(&lists[i]);
	recording_close(recording);
	(void)snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command); /* NOLINT(cert-env33-c) */
}

/* Open the kernel `name`. */
static struct bypass_kernel begin(struct bypass_run *run, const char *name, uint32_t jobs)
{
	static uint32_t registers[8];
	const struct launch_choice all = { .recording = recording, .end = recording->launch_count };
	struct array kernels;
	struct bypass_kernel *k, found = { 0 };

	*run = (struct bypass_run){ .recording = recording, .gpu = &gpu, .registers = registers };
	run->options.jobs = jobs;
	assert_int_equal(bypass_run_kernels(run, &all, &kernels, NULL), 0);
	assert_int_equal(kernels.count, 2);
	k = kernels.data;
	for (size_t i = 0; i < kernels.count; i++)
		if (!strcmp(k[i].name, name))
			found = k[i];
		else
			bypass_kernel_release(&k[i]);
	array_release(&kernels);
	assert_int_equal(bypass_kernel_begin(&found, false, NULL), 0);
	return found;
}

/* The same by one replay after another. */
static struct bypass_measure naive(const char *name, const struct bypass_list *list)
{
	struct bypass_measure sum = { 0 };

	for (size_t i = 0; i < recording->launch_count; i++) {
		const struct replay_options options = { .bypass = list };
		struct replay_result result;

		if (strcmp(recording->kernels[recording->launches[i].kernel].table.name, name) != 0)
			continue;
		if (!replay_launch(recording, i, &gpu, &options, &result, NULL))
			bypass_measure_add(&sum, &result);
		replay_result_release(&result);
	}
	return sum;
}

static void a_measure_is_the_sum_of_replays(void **state)
{
	const struct bypass_list *asked[TEXTS];

	(void)state;
	for (size_t i = 0; i < TEXTS; i++)
		asked[i] = &lists[i];
	for (uint32_t jobs = 1; jobs < 40; jobs += 13) {
		struct bypass_measure out[TEXTS];
		struct bypass_run run;
		struct bypass_kernel k = begin(&run, "streaming", jobs);

		assert_int_equal(bypass_run_measure(&k, asked, TEXTS, out, NULL), 0);
		for (size_t i = 0; i < TEXTS; i++) {
			const struct bypass_measure expected = naive("streaming", &lists[i]);

			assert_memory_equal(&out[i], &expected, sizeof(expected));
		}
		/* two of its three launches can be played, each once for each list */
		assert_int_equal(run.launches, 2);
		assert_int_equal(run.outcome.refused, 1);
		assert_int_equal(run.lists, DIFFERENT);
		/* the one that cannot be was tried once */
		assert_int_equal(run.replays, 2 * DIFFERENT + 1);
		bypass_kernel_release(&k);
	}
}

static void what_is_known_is_not_replayed_again(void **state)
{
	struct bypass_measure first, again;
	struct bypass_run run;
	struct bypass_kernel k = begin(&run, "streaming", 2);

	(void)state;
	for (size_t i = 0; i < TEXTS; i++) {
		const struct bypass_list *list = &lists[i];

		assert_int_equal(bypass_run_measure(&k, &list, 1, &first, NULL), 0);
		assert_int_equal(bypass_run_measure(&k, &list, 1, &again, NULL), 0);
		assert_memory_equal(&first, &again, sizeof(first));
	}
	assert_int_equal(run.lists, DIFFERENT);
	bypass_kernel_release(&k);
}

/* By hand: launches of two groups and of one, each on its own SM, with 16 reads of the table and 16
 * of the stream. With room for four lines all miss; the stream past L1, the table's four lines miss
 * once.
 */
static void the_stream_past_l1_lets_the_table_stay(void **state)
{
	const struct bypass_list *list = &lists[3];
	struct bypass_measure m;
	struct bypass_run run;
	struct bypass_kernel k = begin(&run, "streaming", 1);

	(void)state;
	assert_int_equal(k.warps, 1);
	assert_int_equal(k.cache_all.reads, 3 * 32);
	assert_int_equal(k.cache_all.misses, 3 * 32);
	assert_int_equal(k.cache_all.bytes_from_l2, 3 * 32 * 128);
	assert_int_equal(bypass_run_measure(&k, &list, 1, &m, NULL), 0);
	assert_int_equal(m.reads, 3 * 16);
	assert_int_equal(m.bypasses, 3 * 16);
	assert_int_equal(m.misses, 3 * 4);
	assert_int_equal(m.read_hits, 3 * 12);
	assert_int_equal(m.bytes_from_l2, 3 * (4 + 16) * 128);
	assert_true(m.cycles < k.cache_all.cycles);
	bypass_kernel_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_measure_is_the_sum_of_replays),
		cmocka_unit_test(what_is_known_is_not_replayed_again),
		cmocka_unit_test(the_stream_past_l1_lets_the_table_stay),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
