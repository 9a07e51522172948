/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that end in unusual ways, one per argument. Each launches `add` once or more over 64
 * ints in place and prints the first of them.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem mem;
static int launches_late;

static void start(void)
{
	const char *text = "__kernel void add(__global int *a) { a[get_global_id(0)] += 5; }";
	cl_platform_id platform;
	cl_device_id device;
	cl_program program;
	int first[64] = { 0 };

	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
	kernel = clCreateKernel(program, "add", NULL);
	mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(first), first, NULL);
	clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem);
}

static int launch(void)
{
	size_t global = 64, local = 16;

	return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

static void show(void)
{
	int value = -1;

	clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
	printf("%d\n", value);
	fflush(stdout);
}

/* As a static object of a C++ program would: after every atexit() handler. */
__attribute__((destructor)) static void last_words(void)
{
	if (launches_late && launch() == CL_SUCCESS)
		show();
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	pid_t child;
	int status;

	start();
	launch();
	if (strcmp(way, "unfinished") == 0) {
		clFlush(queue);
		return 0;
	}
	show();
	if (strcmp(way, "killed") == 0)
		raise(SIGKILL);
	if (strcmp(way, "at-once") == 0)
		_exit(4);
	if (strcmp(way, "late") == 0)
		launches_late = 1;
	if (strcmp(way, "forked") == 0) {
		child = fork();
		if (child == 0)
			exit(9);
		if (waitpid(child, &status, 0) == child && WIFEXITED(status))
			printf("child %d\n", WEXITSTATUS(status));
		launch();
		show();
	}
	return 0;
}
