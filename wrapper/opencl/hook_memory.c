/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "held_objects.h"
#include "opencl.h"
#include "opencl_session.h"
#include "recorder.h"
#include "session.h"
#include "session_memory.h"
#include "svm_hold.h"

#include <stdlib.h>

/* Add a new object to the map. *like has all except the fields that are the same for every object.
 * On failure the object stays unknown. */
static void remember(struct session *s, const void *handle, const struct memory_state *like)
{
	struct memory_state *state = calloc(1, sizeof(*state));
	void *old = NULL;

	if (!state)
		return;
	*state = *like;
	state->app_refs = 1;
	session_lock(s);
	state->serial = opencl_session(s)->memory_serial++;
	if (handle_map_put(&opencl_session(s)->memory, handle, state, &old, NULL) < 0)
		old = state;
	session_unlock(s);
	free(old);
}

/* Add a buffer and write its line. */
static void remember_buffer(struct session *s, cl_mem mem, const struct recorded_buffer *buffer)
{
	struct memory_state state = { .sort = HELD_MEMORY, .bytes = buffer->bytes };

	state.is_buffer = recorder_buffer(s->recorder, buffer, &state.buffer_id);
	remember(s, mem, &state);
}

/* Add an image or a pipe, whose accesses are not recorded. */
static cl_mem remember_other(cl_mem mem)
{
	struct session *s = mem ? session_current() : NULL;

	if (s)
		remember(s, mem, &(struct memory_state){ .sort = HELD_MEMORY });
	return mem;
}

static cl_mem remember_plain(cl_mem mem, cl_mem_flags flags, size_t size)
{
	struct session *s = mem ? session_current() : NULL;

	if (s)
		remember_buffer(
			s, mem,
			&(struct recorded_buffer){ .bytes = size, .flags = flags, .parent = -1 });
	return mem;
}

static cl_sampler remember_sampler(cl_sampler sampler)
{
	struct session *s = sampler ? session_current() : NULL;

	if (s)
		remember(s, sampler, &(struct memory_state){ .sort = HELD_SAMPLER });
	return sampler;
}

cl_mem CL_API_CALL hook_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                       void *host_ptr, cl_int *errcode_ret)
{
	return remember_plain(
		opencl_real()->clCreateBuffer(context, flags, size, host_ptr, errcode_ret), flags,
		size);
}

cl_mem CL_API_CALL hook_clCreateBufferWithProperties(cl_context context,
                                                     const cl_mem_properties *properties,
                                                     cl_mem_flags flags, size_t size,
                                                     void *host_ptr, cl_int *errcode_ret)
{
	return remember_plain(opencl_real()->clCreateBufferWithProperties(
				      context, properties, flags, size, host_ptr, errcode_ret),
	                      flags, size);
}

cl_mem CL_API_CALL hook_clCreateBufferWithPropertiesINTEL(cl_context context,
                                                          const cl_mem_properties_intel *properties,
                                                          cl_mem_flags flags, size_t size,
                                                          void *host_ptr, cl_int *errcode_ret)
{
	return remember_plain(opencl_ext_of(context)->clCreateBufferWithPropertiesINTEL(
				      context, properties, flags, size, host_ptr, errcode_ret),
	                      flags, size);
}

cl_mem CL_API_CALL hook_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                          cl_buffer_create_type buffer_create_type,
                                          const void *buffer_create_info, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_mem mem = opencl_real()->clCreateSubBuffer(buffer, flags, buffer_create_type,
	                                              buffer_create_info, errcode_ret);
	struct recorded_buffer part = { .flags = flags, .parent = -1 };
	const cl_buffer_region *region = buffer_create_info;
	const struct memory_state *parent;

	if (!s || !mem || buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION)
		return mem;
	part.bytes = region->size;
	part.origin_bytes = region->origin;
	session_lock(s);
	parent = handle_map_get(&opencl_session(s)->memory, buffer);
	if (parent && parent->is_buffer)
		part.parent = parent->buffer_id;
	session_unlock(s);
	remember_buffer(s, mem, &part);
	return mem;
}

