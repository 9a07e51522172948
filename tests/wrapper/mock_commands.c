/* SPDX-License-Identifier: Apache-2.0 */
/* What goes into the mock's queues, and events. */
#include "mock_calls.h"
#include "mock_driver.h"

#include <string.h>

/* A copy of `size` bytes. The lock is held. */
static void copy(cl_command_queue queue, void *to, const void *from, size_t size,
                 const struct mock_command *rest)
{
	struct mock_command command = *rest;

	command.to = to;
	command.from = from;
	command.bytes = size;
	mock_enqueue((struct object *)queue, &command);
}

static unsigned char *bytes_of(cl_mem mem)
{
	mock_check(mem, BUFFER);
	return ((struct object *)mem)->bytes;
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
cl_int mock_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                                   const size_t *offset, const size_t *global, const size_t *local,
                                   cl_uint n, const cl_event *wait, cl_event *event)
{
	ENTER
	mock_check(queue, QUEUE);
	mock_check(kernel, KERNEL);
	mock_enqueue((struct object *)queue,
	             &(struct mock_command){ .kernel = (struct object *)kernel,
	                                     .range = { offset, global, local },
	                                     .wait_count = n,
	                                     .wait_list = wait,
	                                     .out = event });
	LEAVE(CL_SUCCESS);
}

cl_int mock_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint n, const cl_event *wait,
                          cl_event *event)
{
	ENTER
	mock_check(queue, QUEUE);
	mock_check(kernel, KERNEL);
	mock_enqueue((struct object *)queue,
	             &(struct mock_command){ .kernel = (struct object *)kernel,
	                                     .wait_count = n,
	                                     .wait_list = wait,
	                                     .out = event });
	LEAVE(CL_SUCCESS);
}

cl_int mock_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,
                                size_t size, void *ptr, cl_uint n, const cl_event *wait,
                                cl_event *event)
{
	ENTER
	copy(queue, ptr, bytes_of(mem) + offset, size,
	     &(struct mock_command){ .buffers = { (struct object *)mem },
	                             .wait_count = n,
	                             .wait_list = wait,
	                             .out = event,
	                             .is_blocking = blocking });
	LEAVE(CL_SUCCESS);
}

cl_int mock_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                 size_t offset, size_t size, const void *ptr, cl_uint n,
                                 const cl_event *wait, cl_event *event)
{
	ENTER
	copy(queue, bytes_of(mem) + offset, ptr, size,
	     &(struct mock_command){ .buffers = { (struct object *)mem },
	                             .wait_count = n,
	                             .wait_list = wait,
	                             .out = event,
	                             .is_blocking = blocking });
	LEAVE(CL_SUCCESS);
}

cl_int mock_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t s, size_t d,
                                size_t size, cl_uint n, const cl_event *wait, cl_event *event)
{
	ENTER
	copy(queue, bytes_of(to) + d, bytes_of(from) + s, size,
	     &(struct mock_command){ .buffers = { (struct object *)from, (struct object *)to },
	                             .wait_count = n,
	                             .wait_list = wait,
	                             .out = event });
	LEAVE(CL_SUCCESS);
}

void *mock_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                              cl_map_flags flags, size_t offset, size_t size, cl_uint n,
                              const cl_event *wait, cl_event *event, cl_int *errcode_ret)
{
	ENTER_OBJECT
	mock_enqueue((struct object *)queue, &(struct mock_command){ .wait_count = n,
	                                                             .wait_list = wait,
	                                                             .out = event,
	                                                             .is_blocking = blocking });
	LEAVE(bytes_of(mem) + offset);
}

cl_int mock_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped, cl_uint n,
                                    const cl_event *wait, cl_event *event)
{
	ENTER
	mock_enqueue((struct object *)queue,
	             &(struct mock_command){ .wait_count = n, .wait_list = wait, .out = event });
	LEAVE(CL_SUCCESS);
}

cl_int mock_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint n, const cl_event *wait,
                                        cl_event *event)
{
	ENTER
	mock_enqueue((struct object *)queue,
	             &(struct mock_command){ .wait_count = n, .wait_list = wait, .out = event });
	LEAVE(CL_SUCCESS);
}

/* NOLINTEND(readability-function-size) */

cl_int mock_clFlush(cl_command_queue queue)
{
	ENTER
	mock_check(queue, QUEUE);
	LEAVE(CL_SUCCESS);
}

cl_int mock_clFinish(cl_command_queue queue)
{
	ENTER
	mock_check(queue, QUEUE);
	mock_finish((struct object *)queue);
	LEAVE(CL_SUCCESS);
}

cl_event mock_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	mock_check(context, CONTEXT);
	o = mock_make(EVENT, NULL);
	o->dispatch = ((struct object *)context)->dispatch;
	o->status = CL_SUBMITTED;
	LEAVE((cl_event)o);
}

cl_int mock_clSetUserEventStatus(cl_event event, cl_int status)
{
	ENTER
	mock_check(event, EVENT);
	mock_before(event);
	((struct object *)event)->status = status;
	mock_pump();
	LEAVE(CL_SUCCESS);
}

cl_int mock_clWaitForEvents(cl_uint n, const cl_event *events)
{
	ENTER
	for (cl_uint i = 0; i < n; i++) {
		mock_check(events[i], EVENT);
		mock_wait((struct object *)events[i]);
	}
	LEAVE(CL_SUCCESS);
}

cl_int mock_clSetEventCallback(cl_event event, cl_int type,
                               void(CL_CALLBACK *f)(cl_event, cl_int, void *), void *data)
{
	ENTER
	mock_check(event, EVENT);
	mock_call_back((struct object *)event, (struct mock_callback){ f, data });
	LEAVE(CL_SUCCESS);
}
