/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that calls another, a helper of several kernels, macros and attributes in front of
 * `kernel`, a program in several strings. */
#include "behaviour.h"

#define ITEMS 16

static const char *const texts[] = {
	"#define ENTRY kernel __attribute__((reqd_work_group_size(8, 1, 1))) void\n",
	"uint next(global uint *values, size_t i) { return values[i] + 1; }\n",
	"ENTRY inner(global uint *values)\n{\n"
	"	values[get_global_id(0)] = next(values, get_global_id(0));\n}\n and this is cut "
	"off",
	"ENTRY outer(global uint *values)\n{\n"
	"	inner(values);\n"
	"	values[get_global_id(0)] = 2 * next(values, get_global_id(0));\n}\n",
};

int main(void)
{
	size_t lengths[4] = { 0 };
	const char *strings[4];
	cl_program program;
	cl_kernel inner, outer;
	struct host h;
	cl_mem mem;
	cl_int rc;

	for (int i = 0; i < 4; i++)
		strings[i] = texts[i];
	for (lengths[2] = 0; texts[2][lengths[2]] != '}'; lengths[2]++)
		;
	lengths[2]++;
	host_open(&h);
	program = clCreateProgramWithSource(h.context, 4, strings, lengths, &rc);
	host_check(rc, "clCreateProgramWithSource");
	host_check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
	inner = host_kernel(program, "inner");
	outer = host_kernel(program, "outer");
	mem = host_buffer(&h, ITEMS, 1);
	host_set_mem(inner, 0, mem);
	host_set_mem(outer, 0, mem);
	host_launch(&h, inner, ITEMS, 8);
	host_launch(&h, outer, ITEMS, 8);
	host_print(&h, "values", mem, ITEMS);
	clReleaseMemObject(mem);
	clReleaseKernel(inner);
	clReleaseKernel(outer);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
