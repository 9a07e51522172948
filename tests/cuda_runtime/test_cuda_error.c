/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "cuda_error.h"

static void codes_have_the_names_of_both_interfaces(void **state)
{
	assert_string_equal(cuda_error_runtime_name(0), "cudaSuccess");
	assert_string_equal(cuda_error_driver_name(0), "CUDA_SUCCESS");
	assert_string_equal(cuda_error_runtime_name(700), "cudaErrorIllegalAddress");
	assert_string_equal(cuda_error_driver_name(700), "CUDA_ERROR_ILLEGAL_ADDRESS");
	assert_string_equal(cuda_error_text(2), "out of memory");
	/* Of one alone. */
	assert_string_equal(cuda_error_runtime_name(9), "cudaErrorInvalidConfiguration");
	assert_null(cuda_error_driver_name(9));
	assert_null(cuda_error_runtime_name(202));
	assert_non_null(cuda_error_driver_name(202));
	/* Of none. */
	assert_null(cuda_error_runtime_name(-1));
	assert_null(cuda_error_driver_name(12345));
	assert_null(cuda_error_text(12345));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes_have_the_names_of_both_interfaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
