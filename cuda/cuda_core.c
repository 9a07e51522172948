/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_core.h"

#include "cuda_error.h"
#include "cuda_module.h"
#include "cuda_stream.h"
#include "device_memory.h"
#include "err.h"
#include "quiet_signals.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cuda_thread *cuda_thread(void)
{
	static _Thread_local struct cuda_thread thread;

	return &thread;
}

void cuda_notice(const char *fmt, ...)
{
	char line[1024] = "warpline: ";
	const size_t head = sizeof("warpline: ") - 1;
	struct quiet_signals signals;
	size_t length;
	va_list args;
	int put;

	va_start(args, fmt);
	put = vsnprintf(line + head, sizeof(line) - head - 1, fmt, args);
	va_end(args);
	if (put < 0)
		return;
	length = head + (size_t)put < sizeof(line) - 2 ? head + (size_t)put : sizeof(line) - 2;
	line[length++] = '\n';
	quiet_signals_begin(&signals);
	quiet_signals_end(&signals, write(STDERR_FILENO, line, length) < 0);
}

#define PLATFORM_LIMIT 16
#define DEVICE_LIMIT   16
#define LIST_LIMIT     (1u << 24)

/* The only global state of these libraries: CUDA has no handle for it. */
static struct cuda_core core;
static pthread_once_t lists_once = PTHREAD_ONCE_INIT, device_once = PTHREAD_ONCE_INIT;

static void make_lists(void)
{
	pthread_mutex_init(&core.lock, NULL);
	pthread_mutex_init(&core.order, NULL);
	array_init(&core.allocations, sizeof(struct cuda_allocation), LIST_LIMIT, "allocations");
	array_init(&core.streams, sizeof(struct cuda_stream *), LIST_LIMIT, "streams");
	array_init(&core.events, sizeof(void *), LIST_LIMIT, "events");
	array_init(&core.modules, sizeof(void *), LIST_LIMIT, "modules");
	array_init(&core.functions, sizeof(struct cuda_binding), LIST_LIMIT, "kernels");
	array_init(&core.variables, sizeof(struct cuda_binding), LIST_LIMIT, "variables");
	array_init(&core.missing, sizeof(const char *), LIST_LIMIT, "calls");
}

/* Use the device if it has the features that we need. */
static bool take(cl_device_id device)
{
	cl_device_svm_capabilities svm = 0;
	cl_device_type type = 0;
	cl_bool has_compiler = CL_FALSE;
	cl_ulong bytes = 0;

	if (clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, NULL) ||
	    !(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) ||
	    clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(has_compiler),
	                    &has_compiler, NULL) ||
	    !has_compiler)
		return false;
	clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
	core.device = device;
	core.is_fine = (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
	core.is_the_host = (type & CL_DEVICE_TYPE_CPU) != 0;
	core.memory_bytes = (size_t)bytes;
	return true;
}

static bool find_device(void)
{
	cl_platform_id platforms[PLATFORM_LIMIT];
	cl_device_id devices[DEVICE_LIMIT];
	cl_uint platform_count = 0, device_count = 0;

	if (clGetPlatformIDs(PLATFORM_LIMIT, platforms, &platform_count) != CL_SUCCESS)
		return false;
	for (cl_uint p = 0; p < platform_count && p < PLATFORM_LIMIT; p++) {
		device_count = 0;
		if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICE_LIMIT, devices,
		                   &device_count) != CL_SUCCESS)
			continue;
		for (cl_uint d = 0; d < device_count && d < DEVICE_LIMIT; d++)
			if (take(devices[d]))
				return true;
	}
	return false;
}

static int open_device(void)
{
	/* Stack, printf buffer, heap, synchronization depth, pending launches, fetch granularity,
	 * persisting L2.
	 */
	static const size_t limits[CUDA_LIMITS] = { 1 << 10, 1 << 20, 8 << 20, 2, 2048, 64, 0 };
	struct err err = { 0 };
	cl_int code = CL_SUCCESS;

	memcpy(core.limits, limits, sizeof(limits));
	if (cuda_gpu_init(&core.gpu, getenv("WARPLINE_CUDA_GPU"), &err) < 0) {
		cuda_notice("WARPLINE_CUDA_GPU: %s", err.msg);
		return cudaErrorNoDevice;
	}
	if (!find_device()) {
		cuda_notice("no OpenCL device has shared virtual memory and a compiler, which CUDA "
		            "programs need here (POCL has both)");
		return cudaErrorNoDevice;
	}
	core.context = clCreateContext(NULL, 1, &core.device, NULL, NULL, &code);
	if (!core.context) {
		cuda_notice("the OpenCL driver cannot create a context: %d", code);
		return cudaErrorDevicesUnavailable;
	}
	core.service = clCreateCommandQueueWithProperties(core.context, core.device, NULL, &code);
	return core.service ? cuda_stream_create(0, 0, CUDA_STREAM_LEGACY, &core.legacy)
	                    : (int)cudaErrorMemoryAllocation;
}

static void open_once(void)
{
	core.status = open_device();
}

struct cuda_core *cuda_core_unopened(void)
{
	pthread_once(&lists_once, make_lists);
	return &core;
}

struct cuda_core *cuda_core(void)
{
	cuda_core_unopened();
	pthread_once(&device_once, open_once);
	return &core;
}

uint64_t cuda_core_next_id(void)
{
	uint64_t id;

	pthread_mutex_lock(&core.lock);
	id = ++core.next_id;
	pthread_mutex_unlock(&core.lock);
	return id;
}

size_t cuda_core_place(const struct array *list, const void *item)
{
	void *const *items = list->data;
	size_t after = list->count;

	/* From the end: programs with many objects mostly use the newest. */
	while (after > 0 && items[after - 1] != item)
		after--;
	return after ? after - 1 : list->count;
}

int cuda_core_error(cl_int code)
{
	switch (code) {
	case CL_SUCCESS:
		return cudaSuccess;
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_HOST_MEMORY:
		return cudaErrorMemoryAllocation;
	case CL_INVALID_WORK_GROUP_SIZE:
	case CL_INVALID_WORK_ITEM_SIZE:
	case CL_INVALID_GLOBAL_WORK_SIZE:
		return cudaErrorInvalidConfiguration;
	case CL_INVALID_VALUE:
	case CL_MEM_COPY_OVERLAP:
		return cudaErrorInvalidValue;
	default:
		return cudaErrorLaunchFailure;
	}
}
