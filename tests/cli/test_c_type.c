/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "c_type.h"

static void the_type_is_told_when_it_has_the_size(void **state)
{
	static const struct {
		const char *pointer;
		uint32_t bytes;
		const char *name;
	} rows[] = {
		{ "const __global float *", 4, "float" },
		{ "const __global float *", 16, "" }, /* of a vector that is read through it */
		{ "__global float4 *restrict", 16, "float4" },
		{ "global const volatile uchar16*", 16, "uchar16" },
		{ "int3 *", 16, "int3" },
		{ "double2 *", 16, "double2" },
		{ "pair *", 8, "" },
		{ "floats *", 4, "" },
		{ "float5 *", 20, "" },
		{ "averyveryverylongname *", 4, "" },
		{ "", 4, "" },
		{ "*", 0, "" },
	};
	char name[C_TYPE_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(c_type_pointed_to(rows[i].pointer, rows[i].bytes, name),
		                    rows[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_type_is_told_when_it_has_the_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
