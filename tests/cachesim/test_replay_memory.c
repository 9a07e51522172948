/* SPDX-License-Identifier: Apache-2.0 */
/* What replay takes of memory does not grow with the recording: not with half a million groups, nor
 * with two million accesses anywhere. Measured as the peak of resident memory (Linux). */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "peak_memory.h"
#include "replay.h"
#include "scene.h"

#define VALUES UINT64_C(262144)

static uint64_t anywhere(size_t site, const uint64_t id[3])
{
	return ((id[0] * 4 + site) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % VALUES;
}

static struct scene scene_of(uint64_t groups, uint64_t items)
{
	return (struct scene){ .name = "anywhere",
		               .kinds = "rrrw",
		               .arguments = { 0, 0, 1, 2 },
		               .buffer_count = 3,
		               .buffer_bytes = VALUES * 4,
		               .shape = { 1, { groups * items, 1, 1 }, { items, 1, 1 }, { 0 } },
		               .index = anywhere };
}

/* Resident memory that a replay may add. An index with an entry for each group would take 6 MB of
 * the first; of the second a chunk's events, decoded, take 16 MB, its columns 7. */
static const struct {
	uint64_t groups, items;
	long peak_max_kb;
} rows[] = { { 500000, 2, 4096 }, { 2048, 256, 14336 } };

/* What a replay of the scene adds to resident memory; -1 when that cannot be measured. */
static long peak_of(const struct scene *scene, uint64_t groups)
{
	const struct replay_options options = { 0 };
	struct replay_result result = { 0 };
	struct err err = { 0 };
	char dir[32];
	struct recording *r = scene_record(scene, &(struct scene_mishap){ 0 }, dir);
	bool is_measured = peak_memory_begin();
	long before = peak_memory_now_kb(), peak;
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	if (replay_launch(r, 0, &gpu, &options, &result, &err))
		fail_msg("%s", err.msg);
	peak = peak_memory_kb() - before;
	print_message("%ld KB beside the %ld before\n", peak, before);
	assert_int_equal(result.schedule.groups, groups);
	assert_true(result.total.reads > 0);
	replay_result_release(&result);
	scene_forget(r, dir);
	return is_measured ? peak : -1;
}

static void memory_does_not_grow_with_the_recording(void **state)
{
	(void)state;
	if (!peak_memory_is_measured())
		skip();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct scene scene = scene_of(rows[i].groups, rows[i].items);
		long peak = peak_of(&scene, rows[i].groups);

		if (peak < 0)
			skip();
		assert_in_range(peak, 0, rows[i].peak_max_kb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_does_not_grow_with_the_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
