/*
 * opencl - the driver's OpenCL calls, and the hooks of some of them.
 *
 * "The driver" is what the hooks call: the loader's target in layer mode, the next library in
 * preload mode. Only opencl_api.def lists calls.
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

/* Older than the KHR extension of this name; no header of Khronos declares it. */
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
 * Returns the driver's calls, never NULL; a call that the driver lacks is a NULL pointer. Resolved
 * with opencl_real_find() on first use unless set before.
 */
const struct opencl_real *opencl_real(void);

/*
 * Returns the address of one of the driver's calls, or NULL: in the next library of the dynamic
 * linker's order, else in a loader that was loaded only for a plugin (a Python module, say) and is
 * not in that order.
 */
void *opencl_real_find(const char *name);

/*
 * Retain the event of a command that is enqueued and cannot be undone. Tries up to three times; a
 * failure cannot be handled.
 */
void opencl_real_retain_event(cl_event event);

/* Use these calls from now on, and forget the platforms' functions. *real must stay valid. For the
 * entry as a layer and for tests. */
void opencl_real_set(const struct opencl_real *real);

/*
 * Returns the functions of the platform that `handle` belongs to, an object of any sort or a
 * command buffer. Never NULL; a function that the platform lacks is a NULL pointer. In a hook of an
 * extension, the hooked function is never NULL.
 */
const struct opencl_ext *opencl_ext_of(const void *handle);

/*
 * Whether the application got the address of a clCommand...KHR() without a hook, because it is
 * unknown or has other parameters in the platform's version of cl_khr_command_buffer. Command
 * buffers may then have commands that the recorder has not seen.
 */
bool opencl_ext_has_given_unknown_command(void);

/* Whether the ICD loader has loaded this library as a layer: the preloaded symbols then only
 * forward, since each call must be hooked once. */
bool opencl_is_layer(void);

/* The functions of the HOOK rows, with the driver's semantics. */
#define CL_HOOK(type, name, params, args)     type CL_API_CALL hook_##name params;
#define CL_EXT_HOOK(type, name, params, args) CL_HOOK(type, name, params, args)
#include "opencl_api.def"

#endif
