/*
 * opencl - the driver's OpenCL calls, and the hooks that stand in front of some of them.
 *
 * The driver is what lies behind us: the loader's target in layer mode, the
 * next library in preload mode. Only opencl_api.def lists calls.
 */
#ifndef OPENCL_H
#define OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>

struct opencl_real {
#define CL_API(type, name, params, args) type(CL_API_CALL *name) params;
#define CL_HOOK                          CL_API
#include "opencl_api.def"
#undef CL_HOOK
#undef CL_API
};

/*
 * The driver's calls; never NULL, but a call that the driver lacks is a NULL
 * pointer in it. Resolved with dlsym(RTLD_NEXT) on first use unless set before.
 */
const struct opencl_real *opencl_real(void);

/* Use these calls from now on; *real must stay valid. For the layer entry and for tests. */
void opencl_real_set(const struct opencl_real *real);

/* Bodies of the CL_HOOK rows, with the driver's meaning. */
#define CL_API(type, name, params, args)
#define CL_HOOK(type, name, params, args) type CL_API_CALL hook_##name params;
#include "opencl_api.def"
#undef CL_HOOK
#undef CL_API

#endif
