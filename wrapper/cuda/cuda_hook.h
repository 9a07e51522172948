/*
 * cuda_hook - the recorder's own functions in the place of the driver's, and which is asked for.
 *
 * Each answers as the driver would. Without a session they only pass the call on.
 */
#ifndef CUDA_HOOK_H
#define CUDA_HOOK_H

#include "cuda_driver.h"

#define CUDA_HOOK(name, asked, is_per_thread, since, until, params, args)                          \
	CUresult hook_##name params;

#include "cuda_api.def"
/* What an application gets that looks up symbol `name` of the driver's library: what we export in
 * its place, or NULL when that is nothing. */
void *cuda_hook_of_symbol(const char *name);

/* The same for cuGetProcAddress() with these arguments. */
void *cuda_hook_asked(const char *name, int version, uint64_t flags);

/* The stream that NULL stands for in a function whose name ends in _ptsz. */
static inline CUstream cuda_hook_per_thread(CUstream stream)
{
	return stream ? stream : CUDA_STREAM_PER_THREAD;
}

#endif
