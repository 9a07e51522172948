/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that share files: all come back. */
#include "cmocka_all.h"

#include "bundle_scene.h"
#include "err.h"
#include "recording_copy.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void small_launches_share_a_file(void **state)
{
	static const char *const names[] = { "launches.wlb", "manifest.jsonl" };
	char path[256];
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 1);
	for (int i = 0; i < 26; i++) {
		bundle_scene_add(&s, 100);
		if (i % 3)
			bundle_scene_flush(&s);
	}
	bundle_scene_end(&s);
	bundle_scene_check(&s, true);
	for (size_t i = 0; i < 2; i++) {
		bundle_scene_path(&s, names[i], path);
		assert_int_equal(access(path, F_OK), 0);
	}
	bundle_scene_path(&s, "open.wlb", path);
	assert_int_not_equal(access(path, F_OK), 0);
	bundle_scene_path(&s, "launch-000000.wll", path);
	assert_int_not_equal(access(path, F_OK), 0);
	bundle_scene_free(&s);
}

/* Facts of many bytes: of more launches than fit into one bundle. */
static void counts_of_many_sites_come_back(void **state)
{
	struct bundle_scene s;

	(void)state;
	bundle_scene_make_with(&s, 2, 4000);
	for (s.count = 0; s.count < 1100; s.count++) {
		struct bundle_made *m = &s.launches[s.count];
		struct recorded_launch *l = &m->facts;

		l->number = recording_writer_take_number(s.w);
		l->kernel = BUNDLE_COUNTING;
		l->shape = s.shapes[BUNDLE_COUNTING];
		bundle_scene_counts(&s, l);
		for (size_t i = 0; i < l->count_count; i++)
			l->counts[i] = UINT64_MAX / 8;
		recorded_counts_total(&s.tables[BUNDLE_COUNTING], l->counts, &l->totals);
		l->totals.groups = launch_shape_group_count(&l->shape);
		assert_true(bundle_scene_write(&s, m, UINT64_MAX));
	}
	bundle_scene_end(&s);
	bundle_scene_check(&s, true);
	bundle_scene_free(&s);
}

static char word[] = "app";

static bool is_even(const void *context, const struct recording *r, const struct recorded_launch *l)
{
	(void)context;
	(void)r;
	return l->number % 2 == 0;
}

/* As `rm` and `merge` do: the launches of one recording, then again, of which the odd ones are left
 * out. */
static void bundles_are_copied(void **state)
{
	const struct recording_copy_choice all = { 0 }, even = { .keeps = is_even };
	struct recording_copy *copy = NULL;
	struct recording *r, *both;
	char dir[128], *command[] = { word, NULL };
	uint64_t bytes;
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 21);
	bundle_scene_add(&s, 300);
	bundle_scene_end(&s);
	r = bundle_scene_open(s.dir);
	snprintf(dir, sizeof(dir), "%s", scratch_path(&s.scratch, "both"));
	assert_int_equal(recording_writer_create(&s.w, dir, "t", command, NULL), 0);
	assert_int_equal(recording_copy_create(&copy, s.w, NULL), 0);
	assert_int_equal(recording_copy_add(copy, r, &all, NULL), 0);
	assert_int_equal(recording_copy_add(copy, r, &even, NULL), 0);
	assert_int_equal(recording_copy_end(copy, NULL), 0);
	assert_int_equal(recording_copy_left_out(copy, &bytes), s.count / 2);
	assert_true(bytes > 0);
	recording_copy_free(copy);
	both = bundle_scene_open(dir);
	assert_int_equal(both->kernel_count, BUNDLE_KERNELS);
	assert_int_equal(both->launch_count, 2 * s.count);
	for (size_t i = 0; i < both->launch_count; i++) {
		const struct recorded_launch *l = &both->launches[i];
		struct err err = { 0 };

		assert_int_equal(l->number, i);
		if (i >= s.count && i % 2) {
			assert_int_equal(l->fate, LAUNCH_UNSELECTED);
			continue;
		}
		assert_int_equal(bundle_scene_read(&s, both, i, &err), 0);
		for (size_t a = 0; a < l->argument_count; a++)
			assert_int_equal(
				l->arguments[a].buffer,
				s.launches[i % s.count].facts.arguments[a].buffer < 0
					? -1
					: s.launches[i % s.count].facts.arguments[a].buffer +
						  (i >= s.count ? BUNDLE_BUFFERS : 0));
	}
	assert_true(recording_is_complete(both, NULL));
	recording_close(both);
	recording_close(r);
	bundle_scene_free(&s);
}

static void a_launch_without_room_is_not_written(void **state)
{
	struct recording *r;
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 3);
	bundle_scene_add(&s, 5);
	for (uint64_t room = 0; room < 2; room++) {
		bundle_scene_launch(&s, &s.launches[s.count]);
		assert_int_equal(bundle_scene_write(&s, &s.launches[s.count], room ? 1 << 20 : 40),
		                 room == 1);
		s.count++;
	}
	bundle_scene_end(&s);
	r = bundle_scene_open(s.dir);
	assert_int_equal(r->launch_count, 6);
	assert_int_equal(recording_find_launch(r, 5), 6);
	assert_int_equal(r->launches[5].number, 6);
	recording_close(r);
	bundle_scene_free(&s);
}

static void a_number_that_is_there_twice_is_refused(void **state)
{
	struct recording *r = NULL;
	struct err err = { 0 };
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 4);
	bundle_scene_add(&s, 5);
	assert_int_equal(recording_writer_launch_at(s.w, &s.launches[3].facts, 3, NULL), 0);
	bundle_scene_end(&s);
	assert_int_equal(recording_open(&r, s.dir, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "launch 3 is there twice"));
	bundle_scene_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_launches_share_a_file),
		cmocka_unit_test(counts_of_many_sites_come_back),
		cmocka_unit_test(bundles_are_copied),
		cmocka_unit_test(a_launch_without_room_is_not_written),
		cmocka_unit_test(a_number_that_is_there_twice_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
