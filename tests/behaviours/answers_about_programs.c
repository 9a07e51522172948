/* SPDX-License-Identifier: Apache-2.0 */
/* What a program and its kernels say of themselves, before and after a launch: nothing of what runs
 * in their place. */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 16

static const char text[] =
	"kernel void add(global uint *values, const uint more, local uint *room)\n"
	"{\n"
	"	room[get_local_id(0)] = values[get_global_id(0)];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	values[get_global_id(0)] = room[get_local_id(0)] + more;\n"
	"}\n"
	"kernel void unused(global int *a, read_only image2d_t b) {}\n";

static cl_uint number(cl_program program, cl_kernel kernel, cl_uint name)
{
	cl_uint value = 0;

	if (kernel)
		host_check(clGetKernelInfo(kernel, name, sizeof(value), &value, NULL),
		           "clGetKernelInfo");
	else
		host_check(clGetProgramInfo(program, name, sizeof(value), &value, NULL),
		           "clGetProgramInfo");
	return value;
}

static void show_program(const struct host *h, cl_program program)
{
	char source[1024] = "", names[64] = "", options[64] = "";
	size_t kernels = 0, bytes = 0;

	clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, NULL);
	clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL);
	clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(kernels), &kernels, NULL);
	clGetProgramInfo(program, CL_PROGRAM_BINARIES, 0, NULL, &bytes);
	clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_OPTIONS, sizeof(options),
	                      options, NULL);
	printf("source %s, kernels %zu: %s, options %s, places %zu\n",
	       strcmp(source, text) == 0 ? "same" : "other", kernels, names, options, bytes);
	printf("references %u\n", number(program, NULL, CL_PROGRAM_REFERENCE_COUNT));
}

static void show_argument(cl_kernel kernel, cl_uint index)
{
	char name[32] = "", type[32] = "";
	cl_kernel_arg_address_qualifier space = 0;
	cl_int rc = clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof(name), name, NULL);

	clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof(type), type, NULL);
	clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space,
	                   NULL);
	printf("argument %u: %d %s %s %x\n", index, rc, type, name, (unsigned)space);
}

static void show_kernel(const struct host *h, cl_kernel kernel)
{
	cl_ulong local = 0;
	size_t required[3] = { 9, 9, 9 };

	printf("arguments %u, references %u\n", number(NULL, kernel, CL_KERNEL_NUM_ARGS),
	       number(NULL, kernel, CL_KERNEL_REFERENCE_COUNT));
	for (cl_uint i = 0; i < 4; i++)
		show_argument(kernel, i);
	clGetKernelWorkGroupInfo(kernel, h->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local,
	                         NULL);
	clGetKernelWorkGroupInfo(kernel, h->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
	                         sizeof(required), required, NULL);
	printf("local memory %u, groups %zu %zu %zu\n", (unsigned)local, required[0], required[1],
	       required[2]);
	host_print_status("one argument too many", clSetKernelArg(kernel, 3, 4, &required));
}

int main(void)
{
	cl_program program;
	cl_kernel kernel;
	struct host h;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, text, "-cl-kernel-arg-info");
	show_program(&h, program);
	kernel = host_kernel(program, "add");
	show_kernel(&h, kernel);
	mem = host_buffer(&h, ITEMS, 1);
	host_set_mem(kernel, 0, mem);
	host_set_uint(kernel, 1, 7);
	host_check(clSetKernelArg(kernel, 2, 8 * sizeof(cl_uint), NULL), "clSetKernelArg");
	host_launch(&h, kernel, ITEMS, 8);
	host_print(&h, "values", mem, ITEMS);
	show_program(&h, program);
	show_kernel(&h, kernel);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	show_program(&h, program);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
