/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "cuda_core.h"
#include "cuda_device.h"
#include "cuda_error.h"
#include "cudart.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int cudart_keep(int code)
{
	if (!code)
		code = cuda_stream_broken();
	if (code)
		cuda_thread()->last_error = code;
	return code;
}

/* Whether a call has not been reported before. */
static bool is_new(const char *name)
{
	struct cuda_core *c = cuda_core_unopened();
	const char **list, **slot = NULL;
	bool is_known = false;

	pthread_mutex_lock(&c->lock);
	list = c->missing.data;
	for (size_t i = 0; !is_known && i < c->missing.count; i++)
		is_known = strcmp(list[i], name) == 0;
	if (!is_known)
		slot = array_push(&c->missing, 1, NULL);
	if (slot)
		*slot = name;
	pthread_mutex_unlock(&c->lock);
	return slot != NULL;
}

int cudart_not_supported(const char *name)
{
	if (is_new(name))
		cuda_notice("%s is not supported", name);
	cuda_thread()->last_error = cudaErrorNotSupported;
	return cudaErrorNotSupported;
}

int cudart_cudaGetLastError(void)
{
	struct cuda_thread *t = cuda_thread();
	int code = t->last_error;

	t->last_error = cuda_stream_broken();
	return code ? code : t->last_error;
}

int cudart_cudaPeekAtLastError(void)
{
	int code = cuda_thread()->last_error;

	return code ? code : cuda_stream_broken();
}

const char *cudart_cudaGetErrorName(int error)
{
	const char *name = cuda_error_runtime_name(error);

	return name ? name : "unrecognized error code";
}

const char *cudart_cudaGetErrorString(int error)
{
	const char *text = cuda_error_text(error);

	return text ? text : "unrecognized error code";
}

#define VERSION_OF_DRIVER 13000
#define PCI_BUS_ID        "0000:01:00.0"
#define DEVICE_FLAGS      0xffu
#define LOWEST_PRIORITY   0
#define HIGHEST_PRIORITY  (-5)

int cudart_GetDeviceCount(int *count)
{
	int status = cuda_core()->status;

	if (!count)
		return cudaErrorInvalidValue;
	*count = status == cudaSuccess;
	return status;
}

int cudart_GetDevice(int *device)
{
	if (!device)
		return cudaErrorInvalidValue;
	*device = 0;
	return cuda_core()->status;
}

int cudart_SetDevice(int device)
{
	return cuda_device_check(device);
}

int cudart_InitDevice(int device, unsigned deviceFlags, unsigned flags)
{
	return cuda_device_check(device);
}

int cudart_SetValidDevices(int *device_arr, int len)
{
	int rc = cudaSuccess;

	for (int i = 0; !rc && i < len; i++)
		rc = device_arr ? cuda_device_check(device_arr[i]) : (int)cudaErrorInvalidValue;
	return rc;
}

int cudart_SetDeviceFlags(unsigned flags)
{
	if (flags & ~DEVICE_FLAGS)
		return cudaErrorInvalidValue;
	cuda_thread()->device_flags = (int)flags;
	return cudaSuccess;
}

int cudart_GetDeviceFlags(unsigned *flags)
{
	if (!flags)
		return cudaErrorInvalidValue;
	*flags = (unsigned)cuda_thread()->device_flags;
	return cudaSuccess;
}

int cudart_ChooseDevice(int *device, const void *prop)
{
	return prop ? cudart_GetDevice(device) : (int)cudaErrorInvalidValue;
}

int cudart_DeviceGetAttribute(int *value, int attr, int device)
{
	int rc = cuda_device_check(device);

	if (rc)
		return rc;
	return value ? cuda_device_attribute(&cuda_core()->gpu, attr, value)
	             : (int)cudaErrorInvalidValue;
}

int cudart_DeviceReset(void)
{
	cuda_thread()->last_error = cudaSuccess;
	return cuda_device_reset();
}

int cudart_DeviceSynchronize(void)
{
	return cuda_stream_wait_all();
}

int cudart_ThreadExit(void)
{
	return cudart_DeviceReset();
}

int cudart_ThreadSynchronize(void)
{
	return cuda_stream_wait_all();
}

int cudart_DeviceSetLimit(int limit, size_t value)
{
	return cuda_device_set_limit(limit, value);
}

