/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong calls and NULL arguments get the driver's own answers, and leave what follows as it was. */
#include "behaviour.h"

#include <stdio.h>

static void wrong_contexts(const struct host *h)
{
	cl_int status = 1;

	clCreateContext(NULL, 0, NULL, NULL, NULL, &status);
	host_print_status("context of no device", status);
	printf("no place for the error: %d\n",
	       clCreateContext(NULL, 0, &h->device, NULL, NULL, NULL) == NULL);
	host_print_status("release of no context", clReleaseContext(NULL));
	host_print_status("retain of no context", clRetainContext(NULL));
}

static void wrong_buffers(const struct host *h)
{
	cl_int status = 1;

	clCreateBuffer(h->context, CL_MEM_READ_WRITE, 0, NULL, &status);
	host_print_status("buffer of 0 bytes", status);
	clCreateBuffer(NULL, CL_MEM_READ_WRITE, 64, NULL, &status);
	host_print_status("buffer of no context", status);
	clCreateBuffer(h->context, CL_MEM_USE_HOST_PTR, 64, NULL, &status);
	host_print_status("host buffer at NULL", status);
	clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, NULL, &status);
	host_print_status("buffer of two minds", status);
	clCreateSubBuffer(NULL, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &status);
	host_print_status("part of no buffer", status);
	host_print_status("release of no buffer", clReleaseMemObject(NULL));
}

static void wrong_programs(const struct host *h, cl_program program)
{
	const char *text = NULL;
	cl_int status = 1;

	clCreateProgramWithSource(h->context, 0, NULL, NULL, &status);
	host_print_status("program of no text", status);
	clCreateProgramWithSource(h->context, 1, &text, NULL, &status);
	host_print_status("program of a NULL text", status);
	clCreateProgramWithSource(NULL, 1, &text, NULL, &status);
	host_print_status("program of no context", status);
	host_print_status("build of no program", clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL));
	host_print_status("build for NULL devices",
	                  clBuildProgram(program, 1, NULL, NULL, NULL, NULL));
	host_print_status("release of no program", clReleaseProgram(NULL));
	clCreateKernel(program, "none_such", &status);
	host_print_status("kernel of another name", status);
	clCreateKernel(program, NULL, &status);
	host_print_status("kernel without a name", status);
	clCreateKernel(NULL, "add_one", &status);
	host_print_status("kernel of no program", status);
	host_print_status("kernels of no program", clCreateKernelsInProgram(NULL, 0, NULL, NULL));
}

static void wrong_source(const struct host *h)
{
	const char *text = "kernel void broken(global uint *a) { a[0] = nothing_of_this_name; }";
	cl_int status;
	cl_program program = clCreateProgramWithSource(h->context, 1, &text, NULL, &status);
	cl_build_status state = CL_BUILD_NONE;
	size_t bytes = 0;

	host_check(status, "clCreateProgramWithSource");
	host_print_status("build", clBuildProgram(program, 1, &h->device, NULL, NULL, NULL));
	host_print_status("its log", clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG,
	                                                   0, NULL, &bytes));
	clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_STATUS, sizeof(state), &state,
	                      NULL);
	printf("log: %d, state: %d\n", bytes > 1, state);
	clCreateKernel(program, "broken", &status);
	host_print_status("kernel of a broken program", status);
	host_check(clReleaseProgram(program), "clReleaseProgram");
}

static void wrong_arguments(cl_kernel kernel, cl_mem mem)
{
	host_print_status("argument of no kernel",
	                  clSetKernelArg(NULL, 0, sizeof(mem), (const void *)&mem));
	host_print_status("argument 1 of 1",
	                  clSetKernelArg(kernel, 1, sizeof(mem), (const void *)&mem));
	host_print_status("argument of 3 bytes", clSetKernelArg(kernel, 0, 3, (const void *)&mem));
	host_print_status("release of no kernel", clReleaseKernel(NULL));
	host_print_status("retain of no kernel", clRetainKernel(NULL));
}

static void wrong_launches(const struct host *h, cl_kernel kernel)
{
	static const size_t items[4] = { 64, 1, 1, 1 }, huge = (size_t)1 << 40;
	const struct {
		const char *name;
		cl_command_queue queue;
		cl_kernel kernel;
		cl_uint dimensions;
		const size_t *group;
	} rows[] = {
		{ "no queue", NULL, kernel, 1, NULL },
		{ "0 dimensions", h->queue, kernel, 0, NULL },
		{ "4 dimensions", h->queue, kernel, 4, NULL },
		{ "group too large", h->queue, kernel, 1, &huge },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cl_event event = NULL;

		host_print_status(rows[i].name,
		                  clEnqueueNDRangeKernel(rows[i].queue, rows[i].kernel,
		                                         rows[i].dimensions, NULL, items,
		                                         rows[i].group, 0, NULL, &event));
		printf("an event: %d\n", event != NULL);
	}
	host_print_status("task of no queue", clEnqueueTask(NULL, kernel, 0, NULL, NULL));
}

static void wrong_events(void)
{
	host_print_status("wait for nothing", clWaitForEvents(0, NULL));
	host_print_status("release of no event", clReleaseEvent(NULL));
	host_print_status("times of no event",
	                  clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 64, 0);
	host_set_mem(kernel, 0, mem);
	host_launch(&h, kernel, 64, 16);
	wrong_contexts(&h);
	wrong_buffers(&h);
	wrong_programs(&h, program);
	wrong_source(&h);
	wrong_arguments(kernel, mem);
	wrong_launches(&h, kernel);
	wrong_events();
	host_launch(&h, kernel, 64, 16);
	host_print(&h, "values", mem, 64);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
