/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program on a device with little local memory: 16 KiB are enough for the kernel's 64 bytes, but
 * not for those and what warps need that wait for one another. The user is told whose they are.
 *
 * The runtime of OpenCL has more; two calls of it are answered here in its place. One that does not
 * tell what a kernel needs (POCL 6) leaves nothing to say.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include "cuda_error.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
extern int cuInit(unsigned flags);
extern int cuCtxCreate_v2(void **context, unsigned flags, int device);
extern int cuModuleLoadData(void **module, const void *image);
extern int cuModuleGetFunction(void **function, void *module, const char *name);
extern int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
extern int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned group_x, unsigned group_y, unsigned group_z,
                          unsigned shared_bytes, void *stream, void **params, void **extra);

enum { ROOM = 16384, NO_DEVICE = 77 };

static const char source[] =
	"// warpline: CUDA C++, not PTX. Options: -DLANES=16\n"
	"extern \"C\" __global__ void vote(int *data, int n)\n"
	"{ __shared__ int votes[LANES]; int i = threadIdx.x; if (i >= n) return;\n"
	"  votes[i & 15] = __ballot_sync(__activemask(), data[i]); data[i] = votes[3]; }\n";

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t bytes, void *value,
                       size_t *needed)
{
	cl_int (*real)(cl_device_id, cl_device_info, size_t, void *, size_t *);
	cl_ulong room = ROOM;
	cl_int code;

	*(void **)(void *)&real = dlsym(RTLD_NEXT, "clGetDeviceInfo");
	code = real(device, what, bytes, value, needed);
	if (code == CL_SUCCESS && what == CL_DEVICE_LOCAL_MEM_SIZE && value)
		memcpy(value, &room, sizeof(room));
	return code;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *events, cl_event *event)
{
	(void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
	(void)count, (void)events, (void)event;
	return CL_OUT_OF_RESOURCES;
}
cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t bytes, void *value,
                                size_t *needed)
{
	cl_int (*real)(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *,
	               size_t *);
	cl_int code;

	*(void **)(void *)&real = dlsym(RTLD_NEXT, "clGetKernelWorkGroupInfo");
	code = real(kernel, device, what, bytes, value, needed);
	if (code == CL_SUCCESS && what == CL_KERNEL_LOCAL_MEM_SIZE && value && !*(cl_ulong *)value)
		_exit(NO_DEVICE);
	return code;
}
/* NOLINTEND(readability-function-size) */

/* What the library writes on the standard error output while `function` is launched. */
static int launch(void *function, uint64_t data, char *said, size_t bytes)
{
	int n = 32, code, kept = dup(STDERR_FILENO), ends[2];
	void *params[] = { &data, &n };
	ssize_t length;

	if (kept < 0 || pipe(ends))
		return -1;
	dup2(ends[1], STDERR_FILENO);
	code = cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL);
	dup2(kept, STDERR_FILENO);
	close(ends[1]);
	length = read(ends[0], said, bytes - 1);
	said[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	close(kept);
	return code;
}

int main(void)
{
	void *context, *module, *function;
	char said[512], *more;
	uint64_t data;
	int code;

	if (cuInit(0) || cuCtxCreate_v2(&context, 0, 0))
		return NO_DEVICE;
	if (cuModuleLoadData(&module, source) || cuModuleGetFunction(&function, module, "vote") ||
	    cuMemAlloc_v2(&data, 256)) {
		fprintf(stderr, "the module cannot be loaded\n");
		return 1;
	}
	code = launch(function, data, said, sizeof(said));
	more = strstr(said, "kernel vote cannot run: the OpenCL device has 16384 bytes of local "
	                    "memory for a work-group, which needs 64, and Warpline 1");
	if (code == cudaErrorLaunchOutOfResources && more)
		return 0;
	fprintf(stderr, "%d: %s\n", code, said);
	return 1;
}
