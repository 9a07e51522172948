/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks the driver for its functions gets ours where we have one. */
#include "cuda_hook.h"

/* What the driver does not have we do not have either. */
static void replace(const char *symbol, void **function, int version, uint64_t flags)
{
	void *hook =
		symbol && function && *function ? cuda_hook_asked(symbol, version, flags) : NULL;

	if (hook)
		*function = hook;
}

CUresult hook_cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags)
{
	CUresult rc = cuda_real()->cuGetProcAddress(symbol, function, version, flags);

	if (rc == CUDA_SUCCESS)
		replace(symbol, function, version, flags);
	return rc;
}

CUresult hook_cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                                  int *status)
{
	CUresult rc = cuda_real()->cuGetProcAddress_v2(symbol, function, version, flags, status);

	if (rc == CUDA_SUCCESS)
		replace(symbol, function, version, flags);
	return rc;
}
