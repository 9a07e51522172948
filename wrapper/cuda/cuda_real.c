/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

static struct cuda_real library; /* filled once, by resolve() */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(const struct cuda_real *) chosen;

typedef void *(*dlsym_call)(void *handle, const char *name);

static dlsym_call next_dlsym;
static pthread_once_t dlsym_once = PTHREAD_ONCE_INIT;

/* By version, since the name alone may be ours. The versions are those of x86-64 and of AArch64. */
static void find_dlsym(void)
{
	static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17" };

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && !next_dlsym; i++)
		*(void **)(void *)&next_dlsym = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
}

void *cuda_real_dlsym(void *handle, const char *name)
{
	pthread_once(&dlsym_once, find_dlsym);
	return next_dlsym ? next_dlsym(handle, name) : NULL;
}

/* The library stays loaded: the addresses are kept. Its own symbols, not ours, are behind a handle.
 */
static void resolve(void)
{
	void *handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);

	if (!handle)
		handle = dlopen("libcuda.so.1", RTLD_LAZY);
	if (!handle)
		return;
#define CUDA_CALL(name, params) *(void **)(void *)&library.name = cuda_real_dlsym(handle, #name);
#include "cuda_api.def"
}

const struct cuda_real *cuda_real(void)
{
	const struct cuda_real *real = atomic_load_explicit(&chosen, memory_order_acquire);

	if (real)
		return real;
	pthread_once(&once, resolve);
	return &library;
}

void cuda_real_set(const struct cuda_real *real)
{
	atomic_store_explicit(&chosen, real, memory_order_release);
}
