/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and libraries: what they are loaded from is remembered, and variables are the twin's. */
#include "cuda_hook.h"
#include "err.h"
#include "gpu_image.h"
#include "gpu_link.h"
#include "gpu_module.h"
#include "gpu_session.h"

#include <stdlib.h>
#include <string.h>

/* The newest PTX that the current device takes; 0: any. */
static unsigned current_arch(void)
{
	const struct cuda_real *real = cuda_real();
	CUdevice device;
	int major, minor;

	if (real->cuCtxGetDevice(&device) ||
	    real->cuDeviceGetAttribute(&major, CUDA_DEVICE_CAPABILITY_MAJOR, device) ||
	    real->cuDeviceGetAttribute(&minor, CUDA_DEVICE_CAPABILITY_MINOR, device) || major < 1 ||
	    minor < 0)
		return 0;
	return (unsigned)(major * 10 + minor);
}

/* Remember what was loaded from memory. */
static void loaded(void *code, bool is_library, const void *image)
{
	struct session *s = session_begin(&gpu_part);
	const char *reason = NULL;
	struct err err = { 0 };
	char *ptx = NULL;

	if (!s)
		return;
	if (!gpu_link_find(s, image, &ptx, &reason) &&
	    gpu_image_ptx(image, current_arch(), &ptx, &err) < 0)
		reason = err.msg;
	gpu_module_add(s, code, is_library, ptx, reason);
}

static void loaded_file(void *code, bool is_library, const char *path)
{
	struct session *s = session_begin(&gpu_part);
	struct err err = { 0 };
	char *ptx = NULL;

	if (!s)
		return;
	(void)gpu_image_ptx_file(path, current_arch(), &ptx, &err);
	gpu_module_add(s, code, is_library, ptx, ptx ? NULL : err.msg);
}

CUresult hook_cuModuleLoad(CUmodule *module, const char *path)
{
	CUresult rc = cuda_real()->cuModuleLoad(module, path);

	if (rc == CUDA_SUCCESS)
		loaded_file(*module, false, path);
	return rc;
}

CUresult hook_cuModuleLoadData(CUmodule *module, const void *image)
{
	CUresult rc = cuda_real()->cuModuleLoadData(module, image);

	if (rc == CUDA_SUCCESS)
		loaded(*module, false, image);
	return rc;
}

CUresult hook_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned option_count,
                                 int *options, void **values)
{
	CUresult rc = cuda_real()->cuModuleLoadDataEx(module, image, option_count, options, values);

	if (rc == CUDA_SUCCESS)
		loaded(*module, false, image);
	return rc;
}

CUresult hook_cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	CUresult rc = cuda_real()->cuModuleLoadFatBinary(module, image);

	if (rc == CUDA_SUCCESS)
		loaded(*module, false, image);
	return rc;
}

CUresult hook_cuModuleUnload(CUmodule module)
{
	struct session *s = session_current();

	if (s)
		gpu_module_end(s, module, false);
	return cuda_real()->cuModuleUnload(module);
}

CUresult hook_cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	CUresult rc = cuda_real()->cuModuleGetFunction(function, module, name);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_function_add(s, *function, false, module, false, name);
	return rc;
}

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */
CUresult hook_cuLibraryLoadData(CUlibrary *library, const void *image, int *jit_options,
                                void **jit_values, unsigned jit_count, int *options, void **values,
                                unsigned option_count)
{
	CUresult rc = cuda_real()->cuLibraryLoadData(library, image, jit_options, jit_values,
	                                             jit_count, options, values, option_count);

	if (rc == CUDA_SUCCESS)
		loaded(*library, true, image);
	return rc;
}

CUresult hook_cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                                    void **jit_values, unsigned jit_count, int *options,
                                    void **values, unsigned option_count)
{
	CUresult rc = cuda_real()->cuLibraryLoadFromFile(library, path, jit_options, jit_values,
	                                                 jit_count, options, values, option_count);

	if (rc == CUDA_SUCCESS)
		loaded_file(*library, true, path);
	return rc;
}
/* NOLINTEND(readability-function-size) */

