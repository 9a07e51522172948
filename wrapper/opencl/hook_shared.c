/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that host and device address alike: SVM, and its like in extensions. */
#include "opencl.h"
#include "session.h"
#include "session_memory.h"
#include "svm_hold.h"

/* Memory that is there; NULL is none. */
static void *remember(void *memory, size_t bytes, cl_mem_flags flags, bool is_of_the_device)
{
	struct session *s = memory ? session_current() : NULL;

	if (s)
		session_memory_add(s, (uint64_t)(uintptr_t)memory, bytes, flags, is_of_the_device);
	return memory;
}

static void forget(const void *memory)
{
	struct session *s = memory ? session_current() : NULL;

	if (s)
		session_memory_end(s, (uint64_t)(uintptr_t)memory);
}

void *CL_API_CALL hook_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                  cl_uint alignment)
{
	return remember(opencl_real()->clSVMAlloc(context, flags, size, alignment), size, flags,
	                !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER));
}

/* The application frees memory. False: it is in use, the driver will be called when it is not. */
static bool ends_now(cl_context context, enum pointer_call call, void *memory)
{
	const struct svm_owned owned = { context, call, memory };
	struct session *s = memory ? session_current() : NULL;

	if (!s)
		return true;
	session_memory_end(s, (uint64_t)(uintptr_t)memory);
	return !svm_hold_put_off(s, &owned);
}

void CL_API_CALL hook_clSVMFree(cl_context context, void *svm_pointer)
{
	if (ends_now(context, POINTER_BY_SVM, svm_pointer))
		opencl_real()->clSVMFree(context, svm_pointer);
}

/*
 * Nothing that is enqueued later may use the memory, and what was enqueued before knows it already.
 * An application that frees by itself, in its callback, does so by a call of ours.
 */
static void forget_all(cl_uint count, void *const *memory, bool is_freed_by_driver)
{
	for (cl_uint i = 0; memory && is_freed_by_driver && i < count; i++)
		forget(memory[i]);
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clEnqueueSVMFree(
	cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
	void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue, cl_uint num_svm_pointers,
                                         void *svm_pointers[], void *user_data),
	void *user_data, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
	cl_event *event)
{
	forget_all(num_svm_pointers, svm_pointers, !pfn_free_func);
	return opencl_real()->clEnqueueSVMFree(command_queue, num_svm_pointers, svm_pointers,
	                                       pfn_free_func, user_data, num_events_in_wait_list,
	                                       event_wait_list, event);
}

cl_int CL_API_CALL hook_clEnqueueSVMFreeARM(
	cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
	void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue, cl_uint num_svm_pointers,
                                         void *svm_pointers[], void *user_data),
	void *user_data, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
	cl_event *event)
{
	forget_all(num_svm_pointers, svm_pointers, !pfn_free_func);
	return opencl_ext_of(command_queue)
	        ->clEnqueueSVMFreeARM(command_queue, num_svm_pointers, svm_pointers, pfn_free_func,
	                              user_data, num_events_in_wait_list, event_wait_list, event);
}
/* NOLINTEND(readability-function-size) */

void *CL_API_CALL hook_clSVMAllocARM(cl_context context, cl_svm_mem_flags_arm flags, size_t size,
                                     cl_uint alignment)
{
	return remember(opencl_ext_of(context)->clSVMAllocARM(context, flags, size, alignment),
	                size, flags, !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER_ARM));
}

void CL_API_CALL hook_clSVMFreeARM(cl_context context, void *svm_pointer)
{
	if (ends_now(context, POINTER_BY_ARM, svm_pointer))
		opencl_ext_of(context)->clSVMFreeARM(context, svm_pointer);
}

void *CL_API_CALL hook_clHostMemAllocINTEL(cl_context context,
                                           const cl_mem_properties_intel *properties, size_t size,
                                           cl_uint alignment, cl_int *errcode_ret)
{
	return remember(opencl_ext_of(context)->clHostMemAllocINTEL(context, properties, size,
	                                                            alignment, errcode_ret),
	                size, 0, false);
}

void *CL_API_CALL hook_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                             const cl_mem_properties_intel *properties, size_t size,
                                             cl_uint alignment, cl_int *errcode_ret)
{
	return remember(opencl_ext_of(context)->clDeviceMemAllocINTEL(context, device, properties,
	                                                              size, alignment, errcode_ret),
	                size, 0, true);
}

void *CL_API_CALL hook_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                             const cl_mem_properties_intel *properties, size_t size,
                                             cl_uint alignment, cl_int *errcode_ret)
{
	return remember(opencl_ext_of(context)->clSharedMemAllocINTEL(context, device, properties,
	                                                              size, alignment, errcode_ret),
	                size, 0, false);
}

cl_int CL_API_CALL hook_clMemFreeINTEL(cl_context context, void *ptr)
{
	if (!ends_now(context, POINTER_BY_USM, ptr))
		return CL_SUCCESS;
	return opencl_ext_of(context)->clMemFreeINTEL(context, ptr);
}

/* Waits for what uses the memory: for launches of ours, too. */
cl_int CL_API_CALL hook_clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
	struct session *s = ptr ? session_current() : NULL;

	forget(ptr);
	if (s)
		svm_hold_wait(s, ptr);
	return opencl_ext_of(context)->clMemBlockingFreeINTEL(context, ptr);
}
