/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a program with a callback, and launches its kernel in there, before anything else. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>

static cl_command_queue queue;
static cl_mem mem;
static int status = 1;

static void CL_CALLBACK built(cl_program program, void *user_data)
{
	cl_kernel kernel = clCreateKernel(program, "double_all", NULL);
	const size_t global = 16;

	(void)user_data;
	status = !kernel || clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem) ||
	         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
	clReleaseKernel(kernel);
}

int main(void)
{
	const char *text = "__kernel void double_all(__global int *a) { "
			   "a[get_global_id(0)] *= 2; }";
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_program program;
	int values[16], sum = 0;

	for (int i = 0; i < 16; i++)
		values[i] = i;
	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, NULL);
	program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	if (clBuildProgram(program, 0, NULL, "", built, NULL) || clFinish(queue) || status ||
	    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL))
		return 1;
	for (int i = 0; i < 16; i++)
		sum += values[i];
	printf("sum %d\n", sum);
	clReleaseProgram(program);
	clReleaseMemObject(mem);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
