/* SPDX-License-Identifier: Apache-2.0 */
/* The way in that LD_PRELOAD offers: our symbols come before the OpenCL library's. */
#include "opencl.h"
#include "opencl_session.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static struct opencl_real next; /* filled once, by resolve() */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * The first call through here may also be the loader's first, and the loader
 * takes its layers during that call: let it do so before we decide.
 */
static void resolve(void)
{
	cl_uint count;

#define CL_API(type, name, params, args) *(void **)(void *)&next.name = opencl_real_find(#name);
#include "opencl_api.def"
	if (next.clGetPlatformIDs)
		next.clGetPlatformIDs(0, NULL, &count);
}

static const struct opencl_real *next_library(void)
{
	pthread_once(&once, resolve);
	return &next;
}

/* By whatever thread: before the first of its handlers, while all of the driver is there. */
EXPORT _Noreturn void exit(int status)
{
	void (*next_exit)(int status);

	*(void **)(void *)&next_exit = dlsym(RTLD_NEXT, "exit");
	opencl_session_settle();
	if (next_exit)
		next_exit(status);
	_exit(status);
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
#pragma GCC diagnostic ignored "-Wpedantic" /* return of a void expression */
#define CL_HOOK(type, name, params, args)                                                          \
	EXPORT type CL_API_CALL name params                                                        \
	{                                                                                          \
		const struct opencl_real *library = next_library();                                \
                                                                                                   \
		return opencl_is_layer() ? library->name args : hook_##name args;                  \
	}
#include "opencl_api.def"
/* NOLINTEND(readability-function-size) */
