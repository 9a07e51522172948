/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_target.h"

#include "cmocka_all.h"

static void unknown_gpus_become_the_next_older_one(void **state)
{
	(void)state;
	assert_int_equal(cuda_target_known(1), 35);
	assert_int_equal(cuda_target_known(73), 72);
	assert_int_equal(cuda_target_known(90), 90);
	assert_int_equal(cuda_target_known(120), 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_gpus_become_the_next_older_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
