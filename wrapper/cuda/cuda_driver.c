/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct cuda_real library; /* filled once, by resolve() */

static pthread_once_t once = PTHREAD_ONCE_INIT;

static _Atomic(const struct cuda_real *) chosen;

typedef void *(*dlsym_call)(void *handle, const char *name);

static dlsym_call next_dlsym;

static pthread_once_t dlsym_once = PTHREAD_ONCE_INIT;

/* Find dlsym() by version, since the name alone may be our own symbol. The versions are those of
 * x86-64 and AArch64. */
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

/* The library stays loaded because its addresses are kept. A handle finds its own symbols, not
 * ours.
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

struct hook_row {
	const char *symbol, *asked;
	bool is_per_thread;
	int since, until;
	void (*call)(void);
};

static const struct hook_row rows[] = {
#define CUDA_HOOK(name, asked, is_per_thread, since, until, params, args)                          \
	{ #name, asked, is_per_thread, since, until, (void (*)(void))hook_##name },
#define CUDA_CALL(name, params)
#include "cuda_api.def"
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* Returns the hook's address. */
static void *address_of(const struct hook_row *row)
{
	void *address;

	memcpy(&address, &row->call, sizeof(address));
	return address;
}

void *cuda_hook_of_symbol(const char *name)
{
	/* Most names that programs look up are not CUDA's. */
	if (name[0] != 'c' || name[1] != 'u')
		return NULL;
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (!strcmp(rows[i].symbol, name))
			return address_of(&rows[i]);
	return NULL;
}

/* Whether `asked` has a row of its own for per-thread streams; other functions take no stream. */
static bool has_per_thread(const char *asked)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (rows[i].is_per_thread && !strcmp(rows[i].asked, asked))
			return true;
	return false;
}

void *cuda_hook_asked(const char *name, int version, uint64_t flags)
{
	bool is_per_thread = (flags & CUDA_PROC_ADDRESS_PER_THREAD) && has_per_thread(name);

	for (size_t i = 0; i < ROW_COUNT; i++)
		if (!strcmp(rows[i].asked, name) && rows[i].is_per_thread == is_per_thread &&
		    version >= rows[i].since && version < rows[i].until)
			return address_of(&rows[i]);
	return NULL;
}
