/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "address_map.h"
#include "err.h"
#include "recording.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Whole 0 of 1000 bytes, whole 1 of 256, whole 2 of 1, parts 3 and 4 of 0, SVM 5 and 6. */
static struct recorded_buffer buffers[] = {
	{ .bytes = 1000, .parent = -1 },
	{ .bytes = 256, .parent = -1 },
	{ .bytes = 1, .parent = -1 },
	{ .bytes = 100, .parent = 0, .origin_bytes = 500 },
	{ .bytes = 100, .parent = 0, .origin_bytes = 550 },
	{ .bytes = 64, .parent = -1, .svm_address = 0x9000 },
	{ .bytes = 64, .parent = -1, .svm_address = 0x9020 },
};

static struct recording recording_of(struct recorded_launch *launch)
{
	return (struct recording){ .buffers = buffers,
		                   .buffer_count = COUNT(buffers),
		                   .launches = launch,
		                   .launch_count = 1 };
}

/* The replay address of a recorded one, and its buffer. */
static uint64_t find(const struct address_map *map, uint64_t address, int32_t *buffer)
{
	struct address_range r = address_map_range(map, address);

	*buffer = r.buffer;
	return address + r.delta;
}

static void addresses_go_to_the_buffers_synthetic_places(void **state)
{
	/* Bases, 256-byte aligned in order: 0 at +0 (1000 bytes take 1024), 1 at +0x400, 2 at
	 * +0x500, 5 at +0x600, 6 at +0x700; parts 3 and 4 at +500 and +550. */
	static const struct {
		uint64_t recorded, replay;
		int32_t buffer;
	} rows[] = {
		{ 0x7000, 0x10000000, 0 },
		{ 0x7000 + 499, 0x10000000 + 499, 0 },
		{ 0x7000 + 500, 0x10000000 + 500, 3 }, /* the part rather than the whole */
		{ 0x7000 + 549, 0x10000000 + 549, 3 },
		{ 0x7000 + 550, 0x10000000 + 550, 4 }, /* of two parts alike the later */
		{ 0x7000 + 649, 0x10000000 + 649, 4 },
		{ 0x7000 + 650, 0x10000000 + 650, 0 },
		{ 0x7000 + 999, 0x10000000 + 999, 0 },
		{ 0x7000 + 1000, 0x7000 + 1000, -1 }, /* in no buffer: unchanged */
		{ 0x6fff, 0x6fff, -1 },
		{ 0x4000, 0x10000400, 1 },
		{ 0x40ff, 0x100004ff, 1 },
		{ 0x4100, 0x10000500, 2 },
		{ 0x4101, 0x4101, -1 },
		{ 0x9000, 0x10000600, 5 },
		{ 0x901f, 0x1000061f, 5 },
		{ 0x9020, 0x10000700, 6 }, /* the later allocation hides the one that was freed */
		{ 0x905f, 0x1000073f, 6 },
		{ 0, 0, -1 },
		{ UINT64_MAX, UINT64_MAX, -1 },
	};
	struct recorded_argument arguments[] = {
		{ 0, 0, 0x7000 },       { 1, 1, 0x4000 }, { 2, 2, 0x4100 }, { 3, 3, 0x7000 + 500 },
		{ 4, 4, 0x7000 + 550 }, { 5, -1, 0x123 }, { 6, 1, 0 },      { 7, 0, 0x7000 },
	};
	struct recorded_launch launch = { .arguments = arguments,
		                          .argument_count = COUNT(arguments) };
	struct recording r = recording_of(&launch);
	struct address_map *map;

	(void)state;
	assert_int_equal(address_map_create(&map, &r, 0, NULL), 0);
	assert_false(address_map_is_identity(map));
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct address_range range = address_map_range(map, rows[i].recorded);
		int32_t buffer;

		print_message("  0x%llx\n", (unsigned long long)rows[i].recorded);
		assert_int_equal(find(map, rows[i].recorded, &buffer), rows[i].replay);
		assert_int_equal(buffer, rows[i].buffer);
		assert_true(range.begin <= rows[i].recorded && rows[i].recorded <= range.last);
	}
	address_map_free(map);
}

