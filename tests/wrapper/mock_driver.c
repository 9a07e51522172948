/* SPDX-License-Identifier: Apache-2.0 */
/* Failures on request; platforms, devices, contexts and queues; retaining and releasing. */
#include "mock_driver.h"

#include "mock_calls.h"

struct object mock_platforms[MOCK_PLATFORMS] = {
	{ .dispatch = &mock_platforms[0], .sort = PLATFORM, .refs = 1 },
	{ .dispatch = &mock_platforms[1], .sort = PLATFORM, .refs = 1 },
};
struct object mock_devices[MOCK_PLATFORMS] = {
	{ .dispatch = &mock_platforms[0], .sort = DEVICE, .refs = 1, .owner = &mock_platforms[0] },
	{ .dispatch = &mock_platforms[1], .sort = DEVICE, .refs = 1, .owner = &mock_platforms[1] },
};

/* What the devices are, as clGetDeviceIDs() has it. */
static cl_device_type types[MOCK_PLATFORMS] = { CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_ALL };

void mock_driver_set_types(cl_device_type first, cl_device_type second)
{
	types[0] = first;
	types[1] = second;
}

cl_ulong mock_device_type(const void *device)
{
	return types[device == &mock_devices[1]];
}

static size_t calls, fail_at = SIZE_MAX;
static const char *failed;

bool mock_enter(const char *name)
{
	mock_hold();
	if (calls++ != fail_at)
		return true;
	failed = name;
	mock_let_go();
	return false;
}

void mock_driver_fail(size_t number)
{
	mock_hold();
	calls = 0;
	fail_at = number;
	failed = NULL;
	mock_let_go();
}

size_t mock_driver_calls(void)
{
	size_t count;

	mock_hold();
	count = calls;
	mock_let_go();
	return count;
}

const char *mock_driver_failed(void)
{
	const char *name;

	mock_hold();
	name = failed;
	mock_let_go();
	return name;
}

cl_int mock_clGetPlatformIDs(cl_uint n, cl_platform_id *platforms, cl_uint *count)
{
	ENTER
	if (count)
		*count = MOCK_PLATFORMS;
	for (cl_uint i = 0; platforms && i < n && i < MOCK_PLATFORMS; i++)
		platforms[i] = (cl_platform_id)&mock_platforms[i];
	LEAVE(CL_SUCCESS);
}

cl_int mock_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint n,
                           cl_device_id *devices, cl_uint *count)
{
	bool is_second = (void *)platform == &mock_platforms[1];

	ENTER
	if (!(type & types[is_second]))
		LEAVE(CL_DEVICE_NOT_FOUND);
	if (count)
		*count = 1;
	if (devices && n)
		*devices = (cl_device_id)&mock_devices[is_second];
	LEAVE(CL_SUCCESS);
}

/* Of the first platform's device, as far as these properties say. */
static bool wants_second(const cl_context_properties *p)
{
	for (; p && *p; p += 2)
		if (*p == CL_CONTEXT_PLATFORM)
			return p[1] == (cl_context_properties)&mock_platforms[1];
	return false;
}

static struct object *make_context(const struct object *device)
{
	struct object *context = mock_make(CONTEXT, NULL);

	context->dispatch = (device ? device : mock_devices)->dispatch;
	return context;
}

cl_context mock_clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d,
                                void(CL_CALLBACK *f)(const char *, const void *, size_t, void *),
                                void *u, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE((cl_context)make_context((struct object *)*d));
}

cl_context mock_clCreateContextFromType(const cl_context_properties *p, cl_device_type type,
                                        void(CL_CALLBACK *f)(const char *, const void *, size_t,
                                                             void *),
                                        void *u, cl_int *errcode_ret)
{
	bool is_second = wants_second(p);

	ENTER_OBJECT
	if (!(type & types[is_second])) {
		if (errcode_ret)
			*errcode_ret = CL_DEVICE_NOT_FOUND;
		LEAVE(NULL);
	}
	LEAVE((cl_context)make_context(&mock_devices[is_second]));
}

static cl_command_queue make_queue(cl_context context, cl_command_queue_properties properties)
{
	struct object *queue = mock_make(QUEUE, (struct object *)context);

	mock_check(context, CONTEXT);
	queue->properties = properties;
	queue->is_unordered = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	return (cl_command_queue)queue;
}

cl_command_queue mock_clCreateCommandQueue(cl_context context, cl_device_id d,
                                           cl_command_queue_properties p, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_queue(context, p));
}

cl_command_queue mock_clCreateCommandQueueWithProperties(cl_context context, cl_device_id d,
                                                         const cl_queue_properties *p,
                                                         cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_queue(context, p && p[0] == CL_QUEUE_PROPERTIES ? p[1] : 0));
}

/* Retain and release, for every sort alike. */
#define COUNTED(type, Type, sort)                                                                  \
	cl_int mock_clRetain##Type(type handle)                                                    \
	{                                                                                          \
		ENTER mock_check(handle, sort);                                                    \
		((struct object *)handle)->refs++;                                                 \
		((struct object *)handle)->handles++;                                              \
		LEAVE(CL_SUCCESS);                                                                 \
	}                                                                                          \
	cl_int mock_clRelease##Type(type handle)                                                   \
	{                                                                                          \
		ENTER mock_check(handle, sort);                                                    \
		((struct object *)handle)->handles--;                                              \
		mock_drop((struct object *)handle);                                                \
		LEAVE(CL_SUCCESS);                                                                 \
	}
/* clang-format off */
COUNTED(cl_context, Context, CONTEXT)
COUNTED(cl_command_queue, CommandQueue, QUEUE)
COUNTED(cl_mem, MemObject, BUFFER)
COUNTED(cl_sampler, Sampler, SAMPLER)
COUNTED(cl_program, Program, PROGRAM)
COUNTED(cl_kernel, Kernel, KERNEL)
COUNTED(cl_event, Event, EVENT)
COUNTED(cl_command_buffer_khr, CommandBufferKHR, COMMANDS)
/* clang-format on */

cl_int mock_clRetainDevice(cl_device_id d)
{
	ENTER
	LEAVE(CL_SUCCESS);
}

cl_int mock_clReleaseDevice(cl_device_id d)
{
	ENTER
	LEAVE(CL_SUCCESS);
}
