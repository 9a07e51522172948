/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls cost: nanoseconds for each of a few, as the best of many rounds. Run bare and with the
 * recorder loaded (wrapper_idle.sh), the difference is what a call costs that records nothing.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <time.h>

#define ROUNDS         400
#define CALLS          2000
#define LAUNCH_CALLS   20
#define LAUNCHES_TAKEN 4000

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem mem;
static cl_event event;

static int start(void)
{
	const char *text = "__kernel void nothing(__global int *a) { }";
	cl_platform_id platform;
	cl_device_id device;
	cl_program program;
	const size_t one = 1;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	if (!program || clBuildProgram(program, 0, NULL, NULL, NULL, NULL))
		return 1;
	kernel = clCreateKernel(program, "nothing", NULL);
	mem = clCreateBuffer(context, 0, 64, NULL, NULL);
	return clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem) ||
	       clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event) ||
	       clFinish(queue);
}

static void set_argument(void)
{
	clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem);
}

static void retain_release(void)
{
	clRetainMemObject(mem);
	clReleaseMemObject(mem);
}

static void retain_release_event(void)
{
	clRetainEvent(event);
	clReleaseEvent(event);
}

static void ask_kernel(void)
{
	cl_uint count;

	clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL);
}

static void launch(void)
{
	const size_t one = 1;

	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
}

static void set_and_launch(void)
{
	set_argument();
	launch();
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The best round's time for one of `calls` calls. */
static double best_of(int rounds, int calls, void (*run)(void))
{
	double best = 1e18;

	for (int round = 0; round < rounds; round++) {
		double begin = now_ns(), one;

		for (int i = 0; i < calls; i++)
			run();
		one = (now_ns() - begin) / calls;
		best = one < best ? one : best;
		clFinish(queue);
	}
	return best;
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
		int calls;
		double in_one; /* calls of OpenCL in a call of run */
	} rows[] = {
		{ "clSetKernelArg", set_argument, CALLS, 1 },
		{ "clRetainMemObject, clReleaseMemObject", retain_release, CALLS, 2 },
		{ "clRetainEvent, clReleaseEvent", retain_release_event, CALLS, 2 },
		{ "clGetKernelInfo", ask_kernel, CALLS, 1 },
		{ "clEnqueueNDRangeKernel", launch, LAUNCH_CALLS, 1 },
		{ "clSetKernelArg and clEnqueueNDRangeKernel", set_and_launch, LAUNCH_CALLS, 1 },
	};

	if (start())
		return 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int rounds = rows[i].calls == CALLS ? ROUNDS : LAUNCHES_TAKEN / LAUNCH_CALLS;

		printf("%-44s %8.1f\n", rows[i].name,
		       best_of(rounds, rows[i].calls, rows[i].run) / rows[i].in_one);
	}
	return 0;
}