cl_mem CL_API_CALL hook_clCreateImage(cl_context context, cl_mem_flags flags,
                                      const cl_image_format *image_format,
                                      const cl_image_desc *image_desc, void *host_ptr,
                                      cl_int *errcode_ret)
{
	return remember_other(opencl_real()->clCreateImage(context, flags, image_format, image_desc,
	                                                   host_ptr, errcode_ret));
}

cl_mem CL_API_CALL hook_clCreateImageWithProperties(cl_context context,
                                                    const cl_mem_properties *properties,
                                                    cl_mem_flags flags,
                                                    const cl_image_format *image_format,
                                                    const cl_image_desc *image_desc, void *host_ptr,
                                                    cl_int *errcode_ret)
{
	return remember_other(opencl_real()->clCreateImageWithProperties(
		context, properties, flags, image_format, image_desc, host_ptr, errcode_ret));
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
cl_mem CL_API_CALL hook_clCreateImage2D(cl_context context, cl_mem_flags flags,
                                        const cl_image_format *image_format, size_t image_width,
                                        size_t image_height, size_t image_row_pitch, void *host_ptr,
                                        cl_int *errcode_ret)
{
	return remember_other(opencl_real()->clCreateImage2D(
		context, flags, image_format, image_width, image_height, image_row_pitch, host_ptr,
		errcode_ret));
}

cl_mem CL_API_CALL hook_clCreateImage3D(cl_context context, cl_mem_flags flags,
                                        const cl_image_format *image_format, size_t image_width,
                                        size_t image_height, size_t image_depth,
                                        size_t image_row_pitch, size_t image_slice_pitch,
                                        void *host_ptr, cl_int *errcode_ret)
{
	return remember_other(opencl_real()->clCreateImage3D(
		context, flags, image_format, image_width, image_height, image_depth,
		image_row_pitch, image_slice_pitch, host_ptr, errcode_ret));
}

/* NOLINTEND(readability-function-size) */

cl_mem CL_API_CALL hook_clCreatePipe(cl_context context, cl_mem_flags flags,
                                     cl_uint pipe_packet_size, cl_uint pipe_max_packets,
                                     const cl_pipe_properties *properties, cl_int *errcode_ret)
{
	return remember_other(opencl_real()->clCreatePipe(
		context, flags, pipe_packet_size, pipe_max_packets, properties, errcode_ret));
}

cl_sampler CL_API_CALL hook_clCreateSampler(cl_context context, cl_bool normalized_coords,
                                            cl_addressing_mode addressing_mode,
                                            cl_filter_mode filter_mode, cl_int *errcode_ret)
{
	return remember_sampler(opencl_real()->clCreateSampler(
		context, normalized_coords, addressing_mode, filter_mode, errcode_ret));
}

cl_sampler CL_API_CALL hook_clCreateSamplerWithProperties(
	cl_context context, const cl_sampler_properties *sampler_properties, cl_int *errcode_ret)
{
	return remember_sampler(opencl_real()->clCreateSamplerWithProperties(
		context, sampler_properties, errcode_ret));
}

bool memory_state_retain(struct session *s, const void *handle, uint64_t *serial)
{
	struct memory_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->memory, handle);
	if (state) {
		state->app_refs++;
		*serial = state->serial;
	}
	session_unlock(s);
	return state;
}

/* Drop a reference if the object has this serial, or in any case if that is NULL. */
static void drop_reference(struct session *s, const void *handle, const uint64_t *serial)
{
	struct memory_state *state, *last = NULL;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->memory, handle);
	if (state && (!serial || state->serial == *serial) && --state->app_refs == 0)
		last = handle_map_remove(&opencl_session(s)->memory, handle);
	session_unlock(s);
	free(last);
}

void memory_state_release(struct session *s, const void *handle, uint64_t serial)
{
	drop_reference(s, handle, &serial);
}

/* Count the application's new reference if the driver's code is a success. */
static cl_int retained(const void *handle, cl_int rc)
{
	struct session *s = session_current();
	uint64_t serial;

	if (s && rc == CL_SUCCESS)
		(void)memory_state_retain(s, handle, &serial);
	return rc;
}

/* Called before the driver: once released, the handle may be another thread's new object. */
static void forget(const void *handle)
{
	struct session *s = session_current();

	if (s)
		drop_reference(s, handle, NULL);
}

