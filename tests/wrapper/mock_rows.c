/* SPDX-License-Identifier: Apache-2.0 */
/* What the mock makes of the table: calls that refuse, and the lists of all calls. */
#include "mock_calls.h"
#include "mock_driver.h"

#include <stdint.h>

/* A function returns what no success looks like. */
#define REFUSAL(type)                                                                              \
	(type) _Generic((type *)NULL,                                                              \
	        cl_int *: (intptr_t)CL_INVALID_OPERATION,                                          \
	        default: (intptr_t)0)

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
#pragma GCC diagnostic ignored "-Wpedantic" /* return of a void expression */
#define CL_API(type, name, params, args)                                                           \
	__attribute__((weak)) type CL_API_CALL mock_##name params                                  \
	{                                                                                          \
		if (mock_enter(#name))                                                             \
			mock_let_go();                                                             \
		return REFUSAL(type);                                                              \
	}
#define CL_EXT CL_API
#include "opencl_api.def"
/* NOLINTEND(readability-function-size) */

const struct opencl_real *mock_driver(void)
{
	static const struct opencl_real mock = {
#define CL_API(type, name, params, args) .name = mock_##name,
#include "opencl_api.def"
	};

	return &mock;
}