static void a_range_is_right_for_all_its_addresses(void **state)
{
	struct recorded_argument arguments[] = { { 0, 0, 0x7000 }, { 3, 3, 0x7000 + 500 } };
	struct recorded_launch launch = { .arguments = arguments, .argument_count = 2 };
	struct recording r = recording_of(&launch);
	struct address_map *map;

	(void)state;
	assert_int_equal(address_map_create(&map, &r, 0, NULL), 0);
	for (uint64_t a = 0x6f00; a < 0x7800; a++) {
		struct address_range range = address_map_range(map, a);

		for (uint64_t b = range.begin; b <= range.last && b < 0x7800; b++) {
			int32_t buffer;

			assert_int_equal(find(map, b, &buffer), b + range.delta);
			assert_int_equal(buffer, range.buffer);
			if (b < 0x6f00)
				b = 0x6eff;
		}
	}
	address_map_free(map);
}

static void a_recording_without_buffers_gives_the_identity(void **state)
{
	struct recorded_launch launch = { 0 };
	struct recording r = { .launches = &launch, .launch_count = 1 };
	struct address_map *map;
	int32_t buffer;

	(void)state;
	assert_int_equal(address_map_create(&map, &r, 0, NULL), 0);
	assert_true(address_map_is_identity(map));
	assert_int_equal(find(map, 0x1234, &buffer), 0x1234);
	assert_int_equal(buffer, -1);
	address_map_free(map);
	address_map_free(NULL);
	assert_true(address_map_is_identity(NULL));
	assert_int_equal(address_map_range(NULL, 5).last, UINT64_MAX);
}

static void the_last_byte_of_the_space_may_be_in_a_buffer(void **state)
{
	struct recorded_argument argument = { 0, 1, UINT64_MAX - 255 };
	struct recorded_launch launch = { .arguments = &argument, .argument_count = 1 };
	struct recording r = recording_of(&launch);
	struct address_map *map;
	int32_t buffer;

	(void)state;
	assert_int_equal(address_map_create(&map, &r, 0, NULL), 0);
	assert_int_equal(find(map, UINT64_MAX, &buffer), 0x100004ff);
	assert_int_equal(buffer, 1);
	assert_int_equal(find(map, UINT64_MAX - 256, &buffer), UINT64_MAX - 256);
	address_map_free(map);
}

static void what_cannot_be_is_refused(void **state)
{
	static struct recorded_buffer bad_parent[] = { { .bytes = 1, .parent = 0 } };
	static struct recorded_buffer too_long[] = {
		{ .bytes = 8, .parent = -1 }, { .bytes = 8, .parent = 0, .origin_bytes = 1 }
	};
	static struct recorded_buffer too_many[] = { { .bytes = UINT64_MAX, .parent = -1 } };
	static const struct {
		struct recorded_buffer *buffers;
		size_t buffer_count, launch;
		struct recorded_argument arguments[2];
		int code;
		const char *message;
	} rows[] = {
		{ buffers, 7, 1, { { 0 } }, ERR_USAGE, "no launch 1: the recording has 1" },
		{ buffers, 7, 0, { { 0, 7, 1 } }, ERR_FORMAT, "argument 0: there is no buffer 7" },
		{ buffers,
		  7,
		  0,
		  { { 0, 0, 0x1000 }, { 1, 1, 0x1010 } },
		  ERR_FORMAT,
		  "buffers 0 and 1 overlap at 0x1010 in the launch" },
		{ buffers,
		  7,
		  0,
		  { { 0, 0, UINT64_MAX - 3 } },
		  ERR_FORMAT,
		  "buffer 0: 1000 bytes at 0xfffffffffffffffc leave the address space" },
		{ bad_parent,
		  1,
		  0,
		  { { 0 } },
		  ERR_FORMAT,
		  "buffer 0: its parent 0 is not an earlier buffer" },
		{ too_long, 2, 0, { { 0 } }, ERR_FORMAT, "buffer 1: is not inside its parent" },
		{ too_many, 1, 0, { { 0 } }, ERR_FORMAT, "buffer 0: leaves the address space" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct recorded_argument arguments[2] = { rows[i].arguments[0],
			                                  rows[i].arguments[1] };
		struct recorded_launch launch = { .arguments = arguments, .argument_count = 2 };
		struct recording r = { .buffers = rows[i].buffers,
			               .buffer_count = rows[i].buffer_count,
			               .launches = &launch,
			               .launch_count = 1 };
		struct address_map *map = NULL;
		struct err err = { 0 };

		assert_int_equal(address_map_create(&map, &r, rows[i].launch, &err), rows[i].code);
		assert_string_equal(err.msg, rows[i].message);
		assert_null(map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_go_to_the_buffers_synthetic_places),
		cmocka_unit_test(a_range_is_right_for_all_its_addresses),
		cmocka_unit_test(a_recording_without_buffers_gives_the_identity),
		cmocka_unit_test(the_last_byte_of_the_space_may_be_in_a_buffer),
		cmocka_unit_test(what_cannot_be_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
