/* SPDX-License-Identifier: Apache-2.0 */
/* Local memory, a struct by value, vectors, a NULL buffer, constant memory, and one argument set
 * many times: each launch sees what was set when it was enqueued. */
#include "behaviour.h"

#include <stdio.h>

struct shift {
	cl_uint by;
	cl_uint words[3];
};

static const char source[] =
	"struct shift { uint by; uint words[3]; };\n"
	"kernel void all_kinds(global uint *out, local uint *scratch, struct shift shift,\n"
	"                      global const uint *maybe, uint4 four, constant uint *table,\n"
	"                      ulong wide, char small)\n"
	"{\n"
	"	size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);\n"
	"	scratch[l] = (uint)l + shift.by + shift.words[l % 3];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	uint value = scratch[n - 1 - l] + four.s1 + four.s3 + table[l % 4];\n"
	"	if (maybe)\n"
	"		value += maybe[g];\n"
	"	out[g] = value + (uint)(wide >> 40) + (uint)small;\n"
	"}\n";

static void set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
	host_check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

static void print_wrong_ones(cl_kernel kernel)
{
	cl_uint word = 0;

	host_print_status("local memory of 0 bytes", clSetKernelArg(kernel, 1, 0, NULL));
	host_print_status("a struct of 4 bytes", clSetKernelArg(kernel, 2, 4, &word));
	host_print_status("argument 8 of 8", clSetKernelArg(kernel, 8, 4, &word));
}

int main(void)
{
	static const cl_uint four[4] = { 1, 20, 300, 4000 };
	struct shift shift = { 7, { 1, 2, 3 } };
	const cl_ulong wide = (cl_ulong)5 << 40;
	const cl_char small = -2;
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem out, maybe, table;

	host_open(&h);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "all_kinds");
	out = host_buffer(&h, 64, 0);
	maybe = host_buffer(&h, 64, 100000);
	table = host_buffer(&h, 4, 1000000);
	print_wrong_ones(kernel);
	host_set_mem(kernel, 0, out);
	set(kernel, 1, 16 * sizeof(cl_uint), NULL);
	set(kernel, 2, sizeof(shift), &shift);
	set(kernel, 3, sizeof(cl_mem), NULL);
	set(kernel, 4, sizeof(four), four);
	host_set_mem(kernel, 5, table);
	set(kernel, 6, sizeof(wide), &wide);
	set(kernel, 7, sizeof(small), &small);
	host_launch(&h, kernel, 64, 16);
	host_print(&h, "without", out, 64);
	host_set_mem(kernel, 3, maybe);
	host_launch(&h, kernel, 64, 16);
	/* What was enqueued has its own values. */
	shift.by = 70000;
	set(kernel, 2, sizeof(shift), &shift);
	set(kernel, 1, 32 * sizeof(cl_uint), NULL);
	host_print(&h, "with", out, 64);
	host_launch(&h, kernel, 64, 32);
	host_print(&h, "again", out, 64);
	clReleaseMemObject(out);
	clReleaseMemObject(maybe);
	clReleaseMemObject(table);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
