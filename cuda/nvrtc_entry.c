/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of libnvrtc, made from their table. */
#include "cudart.h"
#include "nvrtc_program.h"

#define EXPORT __attribute__((visibility("default")))

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
#define NVRTC(name, params, args)                                                                  \
	EXPORT int nvrtc##name params;                                                             \
	EXPORT int nvrtc##name params                                                              \
	{                                                                                          \
		return nvrtc_program_##name args;                                                  \
	}
#define NVRTC_MISSING(name)                                                                        \
	EXPORT int nvrtc##name(void);                                                              \
	EXPORT int nvrtc##name(void)                                                               \
	{                                                                                          \
		(void)cudart_not_supported("nvrtc" #name);                                         \
		return NVRTC_BUILTIN_OPERATION_FAILURE;                                            \
	}
#include "nvrtc_api.def"
/* NOLINTEND(readability-function-size) */

EXPORT const char *nvrtcGetErrorString(int result);
const char *nvrtcGetErrorString(int result)
{
	return nvrtc_program_error_text(result);
}
