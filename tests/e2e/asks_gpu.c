/* SPDX-License-Identifier: Apache-2.0 */
/* asks_gpu list|type: wants a GPU, by clGetDeviceIDs() or clCreateContextFromType(), and launches a
 * kernel on it; ends with 1 when there is none. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

static cl_context make_context(const char *how, cl_platform_id platform, cl_device_id *device)
{
	const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
		                                     (cl_context_properties)platform, 0 };
	cl_context context;
	cl_int rc;

	if (!strcmp(how, "list")) {
		rc = clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, device, NULL);
		context = rc ? NULL : clCreateContext(properties, 1, device, NULL, NULL, &rc);
	} else {
		context = clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &rc);
		if (!rc)
			rc = clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(*device),
			                      (void *)device, NULL);
	}
	printf("%d\n", rc);
	return rc ? NULL : context;
}

int main(int argc, char **argv)
{
	const char *source = "kernel void one(global int *a) { a[get_global_id(0)] = 1; }";
	const size_t size = 16;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	if (argc != 2 || clGetPlatformIDs(1, &platform, NULL))
		return 2;
	context = make_context(argv[1], platform, &device);
	if (!context)
		return 1;
	queue = clCreateCommandQueue(context, device, 0, NULL);
	program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	if (clBuildProgram(program, 0, NULL, NULL, NULL, NULL))
		return 2;
	kernel = clCreateKernel(program, "one", NULL);
	mem = clCreateBuffer(context, CL_MEM_READ_WRITE, size * sizeof(cl_int), NULL, NULL);
	clSetKernelArg(kernel, 0, sizeof(cl_mem), (const void *)&mem);
	if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) ||
	    clFinish(queue))
		return 2;
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
