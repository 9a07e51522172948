/* SPDX-License-Identifier: Apache-2.0 */
#include "shared_memory.h"

#include "engine.h"

void *shared_memory_alloc(const struct engine *e, enum pointer_call sort, size_t bytes)
{
	const struct opencl_real *real = opencl_real();
	const struct opencl_ext *ext = opencl_ext_of(e->context);

	switch (sort) {
	case POINTER_BY_SVM:
		return real->clSVMAlloc ? real->clSVMAlloc(e->context, CL_MEM_READ_WRITE, bytes, 0)
		                        : NULL;
	case POINTER_BY_ARM:
		return ext->clSVMAllocARM
		               ? ext->clSVMAllocARM(e->context, CL_MEM_READ_WRITE, bytes, 0)
		               : NULL;
	case POINTER_BY_USM:
		return ext->clDeviceMemAllocINTEL
		               ? ext->clDeviceMemAllocINTEL(e->context, e->device, NULL, bytes, 0,
		                                            NULL)
		               : NULL;
	case POINTER_BY_NONE:
		break;
	}
	return NULL;
}

void shared_memory_free(cl_context context, enum pointer_call sort, void *memory)
{
	const struct opencl_ext *ext = opencl_ext_of(context);

	if (!memory)
		return;
	if (sort == POINTER_BY_SVM)
		opencl_real()->clSVMFree(context, memory);
	else if (sort == POINTER_BY_ARM)
		ext->clSVMFreeARM(context, memory);
	else if (sort == POINTER_BY_USM)
		ext->clMemFreeINTEL(context, memory);
}

cl_int shared_memory_copy(const struct engine *e, enum pointer_call sort, void *to,
                          const void *from, size_t bytes)
{
	const struct opencl_ext *ext = opencl_ext_of(e->context);

	if (sort == POINTER_BY_SVM)
		return opencl_real()->clEnqueueSVMMemcpy(e->queue, CL_FALSE, to, from, bytes, 0,
		                                         NULL, NULL);
	if (sort == POINTER_BY_ARM && ext->clEnqueueSVMMemcpyARM)
		return ext->clEnqueueSVMMemcpyARM(e->queue, CL_FALSE, to, from, bytes, 0, NULL,
		                                  NULL);
	if (sort == POINTER_BY_USM && ext->clEnqueueMemcpyINTEL)
		return ext->clEnqueueMemcpyINTEL(e->queue, CL_FALSE, to, from, bytes, 0, NULL,
		                                 NULL);
	return CL_INVALID_OPERATION;
}

cl_int shared_memory_pass(enum pointer_call sort, cl_kernel kernel, cl_uint index,
                          const void *pointer)
{
	const struct opencl_ext *ext = opencl_ext_of(kernel);

	if (sort == POINTER_BY_SVM)
		return opencl_real()->clSetKernelArgSVMPointer(kernel, index, pointer);
	if (sort == POINTER_BY_ARM && ext->clSetKernelArgSVMPointerARM)
		return ext->clSetKernelArgSVMPointerARM(kernel, index, pointer);
	if (sort == POINTER_BY_USM && ext->clSetKernelArgMemPointerINTEL)
		return ext->clSetKernelArgMemPointerINTEL(kernel, index, pointer);
	return CL_INVALID_OPERATION;
}

cl_int shared_memory_tell(cl_kernel kernel, const struct kernel_fact *fact)
{
	const struct opencl_ext *ext = opencl_ext_of(kernel);

	if (fact->name != CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM &&
	    fact->name != CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM_ARM)
		return opencl_real()->clSetKernelExecInfo(kernel, fact->name, fact->bytes,
		                                          fact->data);
	return ext->clSetKernelExecInfoARM
	               ? ext->clSetKernelExecInfoARM(kernel, fact->name, fact->bytes, fact->data)
	               : CL_INVALID_OPERATION;
}