CUresult hook_cuLibraryUnload(CUlibrary library)
{
	struct session *s = session_current();

	if (s)
		gpu_module_end(s, library, true);
	return cuda_real()->cuLibraryUnload(library);
}

CUresult hook_cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	CUresult rc = cuda_real()->cuLibraryGetKernel(kernel, library, name);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_function_add(s, *kernel, true, library, true, name);
	return rc;
}

CUresult hook_cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	CUresult rc = cuda_real()->cuLibraryGetModule(module, library);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_module_alias(s, *module, library);
	return rc;
}

CUresult hook_cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	CUresult rc = cuda_real()->cuKernelGetFunction(function, kernel);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_function_alias(s, *function, kernel);
	return rc;
}

typedef CUresult (*get_module_variable)(CUdeviceptr *, size_t *, CUmodule, const char *);
typedef CUresult (*get_library_variable)(CUdeviceptr *, size_t *, CUlibrary, const char *);

/* The module, whose twin is made; NULL when there is no twin. Release it. */
static struct gpu_module *made(const void *code, bool is_library)
{
	struct session *s = session_current();
	struct gpu_module *m = s ? gpu_module_get(s, code, is_library) : NULL;

	if (!m)
		return NULL;
	gpu_module_make(m, s);
	if (m->twin)
		return m;
	gpu_module_release(m);
	return NULL;
}

static CUresult library_variable(get_library_variable get, CUdeviceptr *address, size_t *bytes,
                                 CUlibrary library, const char *name)
{
	struct gpu_module *m = made(library, true);
	CUresult rc = get(address, bytes, m ? m->twin : library, name);

	/* What only the original has does not count for kernels of the twin. */
	if (m && rc == CUDA_ERROR_NOT_FOUND)
		rc = get(address, bytes, library, name);
	gpu_module_release(m);
	return rc;
}

CUresult hook_cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                                   const char *name)
{
	const struct cuda_real *real = cuda_real();
	struct gpu_module *m = made(module, false);
	CUresult rc;

	if (m && m->is_library)
		rc = real->cuLibraryGetGlobal(address, bytes, m->twin, name);
	else
		rc = real->cuModuleGetGlobal_v2(address, bytes, m ? m->twin : module, name);
	if (m && rc == CUDA_ERROR_NOT_FOUND)
		rc = real->cuModuleGetGlobal_v2(address, bytes, module, name);
	gpu_module_release(m);
	return rc;
}

CUresult hook_cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                                 const char *name)
{
	return library_variable(cuda_real()->cuLibraryGetGlobal, address, bytes, library, name);
}

CUresult hook_cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                                  const char *name)
{
	return library_variable(cuda_real()->cuLibraryGetManaged, address, bytes, library, name);
}

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */
CUresult hook_cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t bytes,
                               const char *name, unsigned option_count, int *options, void **values)
{
	CUresult rc = cuda_real()->cuLinkAddData_v2(state, type, data, bytes, name, option_count,
	                                            options, values);
	struct session *s = rc == CUDA_SUCCESS ? session_begin(&gpu_part) : NULL;

	if (s)
		gpu_link_add(s, state, type == CUDA_JIT_INPUT_PTX ? data : NULL, bytes);
	return rc;
}

CUresult hook_cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned option_count,
                               int *options, void **values)
{
	CUresult rc =
		cuda_real()->cuLinkAddFile_v2(state, type, path, option_count, options, values);
	struct session *s = rc == CUDA_SUCCESS ? session_begin(&gpu_part) : NULL;
	struct err err = { 0 };
	char *ptx = NULL;

	if (!s)
		return rc;
	if (type == CUDA_JIT_INPUT_PTX)
		(void)gpu_image_ptx_file(path, 0, &ptx, &err);
	gpu_link_add(s, state, ptx, ptx ? strlen(ptx) : 0);
	free(ptx);
	return rc;
}
/* NOLINTEND(readability-function-size) */

CUresult hook_cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
	CUresult rc = cuda_real()->cuLinkComplete(state, image, bytes);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_link_complete(s, state, *image);
	return rc;
}

CUresult hook_cuLinkDestroy(CUlinkState state)
{
	struct session *s = session_current();

	if (s)
		gpu_link_end(s, state);
	return cuda_real()->cuLinkDestroy(state);
}
