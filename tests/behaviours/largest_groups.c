/* SPDX-License-Identifier: Apache-2.0 */
/* A group as large as the kernel says that it may be, and one that is larger. */
#include "behaviour.h"

#include <stdio.h>

#define MOST 256

int main(void)
{
	size_t most = 0, multiple = 0, items;
	cl_program program;
	cl_kernel kernel;
	struct host h;
	cl_mem mem;

	host_open(&h);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	host_check(clGetKernelWorkGroupInfo(kernel, h.device, CL_KERNEL_WORK_GROUP_SIZE,
	                                    sizeof(most), &most, NULL),
	           "clGetKernelWorkGroupInfo");
	host_print_status("multiple",
	                  clGetKernelWorkGroupInfo(kernel, h.device,
	                                           CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
	                                           sizeof(multiple), &multiple, NULL));
	host_print_status("no place for the answer",
	                  clGetKernelWorkGroupInfo(kernel, h.device, CL_KERNEL_WORK_GROUP_SIZE, 1,
	                                           &most, NULL));
	printf("%s\n", most >= MOST ? "enough" : "few");
	items = most < MOST ? most : MOST;
	mem = host_buffer(&h, MOST, 1);
	host_set_mem(kernel, 0, mem);
	host_launch(&h, kernel, items, items);
	host_print(&h, "values", mem, MOST);
	items = 1024 * most;
	host_print_status("too large", clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &items,
	                                                      &items, 0, NULL, NULL));
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
