/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every OpenCL call, found with dlopen() and dlsym() as password crackers and photo tools do:
 * linked into a behaviour program instead of the loader. A preloaded library sees none of them.
 */
#include "opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *find(const char *name)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
	void *address = library ? dlsym(library, name) : NULL;

	if (!address) {
		fprintf(stderr, "no %s in libOpenCL.so.1\n", name);
		exit(1);
	}
	return address;
}

/* A void call is returned, which only pedants mind. */
#pragma GCC diagnostic ignored "-Wpedantic"
/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
#define CL_API(type, name, params, args)                                                           \
	type CL_API_CALL name params                                                               \
	{                                                                                          \
		static type(CL_API_CALL *call) params;                                             \
                                                                                                   \
		if (!call)                                                                         \
			*(void **)(void *)&call = find(#name);                                     \
		return call args;                                                                  \
	}
#include "opencl_api.def"
/* NOLINTEND(readability-function-size) */
