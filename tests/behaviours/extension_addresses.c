/* SPDX-License-Identifier: Apache-2.0 */
/* Extensions' functions are asked for by name: what the driver lacks stays lacking, what it has can
 * be called. */
#include "behaviour.h"

#include <stdio.h>

static const char *const names[] = {
	"clHostMemAllocINTEL",        "clCreateProgramWithILKHR",
	"clCreateCommandBufferKHR",   "clCreateCommandQueueWithPropertiesKHR",
	"clGetKernelSubGroupInfoKHR", "clSVMAllocARM",
	"clNoSuchFunctionEXT",        "clIcdGetPlatformIDsKHR",
	"clCreateSubDevicesEXT",      "",
};

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;

	host_open(&h);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		printf("%s: %d %d\n", names[i], clGetExtensionFunctionAddress(names[i]) != NULL,
		       clGetExtensionFunctionAddressForPlatform(h.platform, names[i]) != NULL);
	printf("of no platform: %d\n",
	       clGetExtensionFunctionAddressForPlatform(NULL, names[0]) != NULL);
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	mem = host_buffer(&h, 16, 0);
	host_set_mem(kernel, 0, mem);
	host_launch(&h, kernel, 16, 8);
	host_print(&h, "values", mem, 16);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
