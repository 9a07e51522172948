/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cudart.h"

#include <stdlib.h>

/* Calls that compilers insert before main(): they register device code, and the host addresses of
 * its kernels and variables. */
/* A program's handle of a module is the address of a pointer. */
static struct cuda_module *module_of(void **handle)
{
	return (struct cuda_module *)(void *)handle;
}

void **cudart___cudaRegisterFatBinary(void *fatCubin)
{
	return (void **)(void *)cuda_module_create(fatCubin, 0);
}

void cudart___cudaRegisterFatBinaryEnd(void **fatCubinHandle)
{
}

void cudart___cudaUnregisterFatBinary(void **fatCubinHandle)
{
	if (cuda_module_exists(module_of(fatCubinHandle)))
		cuda_module_retire(module_of(fatCubinHandle));
}

void cudart___cudaRegisterFunction(void **fatCubinHandle, const char *hostFun, char *deviceFun,
                                   const char *deviceName)
{
	struct cuda_module *m = module_of(fatCubinHandle);
	const struct cuda_binding b = { .host = (uintptr_t)hostFun,
		                        .module = m,
		                        .function =
		                                m ? cuda_module_function(m, deviceName) : NULL };

	if (!b.function || !cuda_binding_add_function(&b))
		cuda_notice("kernel %s: out of memory", deviceName);
}

static void add_variable(void **handle, const void *host, const char *name, void **managed)
{
	const struct cuda_binding b = { .host = (uintptr_t)host,
		                        .module = module_of(handle),
		                        .name = name,
		                        .managed = managed };

	if (!b.module || !cuda_binding_add_variable(&b))
		cuda_notice("variable %s: out of memory", name);
}

void cudart___cudaRegisterVar(void **fatCubinHandle, char *hostVar, char *deviceAddress,
                              const char *deviceName)
{
	add_variable(fatCubinHandle, hostVar, deviceName, NULL);
}

/* The program reads the variable's address from *hostVarPtrAddress after __cudaInitModule(). */
void cudart___cudaRegisterManagedVar(void **fatCubinHandle, void **hostVarPtrAddress,
                                     char *deviceAddress, const char *deviceName)
{
	add_variable(fatCubinHandle, hostVarPtrAddress, deviceName, hostVarPtrAddress);
}

void cudart___cudaRegisterHostVar(void **fatCubinHandle, const char *deviceName, char *hostVar,
                                  size_t size)
{
	cuda_notice("kernels cannot reach variable %s of the host", deviceName);
}

void cudart___cudaRegisterTexture(void **fatCubinHandle, const void *hostVar,
                                  const void **deviceAddress, const char *deviceName)
{
	cuda_notice("texture %s is not supported", deviceName);
}

void cudart___cudaRegisterSurface(void **fatCubinHandle, const void *hostVar,
                                  const void **deviceAddress, const char *deviceName)
{
	cuda_notice("surface %s is not supported", deviceName);
}

char cudart___cudaInitModule(void **fatCubinHandle)
{
	struct cuda_module *m = module_of(fatCubinHandle);

	return (char)(m && cudart_keep(cuda_module_load(m)) == 0);
}

/* Modules that programs load at run time through the runtime API (cudaLibrary...). */
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
