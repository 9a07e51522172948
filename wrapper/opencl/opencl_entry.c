/* SPDX-License-Identifier: Apache-2.0 */
/* The entry point for the ICD loader: OPENCL_LAYERS names this library. */
#include "opencl.h"
#include "opencl_session.h"

#include <CL/cl_layer.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static struct _cl_icd_dispatch ours; /* the target's calls with our hooks in place */
static struct opencl_real target;    /* the target's calls that we use */
static atomic_bool is_active;

bool opencl_is_layer(void)
{
	return atomic_load_explicit(&is_active, memory_order_acquire);
}

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret)
{
	static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	static const char name[] = "Warpline recorder " WARPLINE_VERSION;
	const void *value = param_name == CL_LAYER_NAME ? (const void *)name : &version;
	size_t bytes = param_name == CL_LAYER_NAME ? sizeof(name) : sizeof(version);

	if (param_name != CL_LAYER_NAME && param_name != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (param_value && param_value_size < bytes)
		return CL_INVALID_VALUE;
	if (param_value)
		memcpy(param_value, value, bytes);
	if (param_value_size_ret)
		*param_value_size_ret = bytes;
	return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                      cl_uint *num_entries_ret,
                                      const cl_icd_dispatch **layer_dispatch_ret)
{
	const cl_uint known = sizeof(ours) / sizeof(ours.clGetPlatformIDs);

	if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret || num_entries < known)
		return CL_INVALID_VALUE;
	ours = *target_dispatch;
#define CL_API(type, name, params, args) target.name = target_dispatch->name;
#define CL_HOOK(type, name, params, args)                                                          \
	target.name = target_dispatch->name;                                                       \
	ours.name = hook_##name;
#include "opencl_api.def"
	opencl_real_set(&target);
	*num_entries_ret = known;
	*layer_dispatch_ret = &ours;
	atomic_store_explicit(&is_active, true, memory_order_release);
	return CL_SUCCESS;
}

/* The entry points for LD_PRELOAD: our symbols come before the OpenCL library's. */

#define EXPORT __attribute__((visibility("default")))

static struct opencl_real next; /* filled once, by resolve() */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * The first call through here may also be the loader's first, during which the loader loads its
 * layers: let it do so before we decide.
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

/* Called by any thread. We run before its first handler, while the whole driver still works. */
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
