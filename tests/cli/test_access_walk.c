/* SPDX-License-Identifier: Apache-2.0 */
#include "access_walk.h"

#include "cmocka_all.h"

/* Buffer 0 is [0x1000, 0x1100), buffer 1 [0x1100, 0x1110), buffer 2 was not an argument; argument 2
 * points into memory that is in no buffer. */
static void an_address_belongs_to_the_buffer_that_holds_it(void **state)
{
	static const struct {
		uint64_t address;
		int64_t buffer;
		uint64_t offset;
	} cases[] = {
		{ 0x0fff, -1, 0 },
		{ 0x1000, 0, 0 },
		{ 0x10ff, 0, 0xff },
		{ 0x1100, 1, 0 },
		{ 0x110f, 1, 0x0f },
		{ 0x1110, 5, 0x30 },
		{ 0x9000, -1, 0 },
		{ 0, -1, 0 },
		{ UINT64_MAX, -1, 0 },
		/* shared virtual memory; where two were, the later one; an argument comes first */
		{ 0x20000, 3, 0 },
		{ 0x2001f, 3, 0x1f },
		{ 0x20020, 4, 0 },
		{ 0x2005f, 4, 0x3f },
		{ 0x20060, -1, 0 },
	};
	const struct site global = { .space = SPACE_GLOBAL }, local = { .space = SPACE_LOCAL };
	struct recorded_buffer buffers[] = { { .bytes = 0x100, .parent = -1 },
		                             { .bytes = 0x10, .parent = -1 },
		                             { .bytes = 0x1000, .parent = -1 },
		                             { .bytes = 0x40, .svm_address = 0x20000 },
		                             { .bytes = 0x40, .svm_address = 0x20020 },
		                             { .bytes = 0x40, .svm_address = 0x10e0 } };
	struct recorded_argument arguments[] = { { 0, 0, 0x1000 },
		                                 { 1, 1, 0x1100 },
		                                 { 2, -1, 0x9000 } };
	struct recording recording = { .buffers = buffers, .buffer_count = 6 };
	struct recorded_launch launch = { .arguments = arguments, .argument_count = 3 };
	struct access_walk w = { .launches = { .recording = &recording }, .launch = &launch };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct access access = { .facts = &global, .address = cases[i].address };
		uint64_t offset = 0;

		assert_int_equal(access_walk_buffer(&w, &access, &offset), cases[i].buffer);
		assert_int_equal(offset, cases[i].offset);
		access.facts = &local;
		assert_int_equal(access_walk_buffer(&w, &access, &offset), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_belongs_to_the_buffer_that_holds_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
