/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline is JSON of the Trace Event Format, however many launches there are and however little
 * room. */
#include "cmocka_all.h"
#include "err.h"
#include "perfetto.h"
#include "recording.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct cell_column list[] = {
	{ "launch", "", "", CELL_NUMBER },
	{ "kernel", "", "", CELL_TEXT },
	{ "device", "", "", CELL_NUMBER },
	{ "start_ns", "", "", CELL_NUMBER },
	{ "device_ns", "", "", CELL_NUMBER },
	{ "accesses", "", "", CELL_NUMBER },
};

/* `count` launches of 1.5 us, every third without a time; *p says what became of them. */
static json_t *write_timeline(uint64_t count, uint64_t limit, struct perfetto *p, size_t *length)
{
	struct recorded_device device = { .name = (char[]){ "GPU \"x\"" } };
	const struct recording recording = { .devices = &device, .device_count = 1 };
	struct table w = { .count = 6, .format = &table_as_perfetto, .context = p };
	struct err err = { 0 };
	char *text = NULL;
	json_t *root;

	*p = (struct perfetto){ .recording = &recording, .limit_bytes = limit };
	for (uint32_t i = 0; i < 6; i++)
		w.shown[i] = &list[i];
	w.out = open_memstream(&text, length);
	assert_non_null(w.out);
	assert_int_equal(table_as_perfetto.begin(&w, &err), 0);
	for (uint64_t i = 0; i < count; i++) {
		const struct cell cells[] = {
			cell_number(i),
			cell_text(i % 4 == 1 ? "a kernel with a long name" : "mm"),
			cell_number(0),
			cell_number(1500 * i),
			i % 3 == 2 ? cell_none() : cell_number(1500),
			cell_none(),
		};

		assert_int_equal(table_as_perfetto.row(&w, cells, &err), 0);
	}
	assert_int_equal(table_as_perfetto.end(&w, &err), 0);
	fclose(w.out);
	root = json_loads(text, 0, NULL);
	free(text);
	assert_non_null(root);
	return root;
}

static uint64_t other(const json_t *root, const char *key)
{
	return (uint64_t)json_integer_value(
		json_object_get(json_object_get(root, "otherData"), key));
}

/* Events with that letter in `ph`. */
static size_t count_events(const json_t *root, const char *letter)
{
	const json_t *events = json_object_get(root, "traceEvents");
	size_t count = 0;

	for (size_t i = 0; i < json_array_size(events); i++)
		count +=
			!strcmp(json_string_value(json_object_get(json_array_get(events, i), "ph")),
		                letter);
	return count;
}

/* The number of the launch that is the i-th one in the timeline. */
static size_t launch_of(const json_t *root, size_t i)
{
	const json_t *events = json_object_get(root, "traceEvents");
	size_t first = json_array_size(events) - count_events(root, "X") - count_events(root, "i");
	const json_t *args = json_object_get(json_array_get(events, first + i), "args");

	return (size_t)json_integer_value(json_object_get(args, "launch"));
}

static void launches_are_slices_of_a_track(void **state)
{
	struct perfetto p;
	size_t length;
	json_t *root = write_timeline(7, PERFETTO_LIMIT_BYTES, &p, &length);
	const json_t *events = json_object_get(root, "traceEvents"), *slice = NULL;

	(void)state;
	/* 0 1 3 4 6 have a time, 2 and 5 have none. */
	assert_int_equal(count_events(root, "X"), 5);
	assert_int_equal(count_events(root, "i"), 2);
	assert_int_equal(p.without_time, 2);
	assert_int_equal(other(root, "launches"), 7);
	assert_int_equal(other(root, "left_out"), 0);
	for (size_t i = 0; i < json_array_size(events); i++)
		if (!strcmp(json_string_value(json_object_get(json_array_get(events, i), "ph")),
		            "X"))
			slice = json_array_get(events, i);
	/* Microseconds: launch 6 begins at 9,000 ns. */
	assert_true(json_number_value(json_object_get(slice, "ts")) == 9.0);
	assert_true(json_number_value(json_object_get(slice, "dur")) == 1.5);
	assert_string_equal(json_string_value(json_object_get(slice, "name")), "mm");
	assert_int_equal(json_integer_value(json_object_get(slice, "pid")), 1);
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(slice, "args"), "launch")), 6);
	json_decref(root);
}

static void a_timeline_without_launches_is_one(void **state)
{
	struct perfetto p;
	size_t length;
	json_t *root = write_timeline(0, PERFETTO_LIMIT_BYTES, &p, &length);

	(void)state;
	assert_int_equal(count_events(root, "X") + count_events(root, "i"), 0);
	json_decref(root);
}

static void what_there_is_no_room_for_is_counted(void **state)
{
	(void)state;
	for (uint64_t limit = 1024; limit < 4000; limit += 37) {
		struct perfetto p;
		size_t length;
		json_t *root = write_timeline(40, limit, &p, &length);
		size_t there = count_events(root, "X") + count_events(root, "i");

		/* Below some 1,200 bytes there is no room but for the head and the end. */
		assert_true(length <= (limit < 1300 ? 1300 : limit));
		assert_int_equal(p.launches, 40);
		assert_int_equal(there + p.left_out, 40);
		assert_int_equal(other(root, "left_out"), p.left_out);
		/* They are the last ones, also where there were room for a shorter name. */
		for (size_t i = 0; i < there; i++)
			assert_int_equal(launch_of(root, i), i);
		json_decref(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_are_slices_of_a_track),
		cmocka_unit_test(a_timeline_without_launches_is_one),
		cmocka_unit_test(what_there_is_no_room_for_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
