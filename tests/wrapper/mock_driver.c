/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_driver.h"

#include "mock_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t calls, fail_at = SIZE_MAX;
static const char *failed;
static char built_with[64];

bool mock_enter(const char *name)
{
	pthread_mutex_lock(&mock_lock);
	if (calls++ != fail_at)
		return true;
	failed = name;
	pthread_mutex_unlock(&mock_lock);
	return false;
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
static cl_context
mock_clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d,
                     void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u,
                     cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE((cl_context)mock_make(CONTEXT, NULL));
}

static cl_command_queue mock_clCreateCommandQueue(cl_context context, cl_device_id d,
                                                  cl_command_queue_properties p,
                                                  cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE((cl_command_queue)mock_make(QUEUE, (struct object *)context));
}

static cl_mem mock_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                  cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	*errcode_ret = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	if (!mock_take_bytes(size))
		LEAVE(NULL);
	*errcode_ret = CL_SUCCESS;
	o = mock_make(BUFFER, (struct object *)context);
	o->bytes = calloc(1, size);
	o->size = size;
	LEAVE((cl_mem)o);
}

static cl_program mock_clCreateProgramWithSource(cl_context context, cl_uint n, const char **s,
                                                 const size_t *l, cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	*errcode_ret = CL_SUCCESS;
	o = mock_make(PROGRAM, (struct object *)context);
	o->is_probed = !strncmp(s[0], MOCK_PROBED, strlen(MOCK_PROBED));
	o->is_wrong = strstr(s[0], MOCK_WRONG);
	LEAVE((cl_program)o);
}

static cl_program mock_clCreateProgramWithBinary(cl_context context, cl_uint n,
                                                 const cl_device_id *d, const size_t *l,
                                                 const unsigned char **b, cl_int *status,
                                                 cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	*errcode_ret = CL_SUCCESS;
	o = mock_make(PROGRAM, (struct object *)context);
	o->is_probed = true;
	LEAVE((cl_program)o);
}

static cl_int mock_clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                                  void(CL_CALLBACK *f)(cl_program, void *), void *u)
{
	ENTER
	if (((struct object *)p)->is_probed)
		snprintf(built_with, sizeof(built_with), "%s", o ? o : "");
	LEAVE(((struct object *)p)->is_wrong ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS);
}

static cl_kernel mock_clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	if (errcode_ret)
		*errcode_ret = CL_SUCCESS;
	o = mock_make(KERNEL, (struct object *)program);
	strncpy(o->name, name, sizeof(o->name) - 1);
	LEAVE((cl_kernel)o);
}

static cl_int mock_clSetKernelArg(cl_kernel kernel, cl_uint i, size_t size, const void *value)
{
	ENTER
	if (i >= MOST_ARGUMENTS || size > 8)
		LEAVE(CL_INVALID_ARG_INDEX);
	memcpy(((struct object *)kernel)->values[i], value, size);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                                          const size_t *offset, const size_t *global,
                                          const size_t *local, cl_uint n, const cl_event *wait,
                                          cl_event *event)
{
	ENTER
	mock_enqueue((struct object *)queue, (struct object *)kernel,
	             &(struct mock_range){ offset, global, local }, n ? wait : NULL, event);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clFinish(cl_command_queue queue)
{
	ENTER
	mock_finish((struct object *)queue);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                       size_t offset, size_t size, void *ptr, cl_uint n,
                                       const cl_event *wait, cl_event *event)
{
	ENTER
	mock_finish((struct object *)queue);
	memcpy(ptr, ((struct object *)mem)->bytes + offset, size);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                        size_t offset, size_t size, const void *ptr, cl_uint n,
                                        const cl_event *wait, cl_event *event)
{
	ENTER
	mock_finish((struct object *)queue);
	memcpy(((struct object *)mem)->bytes + offset, ptr, size);
	LEAVE(CL_SUCCESS);
}

static void *mock_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                     cl_map_flags flags, size_t offset, size_t size, cl_uint n,
                                     const cl_event *wait, cl_event *event, cl_int *errcode_ret)
{
	ENTER_OBJECT
	mock_finish((struct object *)queue);
	*errcode_ret = CL_SUCCESS;
	LEAVE(((struct object *)mem)->bytes + offset);
}

static cl_int mock_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped,
                                           cl_uint n, const cl_event *wait, cl_event *event)
{
	ENTER
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t s,
                                       size_t d, size_t size, cl_uint n, const cl_event *wait,
                                       cl_event *event)
{
	ENTER
	mock_finish((struct object *)queue);
	memcpy(((struct object *)to)->bytes + d, ((struct object *)from)->bytes + s, size);
	LEAVE(CL_SUCCESS);
}

