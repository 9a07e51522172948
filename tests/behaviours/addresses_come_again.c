/* SPDX-License-Identifier: Apache-2.0 */
/* Objects are made and released in turn, so that new ones lie where old ones lay: what was known of
 * an object must go with it. Kernels of one name do different things. */
#include "behaviour.h"

#include <stdio.h>

/* One round of one launch; the program adds or multiplies. */
static void round_of(const struct host *h, cl_uint i)
{
	static const char *const sources[] = {
		"kernel void change(global uint *a) { a[get_global_id(0)] += 3; }",
		"kernel void change(global uint *a, uint by) { a[get_global_id(0)] *= by; }",
	};
	cl_program program = host_build(h, sources[i % 2], NULL);
	cl_kernel kernel = host_kernel(program, "change");
	cl_mem mem = host_buffer(h, 8 + i, i);
	char name[32];

	host_set_mem(kernel, 0, mem);
	if (i % 2)
		host_set_uint(kernel, 1, i);
	host_launch(h, kernel, 8, 8);
	snprintf(name, sizeof(name), "round %u", i);
	host_print(h, name, mem, 8 + i);
	host_check(clReleaseMemObject(mem), "clReleaseMemObject");
	host_check(clReleaseKernel(kernel), "clReleaseKernel");
	host_check(clReleaseProgram(program), "clReleaseProgram");
}

int main(void)
{
	struct host h;

	for (cl_uint i = 0; i < 20; i++) {
		/* Sometimes the context and its queue come again, too. */
		if (i % 5 == 0)
			host_open(&h);
		round_of(&h, i);
		if (i % 5 == 4)
			host_close(&h);
	}
	return 0;
}
