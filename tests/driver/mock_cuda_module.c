/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, libraries, links and functions. */
#include "mock_cuda_private.h"

#include <string.h>

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */

static struct mock_module *load(const char *text)
{
	struct mock_module *m = mock_cuda_make(sizeof(*m));

	m->is_shadow = !strncmp(text, MOCK_SHADOW_MARK, strlen(MOCK_SHADOW_MARK));
	m->total = 1000;
	for (unsigned i = 0; i < mock_kernel_count; i++)
		m->functions[i] = (struct mock_function){ m, &mock_kernels[i], 0 };
	return m;
}

static CUresult unload(void *module)
{
	mock_cuda_free(module);
	return CUDA_SUCCESS;
}

static struct mock_function *find(struct mock_module *m, const char *name)
{
	for (unsigned i = 0; i < mock_kernel_count; i++)
		if (!strcmp(mock_kernels[i].name, name))
			return &m->functions[i];
	return NULL;
}

static CUresult variable(CUdeviceptr *address, size_t *bytes, void *code, const char *name)
{
	struct mock_module *m = code;

	if (strcmp(name, MOCK_TOTAL) != 0)
		return CUDA_ERROR_NOT_FOUND;
	if (address)
		*address = (CUdeviceptr)(uintptr_t)&m->total;
	if (bytes)
		*bytes = sizeof(m->total);
	return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	ENTER;
	*module = (CUmodule)(void *)load(image);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned option_count,
                            int *options, void **values)
{
	ENTER;
	*module = (CUmodule)(void *)load(image);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	ENTER;
	*module = (CUmodule)(void *)load("");
	LEAVE(CUDA_SUCCESS);
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	ENTER;
	*module = (CUmodule)(void *)load("");
	LEAVE(CUDA_SUCCESS);
}

CUresult cuModuleUnload(CUmodule module)
{
	ENTER;
	LEAVE(unload(module));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	ENTER;
	*function = (CUfunction)(void *)find((void *)module, name);
	LEAVE(*function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name)
{
	ENTER;
	LEAVE(variable(address, bytes, module, name));
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, int *jit_options,
                           void **jit_values, unsigned jit_count, int *options, void **values,
                           unsigned option_count)
{
	ENTER;
	*library = (CUlibrary)(void *)load(image);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                               void **jit_values, unsigned jit_count, int *options, void **values,
                               unsigned option_count)
{
	ENTER;
	*library = (CUlibrary)(void *)load("");
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLibraryUnload(CUlibrary library)
{
	ENTER;
	LEAVE(unload(library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	ENTER;
	*kernel = (CUkernel)(void *)find((void *)library, name);
	LEAVE(*kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	ENTER;
	*module = (CUmodule)(void *)library;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name)
{
	ENTER;
	LEAVE(variable(address, bytes, library, name));
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                             const char *name)
{
	ENTER;
	LEAVE(CUDA_ERROR_NOT_FOUND);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	ENTER;
	*function = (CUfunction)(void *)kernel;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
	struct mock_function *f = (void *)function;

	ENTER;
	*module = (CUmodule)(void *)f->module;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
	struct mock_function *f = (void *)function;

	ENTER;
	*name = f->kernel->name;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
	ENTER;
	LEAVE(CUDA_ERROR_NOT_FOUND);
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
	ENTER;
	LEAVE(CUDA_ERROR_NOT_FOUND);
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function)
{
	const struct mock_function *f = (void *)function;

	ENTER;
	*value = 0;
	if (attribute == CUDA_FUNCTION_MAX_ITEMS)
		*value = 256;
	if (attribute == CUDA_FUNCTION_MAX_DYNAMIC_SHARED)
		*value = f->max_dynamic_shared;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value)
{
	struct mock_function *f = (void *)function;

	ENTER;
	if (attribute == CUDA_FUNCTION_MAX_DYNAMIC_SHARED)
		f->max_dynamic_shared = value;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t bytes, const char *name,
                          unsigned option_count, int *options, void **values)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned option_count,
                          int *options, void **values)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
	static char linked[] = "\177ELF of a link";

	ENTER;
	*image = linked;
	*bytes = sizeof(linked);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuLinkDestroy(CUlinkState state)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}
/* NOLINTEND(readability-function-size) */
