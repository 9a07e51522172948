/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entry points that LD_PRELOAD allows: our symbols come before those of libcuda.so.1. dlsym()
 * is replaced too, since the CUDA runtime that programs are linked with opens the driver itself.
 */
#include "cuda_driver.h"

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */
#define CUDA_HOOK(name, asked, is_per_thread, since, until, params, args)                          \
	EXPORT CUresult name params;                                                               \
	EXPORT CUresult name params                                                                \
	{                                                                                          \
		return hook_##name args;                                                           \
	}
#define CUDA_CALL(name, params)
#include "cuda_api.def"
/* NOLINTEND(readability-function-size) */

/*
 * Return our hook for a name that has one. For all others this file is compiled so that the call at
 * the end is a jump, because RTLD_NEXT depends on the library that the call comes from.
 */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
EXPORT void *dlsym(void *restrict handle, const char *restrict name)
{
	void *hook = cuda_hook_of_symbol(name);

	if (hook && handle != RTLD_NEXT && cuda_real_dlsym(handle, name))
		return hook;
	return cuda_real_dlsym(handle, name);
}
