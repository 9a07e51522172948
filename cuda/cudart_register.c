/* SPDX-License-Identifier: Apache-2.0 */
/* What compilers put before main(): device code, and which address of the host stands for what in
 * it. */
#include "cuda_binding.h"
#include "cuda_module.h"
#include "cuda_notice.h"
#include "cudart.h"

#include <stdlib.h>

/* Programs know a module by the address of a pointer. */
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

/* The program reads its address from *hostVarPtrAddress once __cudaInitModule() was called. */
void cudart___cudaRegisterManagedVar(void **fatCubinHandle, void **hostVarPtrAddress,
                                     char *deviceAddress, const char *deviceName)
{
	add_variable(fatCubinHandle, hostVarPtrAddress, deviceName, hostVarPtrAddress);
}

void cudart___cudaRegisterHostVar(void **fatCubinHandle, const char *deviceName, char *hostVar,
                                  size_t size)
{
	cuda_notice("variable %s of the host is not reached by kernels", deviceName);
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
