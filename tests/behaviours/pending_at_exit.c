/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program returns from main() with launches pending that nobody waits for, of kernels that no
 * cache of a compiler has: natively the driver has compiled them when the call returns.
 */
#include "behaviour.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define ITEMS   64
#define KERNELS 3

#define KERNEL(name)                                                                               \
	"kernel void " name "(global uint *values) { values[get_global_id(0)] += SEED; }\n"

static const char source[] = KERNEL("k0") KERNEL("k1") KERNEL("k2");

int main(void)
{
	struct host h;
	cl_program program;
	cl_mem buffer;
	char text[64];

	host_open(&h);
	snprintf(text, sizeof(text), "-DSEED=%uu",
	         (unsigned)time(NULL) * 65537u + (unsigned)getpid());
	program = host_build(&h, source, text);
	buffer = host_buffer(&h, ITEMS, 1);
	for (int i = 0; i < KERNELS; i++) {
		cl_kernel kernel;

		snprintf(text, sizeof(text), "k%d", i);
		kernel = host_kernel(program, text);
		host_set_mem(kernel, 0, buffer);
		host_launch(&h, kernel, ITEMS, 16);
		clReleaseKernel(kernel);
	}
	host_check(clFlush(h.queue), "clFlush");
	clReleaseMemObject(buffer);
	clReleaseProgram(program);
	host_close(&h);
	printf("leaving\n");
	return 3;
}