int cudart_DeviceGetLimit(size_t *pValue, int limit)
{
	return pValue ? cuda_device_get_limit(limit, pValue) : (int)cudaErrorInvalidValue;
}

/* Preferences have no effect on recordings. */
int cudart_DeviceGetCacheConfig(int *pCacheConfig)
{
	if (!pCacheConfig)
		return cudaErrorInvalidValue;
	*pCacheConfig = 0;
	return cudaSuccess;
}

int cudart_DeviceSetCacheConfig(int cacheConfig)
{
	return cacheConfig >= 0 && cacheConfig <= 3 ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cudart_DeviceGetSharedMemConfig(int *pConfig)
{
	if (!pConfig)
		return cudaErrorInvalidValue;
	*pConfig = 1; /* banks of four bytes */
	return cudaSuccess;
}

int cudart_DeviceSetSharedMemConfig(int config)
{
	return config >= 0 && config <= 2 ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cudart_DeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	if (leastPriority)
		*leastPriority = LOWEST_PRIORITY;
	if (greatestPriority)
		*greatestPriority = HIGHEST_PRIORITY;
	return cudaSuccess;
}

int cudart_DeviceGetPCIBusId(char *pciBusId, int len, int device)
{
	int rc = cuda_device_check(device);

	if (rc)
		return rc;
	if (!pciBusId || len < (int)sizeof(PCI_BUS_ID))
		return cudaErrorInvalidValue;
	memcpy(pciBusId, PCI_BUS_ID, sizeof(PCI_BUS_ID));
	return cudaSuccess;
}

int cudart_DeviceGetByPCIBusId(int *device, const char *pciBusId)
{
	if (!device || !pciBusId)
		return cudaErrorInvalidValue;
	if (strcmp(pciBusId, PCI_BUS_ID) != 0)
		return cudaErrorInvalidDevice;
	return cudart_GetDevice(device);
}

int cudart_DeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
	int rc = cuda_device_check(device);

	if (rc == cudaSuccess)
		rc = cuda_device_check(peerDevice);
	if (rc == cudaSuccess && canAccessPeer)
		*canAccessPeer = 0;
	return rc;
}

int cudart_DeviceEnablePeerAccess(int peerDevice, unsigned flags)
{
	return cudaErrorInvalidDevice;
}

int cudart_DeviceDisablePeerAccess(int peerDevice)
{
	return cudaErrorPeerAccessNotEnabled;
}

int cudart_DeviceGetP2PAttribute(int *value, int attr, int srcDevice, int dstDevice)
{
	return cudaErrorInvalidDevice;
}

int cudart_CtxResetPersistingL2Cache(void)
{
	return cuda_core()->status;
}

int cudart_DriverGetVersion(int *driverVersion)
{
	if (!driverVersion)
		return cudaErrorInvalidValue;
	*driverVersion = VERSION_OF_DRIVER;
	return cudaSuccess;
}

int cudart_RuntimeGetVersion(int *runtimeVersion, int major)
{
	if (!runtimeVersion)
		return cudaErrorInvalidValue;
	*runtimeVersion = major * 1000;
	return cudaSuccess;
}

int cudart_ProfilerStart(void)
{
	return cuda_core()->status;
}

int cudart_ProfilerStop(void)
{
	return cuda_core()->status;
}

/* Our driver library is beside this one. *status: 0 found, 1 not. */
int cudart_GetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned cudaVersion,
                                        unsigned long long flags, int *driverStatus)
{
	void *library = dlopen("libcuda.so.1", RTLD_LAZY);
	void *newer = NULL;
	char name[128];

	if (!symbol || !funcPtr)
		return cudaErrorInvalidValue;
	if (snprintf(name, sizeof(name), "%s_v2", symbol) < (int)sizeof(name) && library)
		newer = dlsym(library, name);
	*funcPtr = newer || !library ? newer : dlsym(library, symbol);
	if (driverStatus)
		*driverStatus = *funcPtr == NULL;
	return *funcPtr || driverStatus ? cudaSuccess : (int)cudaErrorSymbolNotFound;
}

int cudart_GetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                               int *driverStatus)
{
	return cudart_GetDriverEntryPointByVersion(symbol, funcPtr, 0, flags, driverStatus);
}
