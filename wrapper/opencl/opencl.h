/*
 * opencl - the driver's OpenCL calls, and the hooks that stand in front of some of them.
 *
 * The driver is what our hooks call: the loader's target in layer mode, the
 * next library in preload mode. Only opencl_api.def lists calls.
 */
#ifndef OPENCL_H
#define OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>

/* Newer headers lack this type: their clUpdateMutableCommandsKHR() has other parameters. */
#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION
typedef void cl_mutable_base_config_khr;
#endif

/* Older than the KHR extension of this name, and in no header of Khronos'. */
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeINTEL(cl_command_queue command_queue,
                                                          cl_kernel kernel, cl_uint work_dim,
                                                          const size_t *global_work_offset,
                                                          const size_t *global_work_size,
                                                          size_t *suggested_local_work_size);

struct opencl_real {
#define CL_API(type, name, params, args) type(CL_API_CALL *name) params;
#include "opencl_api.def"
};

/* The functions of one platform's extensions. */
struct opencl_ext {
#define CL_EXT(type, name, params, args) type(CL_API_CALL *name) params;
#include "opencl_api.def"
};

/*
 * The driver's calls; never NULL, but a call that the driver lacks is a NULL
 * pointer in it. Resolved with opencl_real_find() on first use unless set before.
 */
const struct opencl_real *opencl_real(void);

/*
 * The address of one of the driver's calls, or NULL: in the next library of the dynamic linker's
 * order, else in a loader that was loaded for a plugin alone (a module of Python, say), which is in
 * nobody's order.
 */
void *opencl_real_find(const char *name);

/*
 * One more reference to the event of a command that is enqueued and cannot be taken back: asked for
 * up to three times, since there is nothing else to do.
 */
void opencl_real_retain_event(cl_event event);

/* Use these calls from now on, and forget the platforms' functions; *real must stay valid. For the
 * layer entry and for tests. */
void opencl_real_set(const struct opencl_real *real);

/*
 * The functions of the platform that `handle` belongs to: an object of any sort, or a command
 * buffer. Never NULL, but a function that the platform lacks is a NULL pointer in it. In a hook
 * of an extension, the hook's own function is there.
 */
const struct opencl_ext *opencl_ext_of(const void *handle);

/*
 * Whether the application was given the address of a clCommand...KHR() that we do not stand in
 * front of, because we do not know it or the platform's version of cl_khr_command_buffer gives it
 * other parameters: command buffers may then hold what we have not seen.
 */
bool opencl_ext_has_given_unknown_command(void);

/* True once the ICD loader has taken this library as a layer: the preloaded symbols then only
 * forward, since each call must be hooked once. */
bool opencl_is_layer(void);

/* Bodies of the HOOK rows, with the driver's meaning. */
#define CL_HOOK(type, name, params, args)     type CL_API_CALL hook_##name params;
#define CL_EXT_HOOK(type, name, params, args) CL_HOOK(type, name, params, args)
#include "opencl_api.def"

#endif
