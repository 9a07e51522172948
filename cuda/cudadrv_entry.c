/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of libcuda, made from their table, and the search for them by name. */
#include "cuda_error.h"
#include "cudadrv.h"

#include <stdio.h>
#include <string.h>

#define EXPORT     __attribute__((visibility("default")))
#define NAME_BYTES 128

enum { FLAG_PER_THREAD = 2, STATUS_FOUND = 0, STATUS_MISSING = 1 };

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */

/* An exported function that makes `call`. */
#define ENTRY(name, params, call)                                                                  \
	EXPORT int cu##name params;                                                                \
	EXPORT int cu##name params                                                                 \
	{                                                                                          \
		return cuda_driver_code(call);                                                     \
	}
#define TWIN(name, does, params, args)                                                             \
	EXPORT int cu##name params;                                                                \
	EXPORT int cu##name params                                                                 \
	{                                                                                          \
		stream = stream ? stream : CUDA_HANDLE_PER_THREAD;                                 \
		return cuda_driver_code(does args);                                                \
	}

#define CUDA_DRIVER(name, does, params, args) ENTRY(name, params, does args)
#define CUDA_DRIVER_V2(name, does, params, args)                                                   \
	ENTRY(name, params, does args)                                                             \
	ENTRY(name##_v2, params, does args)
#define CUDA_DRIVER_PTSZ(name, does, params, args)                                                 \
	CUDA_DRIVER(name, does, params, args)                                                      \
	TWIN(name##_ptsz, does, params, args)
#define CUDA_DRIVER_V2_PTSZ(name, does, params, args)                                              \
	CUDA_DRIVER_V2(name, does, params, args)                                                   \
	TWIN(name##_v2_ptsz, does, params, args)
#define CUDA_DRIVER_PTSZ0(name, does, params, args)                                                \
	CUDA_DRIVER(name, does, params, args)                                                      \
	CUDA_DRIVER(name##_ptsz, does, params, args)
#define CUDA_DRIVER_V2_PTSZ0(name, does, params, args)                                             \
	CUDA_DRIVER_V2(name, does, params, args)                                                   \
	CUDA_DRIVER(name##_v2_ptsz, does, params, args)
#define CUDA_DRIVER_PTDS(name, does, params, args)                                                 \
	ENTRY(name, params, does(CUDART_ALL args, CUDA_HANDLE_LEGACY))                             \
	ENTRY(name##_ptds, params, does(CUDART_ALL args, CUDA_HANDLE_PER_THREAD))
#define CUDA_DRIVER_V2_PTDS(name, does, params, args)                                              \
	ENTRY(name, params, does(CUDART_ALL args, CUDA_HANDLE_LEGACY))                             \
	ENTRY(name##_v2, params, does(CUDART_ALL args, CUDA_HANDLE_LEGACY))                        \
	ENTRY(name##_v2_ptds, params, does(CUDART_ALL args, CUDA_HANDLE_PER_THREAD))
#define CUDA_DRIVER_MISSING(name)                                                                  \
	EXPORT int cu##name(void);                                                                 \
	EXPORT int cu##name(void)                                                                  \
	{                                                                                          \
		return cudart_not_supported("cu" #name);                                           \
	}
#include "cuda_driver_api.def"

EXPORT int cuGetProcAddress(const char *symbol, void **pfn, int version, uint64_t flags);
EXPORT int cuGetProcAddress_v2(const char *symbol, void **pfn, int version, uint64_t flags,
                               int *status);

typedef void (*entry_function)(void);

static const struct {
	const char *name;
	entry_function function;
} entries[] = {
#define ROW(name)                                      { "cu" #name, (entry_function)cu##name },
#define CUDA_DRIVER(name, does, params, args)          ROW(name)
#define CUDA_DRIVER_V2(name, does, params, args)       ROW(name) ROW(name##_v2)
#define CUDA_DRIVER_PTSZ(name, does, params, args)     ROW(name) ROW(name##_ptsz)
#define CUDA_DRIVER_PTSZ0(name, does, params, args)    ROW(name) ROW(name##_ptsz)
#define CUDA_DRIVER_PTDS(name, does, params, args)     ROW(name) ROW(name##_ptds)
#define CUDA_DRIVER_V2_PTSZ(name, does, params, args)  ROW(name) ROW(name##_v2) ROW(name##_v2_ptsz)
#define CUDA_DRIVER_V2_PTSZ0(name, does, params, args) ROW(name) ROW(name##_v2) ROW(name##_v2_ptsz)
#define CUDA_DRIVER_V2_PTDS(name, does, params, args)  ROW(name) ROW(name##_v2) ROW(name##_v2_ptds)
#define CUDA_DRIVER_MISSING(name)                      ROW(name)
#include "cuda_driver_api.def"
	ROW(GetProcAddress) ROW(GetProcAddress_v2)
};
/* NOLINTEND(readability-function-size) */

/* Returns the entry point of a name with a suffix, or NULL. */
static entry_function find(const char *symbol, const char *ending)
{
	char name[NAME_BYTES];

	if (snprintf(name, sizeof(name), "%s%s", symbol, ending) >= (int)sizeof(name))
		return NULL;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!strcmp(entries[i].name, name))
			return entries[i].function;
	return NULL;
}

/* Returns the newest version of a function; of those that take a stream, the requested one. */
static entry_function search(const char *symbol, uint64_t flags)
{
	static const char *const own[] = { "_v2_ptsz", "_v2_ptds", "_ptsz", "_ptds" };
	entry_function found = NULL;

	for (size_t i = 0; flags & FLAG_PER_THREAD && !found && i < sizeof(own) / sizeof(own[0]);
	     i++)
		found = find(symbol, own[i]);
	if (!found)
		found = find(symbol, "_v2");
	return found ? found : find(symbol, "");
}

int cuGetProcAddress_v2(const char *symbol, void **pfn, int version, uint64_t flags, int *status)
{
	/* It has five parameters since CUDA 12. */
	bool is_this = symbol && !strcmp(symbol, "cuGetProcAddress");
	entry_function found = NULL;

	if (!symbol || !pfn)
		return cudaErrorInvalidValue;
	found = is_this && version < 12000 ? (entry_function)cuGetProcAddress
	                                   : search(symbol, flags);
	memcpy(pfn, &found, sizeof(*pfn));
	if (status)
		*status = found ? STATUS_FOUND : STATUS_MISSING;
	return found || status ? cudaSuccess : (int)cudaErrorSymbolNotFound;
}

int cuGetProcAddress(const char *symbol, void **pfn, int version, uint64_t flags)
{
	return cuGetProcAddress_v2(symbol, pfn, version, flags, NULL);
}
