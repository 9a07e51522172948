/* SPDX-License-Identifier: Apache-2.0 */
/* A program made of the binary that another one gave, as programs do that keep their binaries; and
 * programs of what is no binary, no intermediate language and no kernel of the device's. */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>

#define ITEMS 32

/* The binary of the program's only device. */
static unsigned char *read_binary(cl_program program, size_t *bytes)
{
	unsigned char *binary;

	host_check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(*bytes), bytes, NULL),
	           "clGetProgramInfo");
	binary = malloc(*bytes ? *bytes : 1);
	if (!binary)
		host_skip("no memory");
	host_check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), (void *)&binary,
	                            NULL),
	           "clGetProgramInfo");
	return binary;
}

static cl_program from_binary(const struct host *h, const unsigned char *binary, size_t bytes)
{
	cl_int status = 1, rc = 1;
	cl_program program =
		clCreateProgramWithBinary(h->context, 1, &h->device, &bytes, &binary, &status, &rc);

	printf("binary: %d %d\n", rc, status);
	return program;
}

static void show_refusals(const struct host *h)
{
	static const unsigned char nonsense[64] = "nonsense";
	cl_int rc = 1;

	(void)from_binary(h, nonsense, sizeof(nonsense));
	(void)clCreateProgramWithBuiltInKernels(h->context, 1, &h->device, "no_such_kernel", &rc);
	host_print_status("built-in kernel", rc);
}

int main(void)
{
	unsigned char *binary;
	size_t bytes = 0;
	cl_program program, again;
	cl_kernel kernel;
	struct host h;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, "kernel void add(global uint *v) { v[get_global_id(0)] += N; }\n",
	                     "-DN=7");
	binary = read_binary(program, &bytes);
	clReleaseProgram(program);
	again = from_binary(&h, binary, bytes);
	host_print_status("build", clBuildProgram(again, 1, &h.device, NULL, NULL, NULL));
	free(binary);
	kernel = host_kernel(again, "add");
	clReleaseProgram(again);
	mem = host_buffer(&h, ITEMS, 1);
	host_set_mem(kernel, 0, mem);
	host_launch(&h, kernel, ITEMS, 0);
	host_print(&h, "values", mem, ITEMS);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	show_refusals(&h);
	host_close(&h);
	return 0;
}
