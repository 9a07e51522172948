/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory of the mock by all three ways; copies are made at once. */
#include "mock_calls.h"

#include <stdlib.h>
#include <string.h>

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
void *mock_clDeviceMemAllocINTEL(cl_context context, cl_device_id d,
                                 const cl_mem_properties_intel *p, size_t size, cl_uint alignment,
                                 cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(mock_alloc(size));
}

cl_int mock_clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *to,
                                 const void *from, size_t size, cl_uint n, const cl_event *wait,
                                 cl_event *event)
{
	ENTER
	memcpy(to, from, size);
	LEAVE(CL_SUCCESS);
}

cl_int mock_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from,
                               size_t size, cl_uint n, const cl_event *wait, cl_event *event)
{
	ENTER
	memcpy(to, from, size);
	LEAVE(CL_SUCCESS);
}

void *mock_clSVMAllocARM(cl_context context, cl_svm_mem_flags_arm flags, size_t size,
                         cl_uint alignment)
{
	if (!mock_enter("clSVMAllocARM"))
		return NULL;
	LEAVE(mock_alloc(size));
}

void mock_clSVMFreeARM(cl_context context, void *memory)
{
	free(memory);
}

cl_int mock_clEnqueueSVMMemcpyARM(cl_command_queue queue, cl_bool blocking, void *to,
                                  const void *from, size_t size, cl_uint n, const cl_event *wait,
                                  cl_event *event)
{
	return mock_clEnqueueSVMMemcpy(queue, blocking, to, from, size, n, wait, event);
}
/* NOLINTEND(readability-function-size) */
