/* SPDX-License-Identifier: Apache-2.0 */
#include "command_host.h"

#include "mock_driver.h"

#include <stdio.h>
#include <string.h>

static void say(struct command_host *h, const char *what, long long number)
{
	size_t room = sizeof(h->log) - h->length;
	int length = snprintf(h->log + h->length, room, "%s %lld\n", what, number);

	h->length += (size_t)length < room ? (size_t)length : 0;
}

/* A call's answer. False: it failed; then the application gives up, if the call was to fail. */
static bool is_good(struct command_host *h, const char *name, cl_int rc)
{
	const char *failed = mock_driver_failed();

	if (rc != CL_SUCCESS && failed && !strcmp(failed, name))
		h->gave_up = true;
	say(h, name, rc);
	return rc == CL_SUCCESS;
}

#define DO(name, ...)  is_good(h, #name, h->cl->name(__VA_ARGS__))
#define EXT(name, ...) is_good(h, #name, h->ext.name(__VA_ARGS__))
#define MAKE(object, name, ...)                                                                    \
	((object) = h->cl->name(__VA_ARGS__, &rc), is_good(h, #name, (object) ? CL_SUCCESS : rc))

/* False: one was not given, which the application did not expect. */
static bool find_calls(struct command_host *h)
{
	cl_platform_id platform;
	void *address;

	if (!DO(clGetPlatformIDs, 1, &platform, NULL))
		return false;
#define FIND(name)                                                                                 \
	address = h->cl->clGetExtensionFunctionAddressForPlatform(platform, #name);                \
	memcpy((void *)&h->ext.name, (const void *)&address, sizeof(address));                     \
	if (!address)                                                                              \
		h->gave_up = true;
	FIND(clCreateCommandBufferKHR)
	FIND(clCommandNDRangeKernelKHR)
	FIND(clCommandCopyBufferKHR)
	FIND(clCommandBarrierWithWaitListKHR)
	FIND(clFinalizeCommandBufferKHR)
	FIND(clEnqueueCommandBufferKHR)
	FIND(clGetCommandBufferInfoKHR)
	FIND(clRetainCommandBufferKHR)
	FIND(clReleaseCommandBufferKHR)
#undef FIND
	if (h->plan.asks_for_more)
		h->cl->clGetExtensionFunctionAddressForPlatform(platform, "clCommandSVMMemcpyKHR");
	return !h->gave_up;
}

static bool make_objects(struct command_host *h)
{
	const char *text = "update";
	int numbers[COMMAND_HOST_ITEMS];
	cl_platform_id platform;
	cl_device_id device;
	cl_int rc = 0;

	for (int i = 0; i < COMMAND_HOST_ITEMS; i++)
		numbers[i] = i;
	return DO(clGetPlatformIDs, 1, &platform, NULL) &&
	       DO(clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) &&
	       MAKE(h->context, clCreateContext, NULL, 1, &device, NULL, NULL) &&
	       MAKE(h->queue, clCreateCommandQueue, h->context, device, h->plan.queue) &&
	       MAKE(h->other_queue, clCreateCommandQueue, h->context, device, h->plan.queue) &&
	       MAKE(h->first, clCreateBuffer, h->context, CL_MEM_COPY_HOST_PTR, sizeof(numbers),
	            numbers) &&
	       MAKE(h->second, clCreateBuffer, h->context, CL_MEM_COPY_HOST_PTR, sizeof(numbers),
	            numbers) &&
	       MAKE(h->program, clCreateProgramWithSource, h->context, 1, &text, NULL) &&
	       DO(clBuildProgram, h->program, 0, NULL, NULL, NULL, NULL) &&
	       MAKE(h->kernel, clCreateKernel, h->program, "update");
}

static bool record_launch(struct command_host *h, cl_uint n, const cl_sync_point_khr *waits,
                          cl_sync_point_khr *sync_point)
{
	const size_t global = COMMAND_HOST_ITEMS, local = 8;
	cl_mutable_command_khr handle;

	return EXT(clCommandNDRangeKernelKHR, h->buffer, NULL, NULL, h->kernel, 1, NULL, &global,
	           &local, n, waits, sync_point, h->plan.is_changeable ? &handle : NULL);
}

static bool record(struct command_host *h)
{
	const cl_command_buffer_properties_khr properties[] = {
		CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0
	};
	cl_sync_point_khr updated, nowhere = 99;
	cl_int rc = 0;

	h->buffer = h->ext.clCreateCommandBufferKHR(
		1, &h->queue, h->plan.is_simultaneous ? properties : NULL, &rc);
	if (!is_good(h, "clCreateCommandBufferKHR", h->buffer ? CL_SUCCESS : rc) ||
	    !DO(clSetKernelArg, h->kernel, 0, sizeof(h->first), &h->first) ||
	    !record_launch(h, 0, NULL, &updated))
		return false;
	if (!EXT(clCommandCopyBufferKHR, h->buffer, NULL, h->first, h->second, 0, 0,
	         sizeof(h->results), 1, &updated, NULL, NULL) ||
	    !EXT(clCommandBarrierWithWaitListKHR, h->buffer, NULL, 0, NULL, NULL, NULL))
		return false;
	(void)EXT(clCommandBarrierWithWaitListKHR, h->buffer, NULL, 1, &nowhere, NULL, NULL);
	(void)EXT(clEnqueueCommandBufferKHR, 0, NULL, h->buffer, 0, NULL, NULL);
	return DO(clSetKernelArg, h->kernel, 0, sizeof(h->second), &h->second) &&
	       record_launch(h, 0, NULL, NULL) && EXT(clFinalizeCommandBufferKHR, h->buffer);
}

/* What the buffer holds is the driver's to keep. */
static bool let_go(struct command_host *h)
{
	cl_kernel kernel = h->kernel;
	cl_program program = h->program;
	cl_mem first = h->first;

	h->kernel = NULL;
	h->program = NULL;
	h->first = NULL;
	return DO(clReleaseKernel, kernel) && DO(clReleaseProgram, program) &&
	       DO(clReleaseMemObject, first);
}

static void tell_state(struct command_host *h)
{
	cl_uint state = 0, refs = 0;

	if (EXT(clGetCommandBufferInfoKHR, h->buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof(state),
	        &state, NULL))
		say(h, "state", state);
	if (EXT(clGetCommandBufferInfoKHR, h->buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR,
	        sizeof(refs), &refs, NULL))
		say(h, "references", refs);
}

static void tell_event(struct command_host *h)
{
	cl_uint type = 0, refs = 0;
	cl_ulong time;

	if (DO(clGetEventInfo, h->event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL))
		say(h, "type", type);
	if (DO(clGetEventInfo, h->event, CL_EVENT_REFERENCE_COUNT, sizeof(refs), &refs, NULL))
		say(h, "references", refs);
	(void)DO(clGetEventProfilingInfo, h->event, CL_PROFILING_COMMAND_START, sizeof(time), &time,
	         NULL);
}

/* Behind an event: what is pending may be enqueued again only if it was made so. */
static bool use(struct command_host *h)
{
	cl_int rc = 0;

	if (!MAKE(h->gate, clCreateUserEvent, h->context) ||
	    !EXT(clEnqueueCommandBufferKHR, 0, NULL, h->buffer, 1, &h->gate, &h->event))
		return false;
	tell_state(h);
	tell_event(h);
	if (EXT(clEnqueueCommandBufferKHR, 0, NULL, h->buffer, 0, &h->gate, NULL))
		return false;
	if (EXT(clEnqueueCommandBufferKHR, 0, &h->queue, h->buffer, 0, NULL, NULL))
		return false;
	if (EXT(clEnqueueCommandBufferKHR, 0, NULL, h->buffer, 1, &h->event, NULL) !=
	    h->plan.is_simultaneous)
		return false;
	if (!DO(clSetUserEventStatus, h->gate, CL_COMPLETE) || !DO(clWaitForEvents, 1, &h->event) ||
	    !DO(clFinish, h->queue))
		return false;
	tell_state(h);
	tell_event(h);
	return h->plan.is_simultaneous ||
	       (EXT(clEnqueueCommandBufferKHR, h->plan.changes_queue,
	            h->plan.changes_queue ? &h->other_queue : NULL, h->buffer, 0, NULL, NULL) &&
	        DO(clFinish, h->queue) && DO(clFinish, h->other_queue));
}

static bool share(struct command_host *h)
{
	return EXT(clRetainCommandBufferKHR, h->buffer) &&
	       EXT(clReleaseCommandBufferKHR, h->buffer) && DO(clRetainEvent, h->event) &&
	       DO(clReleaseEvent, h->event);
}

static void release_all(struct command_host *h)
{
#define RELEASE(object, name)                                                                      \
	if (object)                                                                                \
		(void)DO(name, object);
	/* What waits for it would stay, and the mock's copies do not hold their buffers. Twice, as
	 * one may be the call that fails. */
	for (int i = 0; i < 2; i++) {
		if (h->gate)
			(void)h->cl->clSetUserEventStatus(h->gate, CL_COMPLETE);
		if (h->queue)
			(void)h->cl->clFinish(h->queue);
		if (h->other_queue)
			(void)h->cl->clFinish(h->other_queue);
	}
	if (h->buffer)
		(void)EXT(clReleaseCommandBufferKHR, h->buffer);
	RELEASE(h->event, clReleaseEvent)
	RELEASE(h->gate, clReleaseEvent)
	RELEASE(h->kernel, clReleaseKernel)
	RELEASE(h->program, clReleaseProgram)
	RELEASE(h->first, clReleaseMemObject)
	RELEASE(h->second, clReleaseMemObject)
	RELEASE(h->queue, clReleaseCommandQueue)
	RELEASE(h->other_queue, clReleaseCommandQueue)
	RELEASE(h->context, clReleaseContext)
#undef RELEASE
}

void command_host_run(struct command_host *h, const struct opencl_real *cl,
                      const struct command_plan *plan)
{
	*h = (struct command_host){ .cl = cl, .plan = *plan };
	if (find_calls(h) && make_objects(h) && record(h) && let_go(h) && use(h) && share(h))
		(void)DO(clEnqueueReadBuffer, h->queue, h->second, CL_TRUE, 0, sizeof(h->results),
		         h->results, 0, NULL, NULL);
	release_all(h);
}
