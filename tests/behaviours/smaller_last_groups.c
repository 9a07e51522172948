/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-groups that are smaller at the end of a dimension, as OpenCL 2.0 allows; each work-item
 * writes what it is told of its place, and adds it up over its group in local memory.
 */
#include "behaviour.h"

#include <stdio.h>

#define MOST 512

static const char source[] = "kernel void uneven(global uint *out, local uint *sums)\n"
			     "{\n"
			     "	uint l = get_local_linear_id(), n = 1, v = 0;\n"
			     "	for (uint d = 0; d < 3; d++) {\n"
			     "		n *= get_local_size(d);\n"
			     "		v = ((((v * 7 + get_global_id(d)) * 7 + get_local_id(d)) * "
			     "7 + get_group_id(d))\n"
			     "		      * 7 + get_local_size(d)) * 7 + get_num_groups(d);\n"
			     "	}\n"
			     "	sums[l] = v;\n"
			     "	barrier(CLK_LOCAL_MEM_FENCE);\n"
			     "	for (uint k = 0; k <= l % 3; k++)\n"
			     "		out[get_global_linear_id()] += sums[n - 1 - l] + "
			     "get_enqueued_local_size(0);\n"
			     "}\n"
			     "kernel void plain(global uint *out, local uint *unused)\n"
			     "{\n"
			     "	out[get_global_linear_id()] +=\n"
			     "		get_local_linear_id() + get_group_id(0) * 100;\n"
			     "}\n";

struct shape {
	cl_uint dimensions;
	size_t offset[3], global[3], local[3];
};

/*
 * A read and a write, 1 + l % 3 times for linear local id l: a group of n makes 2 * (n + number
 * of l with l % 3 > 0, and once more of those with l % 3 = 2).
 *
 *   100 in 16: 6 groups of 16 (6 thirds and one: 6 * 5 * ... = sum of 1 + l % 3 = 31), one of 4
 * (7): 2 * (6 * 31 + 7) = 386 9 x 7 in 4 x 4: groups of 4x4 (2 of 31), 1x4 (7), 4x3 (2 of 12: 24),
 * 1x3 (6): 2 * (2 * 31 + 7 + 2 * 24 + 6) = 246 5 x 3 x 3 in 2 x 2 x 2, at 1, 2, 3: 2x2x2 (2 of 8:
 * 15), 1x2x2 (4: 7), 2x1x2 (2: 7), 1x1x2 (3), 2x2x1 (2: 7), 1x2x1 (3), 2x1x1 (2: 3), 1x1x1 (1): 2 *
 * (30 + 7 + 14 + 3 + 14 + 3 + 6 + 1) = 156 3 in 8: one group of 3: 2 * 6 = 12 64 in 16: 4 groups: 2
 * * 4 * 31 = 248
 *
 * 1048 in all. And by the plain kernel 2 for each of 100 + 63 + 45 + 3 + 64 work-items: 550.
 */
static const struct shape shapes[] = {
	{ 1, { 0 }, { 100, 1, 1 }, { 16, 1, 1 } },    { 2, { 0 }, { 9, 7, 1 }, { 4, 4, 1 } },
	{ 3, { 1, 2, 3 }, { 5, 3, 3 }, { 2, 2, 2 } }, { 1, { 0 }, { 3, 1, 1 }, { 8, 1, 1 } },
	{ 1, { 0 }, { 64, 1, 1 }, { 16, 1, 1 } },
};

static void try_shape(const struct host *h, cl_kernel kernel, const struct shape *s)
{
	cl_mem out = host_buffer(h, MOST, 0);

	host_set_mem(kernel, 0, out);
	host_check(clSetKernelArg(kernel, 1, 64 * sizeof(cl_uint), NULL), "clSetKernelArg");
	host_print_status("launch",
	                  clEnqueueNDRangeKernel(h->queue, kernel, s->dimensions, s->offset,
	                                         s->global, s->local, 0, NULL, NULL));
	host_print(h, "out", out, MOST);
	clReleaseMemObject(out);
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel uneven, plain;

	host_open(&h);
	program = host_build(&h, source, "-cl-std=CL2.0");
	uneven = host_kernel(program, "uneven");
	plain = host_kernel(program, "plain");
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		try_shape(&h, uneven, &shapes[i]);
		try_shape(&h, plain, &shapes[i]);
	}
	clReleaseKernel(uneven);
	clReleaseKernel(plain);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