static cl_event mock_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	o = mock_make(EVENT, NULL);
	o->status = CL_SUBMITTED;
	LEAVE((cl_event)o);
}

static cl_int mock_clSetUserEventStatus(cl_event event, cl_int status)
{
	ENTER((struct object *)event)->status = status;
	mock_pump();
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clSetEventCallback(cl_event event, cl_int type,
                                      void(CL_CALLBACK *f)(cl_event, cl_int, void *), void *data)
{
	struct object *o = (struct object *)event;
	bool is_over;

	ENTER
	is_over = o->status <= CL_COMPLETE;
	o->callback = f;
	o->callback_data = data;
	pthread_mutex_unlock(&mock_lock);
	if (is_over)
		f(event, CL_COMPLETE, data);
	return CL_SUCCESS;
}

/* NOLINTEND(readability-function-size) */

/* Retain and release, for every sort alike. */
#define RETAIN(type, Type)                                                                         \
	static cl_int mock_clRetain##Type(type handle)                                             \
	{                                                                                          \
		ENTER((struct object *)handle)->refs++;                                            \
		LEAVE(CL_SUCCESS);                                                                 \
	}
#define RELEASE(type, Type)                                                                        \
	static cl_int mock_clRelease##Type(type handle)                                            \
	{                                                                                          \
		ENTER mock_drop((struct object *)handle);                                          \
		LEAVE(CL_SUCCESS);                                                                 \
	}
/* clang-format off */
RETAIN(cl_context, Context)
RETAIN(cl_mem, MemObject)
RETAIN(cl_program, Program)
RETAIN(cl_kernel, Kernel)
RETAIN(cl_event, Event)
RELEASE(cl_context, Context)
RELEASE(cl_command_queue, CommandQueue)
RELEASE(cl_mem, MemObject)
RELEASE(cl_program, Program)
RELEASE(cl_kernel, Kernel)
RELEASE(cl_event, Event)
/* clang-format on */

const struct opencl_real *mock_driver(void)
{
	static const struct opencl_real mock = {
#define ROW(name) .name = mock_##name,
		/* clang-format off */
		ROW(clCreateContext) ROW(clRetainContext) ROW(clReleaseContext)
		ROW(clCreateCommandQueue) ROW(clReleaseCommandQueue) ROW(clGetCommandQueueInfo)
		ROW(clCreateBuffer) ROW(clRetainMemObject) ROW(clReleaseMemObject)
		ROW(clCreateProgramWithSource) ROW(clCreateProgramWithBinary) ROW(clBuildProgram)
		ROW(clRetainProgram) ROW(clReleaseProgram) ROW(clGetProgramInfo)
		ROW(clGetProgramBuildInfo) ROW(clCreateKernel) ROW(clRetainKernel)
		ROW(clReleaseKernel) ROW(clSetKernelArg) ROW(clGetKernelInfo)
		ROW(clGetKernelWorkGroupInfo) ROW(clEnqueueNDRangeKernel) ROW(clFinish)
		ROW(clEnqueueReadBuffer) ROW(clEnqueueMapBuffer) ROW(clEnqueueUnmapMemObject)
		ROW(clEnqueueWriteBuffer) ROW(clEnqueueCopyBuffer)
		ROW(clCreateUserEvent) ROW(clSetUserEventStatus) ROW(clSetEventCallback)
		ROW(clRetainEvent) ROW(clReleaseEvent) ROW(clGetEventInfo)
		ROW(clGetEventProfilingInfo) ROW(clGetPlatformInfo) ROW(clGetDeviceInfo)
	/* clang-format on */
#undef ROW
	};

	return &mock;
}

void mock_driver_fail(size_t number)
{
	pthread_mutex_lock(&mock_lock);
	calls = 0;
	fail_at = number;
	failed = NULL;
	pthread_mutex_unlock(&mock_lock);
}

size_t mock_driver_calls(void)
{
	size_t count;

	pthread_mutex_lock(&mock_lock);
	count = calls;
	pthread_mutex_unlock(&mock_lock);
	return count;
}

const char *mock_driver_failed(void)
{
	const char *name;

	pthread_mutex_lock(&mock_lock);
	name = failed;
	pthread_mutex_unlock(&mock_lock);
	return name;
}

const char *mock_driver_built_with(void)
{
	return built_with;
}
