/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_host.h"

#include "mock_driver.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const struct opencl_real *mock_host_hooked(void)
{
	static struct opencl_real calls;

	calls = *mock_driver();
#define CL_HOOK(type, name, params, args) calls.name = hook_##name;
#include "opencl_api.def"
	return &calls;
}

static void say(struct mock_host *h, const char *what, long long number)
{
	size_t room = sizeof(h->log) - h->length;
	int length = snprintf(h->log + h->length, room, "%s %lld\n", what, number);

	h->length += (size_t)length < room ? (size_t)length : 0;
}

/* A call's answer. False: it failed; then the application gives up, if the call was to fail. */
static bool is_good(struct mock_host *h, const char *name, cl_int rc)
{
	const char *failed = mock_driver_failed();

	if (rc != CL_SUCCESS && failed && !strcmp(failed, name) &&
	    strcmp(name, "clEnqueueNDRangeKernel") != 0)
		h->gave_up = true;
	say(h, name, rc);
	return rc == CL_SUCCESS;
}

#define DO(name, ...) is_good(h, #name, h->cl->name(__VA_ARGS__))
#define MAKE(object, name, ...)                                                                    \
	((object) = h->cl->name(__VA_ARGS__, &rc), is_good(h, #name, (object) ? CL_SUCCESS : rc))

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *user_data)
{
	atomic_fetch_add((atomic_int *)user_data, 1);
}

static bool make_objects(struct mock_host *h)
{
	const char *text = "update";
	const cl_buffer_region region = { 0, sizeof(h->results) / 2 };
	cl_platform_id platform;
	cl_device_id device;
	cl_int rc = 0;

	for (int i = 0; i < MOCK_HOST_ITEMS; i++)
		h->results[i] = i;
	return DO(clGetPlatformIDs, 1, &platform, NULL) &&
	       DO(clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) &&
	       MAKE(h->context, clCreateContext, NULL, 1, &device, NULL, NULL) &&
	       MAKE(h->queue, clCreateCommandQueue, h->context, device, 0) &&
	       MAKE(h->other_queue, clCreateCommandQueue, h->context, device,
	            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE) &&
	       MAKE(h->mem, clCreateBuffer, h->context, CL_MEM_COPY_HOST_PTR, sizeof(h->results),
	            h->results) &&
	       MAKE(h->part, clCreateSubBuffer, h->mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region) &&
	       MAKE(h->program, clCreateProgramWithSource, h->context, 1, &text, NULL) &&
	       DO(clBuildProgram, h->program, 0, NULL, "-DN=1", NULL, NULL) &&
	       MAKE(h->kernel, clCreateKernel, h->program, "update") &&
	       DO(clCreateKernelsInProgram, h->program, 2, h->both, NULL) &&
	       DO(clSetKernelArg, h->kernel, 0, sizeof(h->mem), &h->mem) &&
	       MAKE(h->clone, clCloneKernel, h->kernel);
}

/* The numbers that a program may ask for. */
static void tell_counts(struct mock_host *h)
{
	cl_uint refs[6];

#define ASK(i, object, info, count)                                                                \
	say(h, #count, DO(info, object, count, sizeof(*refs), &refs[i], NULL) ? refs[i] : 0);
	if (h->tells_context)
		ASK(0, h->context, clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT)
	ASK(1, h->queue, clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT)
	ASK(2, h->mem, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT)
	ASK(3, h->program, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT)
	ASK(4, h->kernel, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT)
	ASK(5, h->first, clGetEventInfo, CL_EVENT_REFERENCE_COUNT)
#undef ASK
}

/* Retained and released again. */
static bool share(struct mock_host *h)
{
	return DO(clRetainContext, h->context) && DO(clReleaseContext, h->context) &&
	       DO(clRetainCommandQueue, h->queue) && DO(clReleaseCommandQueue, h->queue) &&
	       DO(clRetainMemObject, h->mem) && DO(clReleaseMemObject, h->mem) &&
	       DO(clRetainProgram, h->program) && DO(clReleaseProgram, h->program) &&
	       DO(clRetainKernel, h->kernel) && DO(clReleaseKernel, h->kernel) &&
	       DO(clRetainEvent, h->first) && DO(clReleaseEvent, h->first);
}

static bool use(struct mock_host *h)
{
	const size_t global = MOCK_HOST_ITEMS, local = 16;
	cl_event waits[2];
	cl_ulong time = 0;

	if (!DO(clEnqueueNDRangeKernel, h->queue, h->kernel, 1, NULL, &global, &local, 0, NULL,
	        &h->first) ||
	    !DO(clSetEventCallback, h->first, CL_COMPLETE, call_back, &h->called_back) ||
	    !DO(clFinish, h->queue))
		return false;
	tell_counts(h);
	if (!share(h) || !DO(clEnqueueNDRangeKernel, h->queue, h->clone, 1, NULL, &global, &local,
	                     1, &h->first, &h->second))
		return false;
	waits[0] = h->first;
	waits[1] = h->second;
	if (!DO(clEnqueueNDRangeKernel, h->other_queue, h->kernel, 1, NULL, &global, &local, 2,
	        waits, NULL) ||
	    !DO(clFinish, h->other_queue) || !DO(clWaitForEvents, 1, &h->second) ||
	    !DO(clGetEventProfilingInfo, h->second, CL_PROFILING_COMMAND_END, sizeof(time), &time,
	        NULL))
		return false;
	tell_counts(h);
	return DO(clEnqueueReadBuffer, h->queue, h->mem, CL_TRUE, 0, sizeof(h->results), h->results,
	          0, NULL, NULL);
}

/* The context first and the queues last: objects keep what they need. */
static void release_all(struct mock_host *h)
{
#define RELEASE(object, name)                                                                      \
	if (object)                                                                                \
		(void)DO(name, object);
	RELEASE(h->context, clReleaseContext)
	RELEASE(h->program, clReleaseProgram)
	RELEASE(h->mem, clReleaseMemObject)
	RELEASE(h->part, clReleaseMemObject)
	RELEASE(h->clone, clReleaseKernel)
	RELEASE(h->kernel, clReleaseKernel)
	RELEASE(h->both[0], clReleaseKernel)
	RELEASE(h->both[1], clReleaseKernel)
	RELEASE(h->first, clReleaseEvent)
	RELEASE(h->second, clReleaseEvent)
	RELEASE(h->queue, clReleaseCommandQueue)
	RELEASE(h->other_queue, clReleaseCommandQueue)
#undef RELEASE
}

/* OpenCL does not say that a wait returns after the callback: as much patience as a program has. */
static int times_called_back(struct mock_host *h)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int rounds = 0; !atomic_load(&h->called_back) && rounds < 10000; rounds++)
		(void)nanosleep(&pause, NULL);
	return atomic_load(&h->called_back);
}

void mock_host_run(struct mock_host *h, const struct opencl_real *cl, bool tells_context)
{
	*h = (struct mock_host){ .cl = cl, .tells_context = tells_context };
	if (make_objects(h) && use(h))
		say(h, "called back", times_called_back(h));
	release_all(h);
}
