/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What events say: a launch behind a user event that is set late, in one queue and from another;
 * the times of what has run, in order; callbacks; and what becomes of those that wait for one that
 * failed.
 */
#include "behaviour.h"

#include <stdio.h>
#include <unistd.h>

#define ITEMS 64

static cl_int status_of(cl_event event)
{
	cl_int status = 99;

	host_check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
	                          NULL),
	           "clGetEventInfo");
	return status;
}

static cl_event launch(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                       const cl_event *wait)
{
	const size_t items = ITEMS, group = 16;
	cl_event event = NULL;

	host_check(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, count, wait, &event),
		"clEnqueueNDRangeKernel");
	host_check(clFlush(queue), "clFlush");
	return event;
}

struct called {
	int times;
	cl_int status;
};

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *data)
{
	struct called *called = data;

	called->status = status;
	__atomic_fetch_add(&called->times, 1, __ATOMIC_SEQ_CST);
}

/* Some drivers never call back about what failed: then the wait is short. */
static void await_call(struct called *called, int most_ms)
{
	for (int i = 0; i < most_ms && !__atomic_load_n(&called->times, __ATOMIC_SEQ_CST); i++)
		usleep(1000);
	printf("called %d, status %s\n", called->times,
	       called->status < 0    ? "negative"
	       : called->status == 0 ? "complete"
	                             : "other");
}

/* 2 launches, 256 accesses: set late, and another queue waits for it. */
static void late(const struct host *h, cl_kernel kernel, cl_command_queue other)
{
	struct called called = { 0, 99 }, submitted = { 0, 99 }, running = { 0, 99 };
	cl_event gate, events[2];
	cl_ulong time;
	cl_int rc;

	gate = clCreateUserEvent(h->context, &rc);
	host_check(rc, "clCreateUserEvent");
	events[0] = launch(h->queue, kernel, 1, &gate);
	events[1] = launch(other, kernel, 1, &events[0]);
	host_check(clSetEventCallback(events[1], CL_COMPLETE, count_call, &called),
	           "clSetEventCallback");
	host_check(clSetEventCallback(events[1], CL_SUBMITTED, count_call, &submitted),
	           "clSetEventCallback");
	host_check(clSetEventCallback(events[1], CL_RUNNING, count_call, &running),
	           "clSetEventCallback");
	usleep(20000);
	printf("waiting %d %d, called %d\n", status_of(events[0]) > CL_COMPLETE,
	       status_of(events[1]) > CL_COMPLETE, called.times);
	host_print_status("no times yet",
	                  clGetEventProfilingInfo(events[0], CL_PROFILING_COMMAND_END, sizeof(time),
	                                          &time, NULL));
	host_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	host_check(clWaitForEvents(1, &events[1]), "clWaitForEvents");
	printf("complete %d %d\n", status_of(events[0]), status_of(events[1]));
	await_call(&called, 5000);
	await_call(&submitted, 5000);
	await_call(&running, 5000);
	for (int i = 0; i < 2; i++)
		clReleaseEvent(events[i]);
	clReleaseEvent(gate);
}

/* 2 launches that must not run, on queues of their own, which then are of no use. */
static void failed(const struct host *h, cl_kernel kernel, cl_command_queue_properties properties)
{
	struct called called = { 0, 99 };
	cl_command_queue queues[2];
	cl_event gate, events[2];
	cl_int rc;

	for (int i = 0; i < 2; i++) {
		queues[i] = clCreateCommandQueue(h->context, h->device, properties, &rc);
		host_check(rc, "clCreateCommandQueue");
	}
	gate = clCreateUserEvent(h->context, &rc);
	host_check(rc, "clCreateUserEvent");
	events[0] = launch(queues[0], kernel, 1, &gate);
	events[1] = launch(queues[1], kernel, 1, &events[0]);
	host_check(clSetEventCallback(events[1], CL_COMPLETE, count_call, &called),
	           "clSetEventCallback");
	host_check(clSetUserEventStatus(gate, -77), "clSetUserEventStatus");
	host_print_status("wait", clWaitForEvents(2, events));
	for (int i = 0; i < 5000 && (status_of(events[0]) > 0 || status_of(events[1]) > 0); i++)
		usleep(1000);
	printf("failed %d %d\n", status_of(events[0]), status_of(events[1]));
	await_call(&called, 200);
	for (int i = 0; i < 2; i++) {
		clReleaseEvent(events[i]);
		clReleaseCommandQueue(queues[i]);
	}
	clReleaseEvent(gate);
}

int main(void)
{
	struct host h;
	cl_command_queue in_order, other;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;
	cl_int rc;

	host_open(&h);
	in_order = h.queue;
	h.queue = clCreateCommandQueue(h.context, h.device, CL_QUEUE_PROFILING_ENABLE, &rc);
	host_check(rc, "clCreateCommandQueue");
	other = clCreateCommandQueue(h.context, h.device, 0, &rc);
	host_check(rc, "clCreateCommandQueue");
	program = host_build(&h, HOST_ADD_ONE, NULL);
	kernel = host_kernel(program, "add_one");
	buffer = host_buffer(&h, ITEMS, 1);
	host_set_mem(kernel, 0, buffer);
	late(&h, kernel, other);
	host_print(&h, "buffer", buffer, ITEMS);
	failed(&h, kernel, 0);
	failed(&h, kernel, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	host_print(&h, "untouched", buffer, ITEMS);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(other);
	clReleaseCommandQueue(h.queue);
	h.queue = in_order;
	host_close(&h);
	return 0;
}