cl_int CL_API_CALL hook_clRetainMemObject(cl_mem memobj)
{
	return retained(memobj, opencl_real()->clRetainMemObject(memobj));
}

cl_int CL_API_CALL hook_clReleaseMemObject(cl_mem memobj)
{
	forget(memobj);
	return opencl_real()->clReleaseMemObject(memobj);
}

cl_int CL_API_CALL hook_clRetainSampler(cl_sampler sampler)
{
	return retained(sampler, opencl_real()->clRetainSampler(sampler));
}

cl_int CL_API_CALL hook_clReleaseSampler(cl_sampler sampler)
{
	forget(sampler);
	return opencl_real()->clReleaseSampler(sampler);
}

/* The hooks of memory that host and device address alike: SVM and USM. */

/* Note an allocation; NULL is ignored. */
static void *remember_shared(void *memory, size_t bytes, cl_mem_flags flags, bool is_of_the_device)
{
	struct session *s = memory ? session_current() : NULL;

	if (s)
		session_memory_add(s, (uint64_t)(uintptr_t)memory, bytes, flags, is_of_the_device);
	return memory;
}

static void forget_shared(const void *memory)
{
	struct session *s = memory ? session_current() : NULL;

	if (s)
		session_memory_end(s, (uint64_t)(uintptr_t)memory);
}

void *CL_API_CALL hook_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                  cl_uint alignment)
{
	return remember_shared(opencl_real()->clSVMAlloc(context, flags, size, alignment), size,
	                       flags, !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER));
}

/* The application frees memory. False: it is in use, and the driver is called later. */
static bool ends_now(cl_context context, enum pointer_call call, void *memory)
{
	const struct svm_owned owned = { context, call, memory };
	struct session *s = memory ? session_current() : NULL;

	if (!s)
		return true;
	session_memory_end(s, (uint64_t)(uintptr_t)memory);
	return !svm_hold_defer_free(s, &owned);
}

void CL_API_CALL hook_clSVMFree(cl_context context, void *svm_pointer)
{
	if (ends_now(context, POINTER_BY_SVM, svm_pointer))
		opencl_real()->clSVMFree(context, svm_pointer);
}

/*
 * Commands that are enqueued later may not use the memory, and earlier ones know it already. An
 * application that frees memory in its own callback calls our hook there.
 */
static void forget_all(cl_uint count, void *const *memory, bool is_freed_by_driver)
{
	for (cl_uint i = 0; memory && is_freed_by_driver && i < count; i++)
		forget_shared(memory[i]);
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
	return remember_shared(
		opencl_ext_of(context)->clSVMAllocARM(context, flags, size, alignment), size, flags,
		!(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER_ARM));
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
	return remember_shared(opencl_ext_of(context)->clHostMemAllocINTEL(
				       context, properties, size, alignment, errcode_ret),
	                       size, 0, false);
}

void *CL_API_CALL hook_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                             const cl_mem_properties_intel *properties, size_t size,
                                             cl_uint alignment, cl_int *errcode_ret)
{
	return remember_shared(opencl_ext_of(context)->clDeviceMemAllocINTEL(
				       context, device, properties, size, alignment, errcode_ret),
	                       size, 0, true);
}

void *CL_API_CALL hook_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                             const cl_mem_properties_intel *properties, size_t size,
                                             cl_uint alignment, cl_int *errcode_ret)
{
	return remember_shared(opencl_ext_of(context)->clSharedMemAllocINTEL(
				       context, device, properties, size, alignment, errcode_ret),
	                       size, 0, false);
}

cl_int CL_API_CALL hook_clMemFreeINTEL(cl_context context, void *ptr)
{
	if (!ends_now(context, POINTER_BY_USM, ptr))
		return CL_SUCCESS;
	return opencl_ext_of(context)->clMemFreeINTEL(context, ptr);
}

/* Waits for all commands that use the memory, including our launches. */
cl_int CL_API_CALL hook_clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
	struct session *s = ptr ? session_current() : NULL;

	forget_shared(ptr);
	if (s)
		svm_hold_wait(s, ptr);
	return opencl_ext_of(context)->clMemBlockingFreeINTEL(context, ptr);
}
