/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

static struct opencl_real next_library; /* filled once, by resolve() */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(const struct opencl_real *) chosen;

/* The table and the Khronos headers must agree, or this file does not compile. */
#define CL_API(type, name, params, args)                                                           \
	_Static_assert(                                                                            \
		__builtin_types_compatible_p(__typeof__(&(name)), __typeof__(next_library.name)),  \
		#name " differs from CL/cl.h");
#include "opencl_api.def"

void *opencl_real_find(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);
	void *library = address ? NULL : dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);

	/* The library stays loaded: the addresses are kept. */
	return library ? dlsym(library, name) : address;
}

static void resolve(void)
{
#define CL_API(type, name, params, args)                                                           \
	*(void **)(void *)&next_library.name = opencl_real_find(#name);
#include "opencl_api.def"
}

const struct opencl_real *opencl_real(void)
{
	const struct opencl_real *real = atomic_load_explicit(&chosen, memory_order_acquire);

	if (real)
		return real;
	pthread_once(&once, resolve);
	return &next_library;
}

void opencl_real_retain_event(cl_event event)
{
	const struct opencl_real *real = opencl_real();
	int tries = 3;

	while (tries-- && real->clRetainEvent(event) != CL_SUCCESS)
		continue;
}

void opencl_real_set(const struct opencl_real *real)
{
	atomic_store_explicit(&chosen, real, memory_order_release);
}
