/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory of the mock by all three ways; copies are made at once. */
#include "mock_calls.h"

#include <string.h>

/* Memory of a context. The lock is held. */
static void *share(cl_context context, size_t size)
{
	mock_check(context, CONTEXT);
	return mock_share((struct object *)context, size);
}

/* Its end, now. The lock is held. */
static void unshare(cl_context context, const void *memory)
{
	mock_check(context, CONTEXT);
	mock_unshare(memory);
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
void *mock_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
	if (!mock_enter("clSVMAlloc"))
		return NULL;
	LEAVE(share(context, size));
}

void mock_clSVMFree(cl_context context, void *memory)
{
	/* It has no way to fail. */
	if (!mock_enter("clSVMFree"))
		mock_hold();
	unshare(context, memory);
	mock_let_go();
}

cl_int mock_clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *memory[],
                             void(CL_CALLBACK *f)(cl_command_queue, cl_uint, void *[], void *),
                             void *data, cl_uint n, const cl_event *wait, cl_event *event)
{
	ENTER
	mock_check(queue, QUEUE);
	mock_enqueue((struct object *)queue,
	             &(struct mock_command){
			     .ends = memory[0], .wait_count = n, .wait_list = wait, .out = event });
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
	LEAVE(share(context, size));
}

void mock_clSVMFreeARM(cl_context context, void *memory)
{
	if (!mock_enter("clSVMFreeARM"))
		mock_hold();
	unshare(context, memory);
	mock_let_go();
}

cl_int mock_clEnqueueSVMFreeARM(cl_command_queue queue, cl_uint count, void *memory[],
                                void(CL_CALLBACK *f)(cl_command_queue, cl_uint, void *[], void *),
                                void *data, cl_uint n, const cl_event *wait, cl_event *event)
{
	return mock_clEnqueueSVMFree(queue, count, memory, f, data, n, wait, event);
}

cl_int mock_clEnqueueSVMMemcpyARM(cl_command_queue queue, cl_bool blocking, void *to,
                                  const void *from, size_t size, cl_uint n, const cl_event *wait,
                                  cl_event *event)
{
	return mock_clEnqueueSVMMemcpy(queue, blocking, to, from, size, n, wait, event);
}

void *mock_clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *p, size_t size,
                               cl_uint alignment, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(share(context, size));
}

void *mock_clDeviceMemAllocINTEL(cl_context context, cl_device_id d,
                                 const cl_mem_properties_intel *p, size_t size, cl_uint alignment,
                                 cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(share(context, size));
}

void *mock_clSharedMemAllocINTEL(cl_context context, cl_device_id d,
                                 const cl_mem_properties_intel *p, size_t size, cl_uint alignment,
                                 cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(share(context, size));
}

cl_int mock_clMemFreeINTEL(cl_context context, void *memory)
{
	ENTER
	unshare(context, memory);
	LEAVE(CL_SUCCESS);
}

/* What is in the queues is not waited for: the recorder's launches are not there. */
cl_int mock_clMemBlockingFreeINTEL(cl_context context, void *memory)
{
	return mock_clMemFreeINTEL(context, memory);
}

cl_int mock_clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *to,
                                 const void *from, size_t size, cl_uint n, const cl_event *wait,
                                 cl_event *event)
{
	ENTER
	memcpy(to, from, size);
	LEAVE(CL_SUCCESS);
}
/* NOLINTEND(readability-function-size) */

static cl_int set_pointer(cl_kernel kernel, cl_uint i, const void *pointer)
{
	mock_check(kernel, KERNEL);
	memcpy(((struct object *)kernel)->values[i], (const void *)&pointer, sizeof(pointer));
	return CL_SUCCESS;
}

cl_int mock_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint i, const void *pointer)
{
	ENTER
	LEAVE(set_pointer(kernel, i, pointer));
}

cl_int mock_clSetKernelArgSVMPointerARM(cl_kernel kernel, cl_uint i, const void *pointer)
{
	ENTER
	LEAVE(set_pointer(kernel, i, pointer));
}

cl_int mock_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint i, const void *pointer)
{
	ENTER
	LEAVE(set_pointer(kernel, i, pointer));
}

/* The first of the pointers is kept like an argument, which the kernel does not have. */
static cl_int tell(cl_kernel kernel, const void *pointers)
{
	const void *first;

	memcpy((void *)&first, pointers, sizeof(first));
	return set_pointer(kernel, MOST_ARGUMENTS - 1, first);
}

cl_int mock_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                const void *value)
{
	ENTER
	LEAVE(tell(kernel, value));
}

cl_int mock_clSetKernelExecInfoARM(cl_kernel kernel, cl_kernel_exec_info_arm name, size_t size,
                                   const void *value)
{
	ENTER
	LEAVE(tell(kernel, value));
}
