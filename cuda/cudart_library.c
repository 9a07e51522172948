/* SPDX-License-Identifier: Apache-2.0 */
/* Modules that programs of the runtime's interface load while they run (cudaLibrary...). */
#include "cuda_error.h"
#include "cuda_module.h"
#include "cuda_module_file.h"
#include "cudart.h"

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
int cudart_LibraryLoadData(struct cuda_module **library, const void *code, void *jitOptions,
                           void **jitOptionsValues, unsigned numJitOptions, void *libraryOptions)
{
	return library && code ? cuda_module_from_memory(code, library)
	                       : (int)cudaErrorInvalidValue;
}

int cudart_LibraryLoadFromFile(struct cuda_module **library, const char *fileName, void *jitOptions,
                               void **jitOptionsValues, unsigned numJitOptions,
                               void *libraryOptions)
{
	return library && fileName ? cuda_module_from_file(fileName, library)
	                           : (int)cudaErrorInvalidValue;
}
/* NOLINTEND(readability-function-size) */

int cudart_LibraryUnload(struct cuda_module *library)
{
	if (!cuda_module_exists(library))
		return cudaErrorInvalidResourceHandle;
	cuda_module_free(library);
	return cudaSuccess;
}

int cudart_LibraryGetKernel(struct cuda_function **pKernel, struct cuda_module *library,
                            const char *name)
{
	if (!pKernel || !name || !cuda_module_exists(library))
		return cudaErrorInvalidResourceHandle;
	return cuda_module_find_function(library, name, pKernel);
}

int cudart_LibraryGetGlobal(void **dptr, size_t *bytes, struct cuda_module *library,
                            const char *name)
{
	void *memory;
	size_t size;
	int rc;

	if (!name || !cuda_module_exists(library))
		return cudaErrorInvalidResourceHandle;
	rc = cuda_module_variable(library, name, &memory, &size);
	if (rc == cudaErrorInvalidSymbol)
		return cudaErrorSymbolNotFound;
	if (rc == cudaSuccess && dptr)
		*dptr = memory;
	if (rc == cudaSuccess && bytes)
		*bytes = size;
	return rc;
}

int cudart_LibraryGetManaged(void **dptr, size_t *bytes, struct cuda_module *library,
                             const char *name)
{
	return cudart_LibraryGetGlobal(dptr, bytes, library, name);
}

int cudart_LibraryGetKernelCount(unsigned *count, struct cuda_module *lib)
{
	int rc;

	if (!count || !cuda_module_exists(lib))
		return cudaErrorInvalidResourceHandle;
	rc = cuda_module_load(lib);
	for (*count = 0; rc == cudaSuccess && cuda_module_function_at(lib, *count);)
		(*count)++;
	return rc;
}

int cudart_LibraryEnumerateKernels(struct cuda_function **kernels, unsigned numKernels,
                                   struct cuda_module *lib)
{
	int rc;

	if (!kernels || !cuda_module_exists(lib))
		return cudaErrorInvalidResourceHandle;
	rc = cuda_module_load(lib);
	for (unsigned i = 0; rc == cudaSuccess && i < numKernels; i++)
		kernels[i] = cuda_module_function_at(lib, i);
	return rc;
}
