/* SPDX-License-Identifier: Apache-2.0 */
/* Thousands of small launches, of two kernels in turn, with no wait between them. */
#include "behaviour.h"

int main(void)
{
	static const char *const source =
		HOST_ADD_ONE "kernel void add(global uint *values, uint summand)\n"
			     "{\n"
			     "	values[get_global_id(0)] += summand;\n"
			     "}\n";
	struct host h;
	cl_program program;
	cl_kernel one, other;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, source, NULL);
	one = host_kernel(program, "add_one");
	other = host_kernel(program, "add");
	mem = host_buffer(&h, 8, 0);
	host_set_mem(one, 0, mem);
	host_set_mem(other, 0, mem);
	for (cl_uint i = 0; i < 1000; i++) {
		host_launch(&h, one, 8, 4);
		host_set_uint(other, 1, i);
		host_launch(&h, other, 8, 0);
	}
	host_print(&h, "values", mem, 8);
	clReleaseMemObject(mem);
	clReleaseKernel(one);
	clReleaseKernel(other);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
