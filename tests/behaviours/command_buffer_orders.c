/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command buffers in an in-order and an out-of-order queue: order by sync points and barriers, a
 * wait list, enqueued while pending, in another queue, with objects that were released since; and
 * the same commands enqueued by themselves.
 */
#include "behaviour.h"

#include <stdio.h>
#include <unistd.h>

#define ITEMS 64
#define TURNS 3

/* What the program calls, all of it found at run time. */
static clCreateCommandBufferKHR_fn create;
static clFinalizeCommandBufferKHR_fn finalize;
static clReleaseCommandBufferKHR_fn release;
static clEnqueueCommandBufferKHR_fn enqueue;
static clCommandNDRangeKernelKHR_fn command_kernel;
static clGetCommandBufferInfoKHR_fn get_info;
/* As they are up to version 0.9.4 of the extension, whichever the headers have. */
static cl_int(CL_API_CALL *command_barrier)(cl_command_buffer_khr, cl_command_queue, cl_uint,
                                            const cl_sync_point_khr *, cl_sync_point_khr *,
                                            cl_mutable_command_khr *);
static cl_int(CL_API_CALL *command_rect)(cl_command_buffer_khr, cl_command_queue, cl_mem, cl_mem,
                                         const size_t *, const size_t *, const size_t *, size_t,
                                         size_t, size_t, size_t, cl_uint, const cl_sync_point_khr *,
                                         cl_sync_point_khr *, cl_mutable_command_khr *);

static void find_calls(const struct host *h)
{
#define FIND(to, name)                                                                             \
	*(void **)&(to) = clGetExtensionFunctionAddressForPlatform(h->platform, name);             \
	if (!(to))                                                                                 \
		host_skip("no " name);
	FIND(create, "clCreateCommandBufferKHR")
	FIND(finalize, "clFinalizeCommandBufferKHR")
	FIND(release, "clReleaseCommandBufferKHR")
	FIND(enqueue, "clEnqueueCommandBufferKHR")
	FIND(command_kernel, "clCommandNDRangeKernelKHR")
	FIND(command_barrier, "clCommandBarrierWithWaitListKHR")
	FIND(command_rect, "clCommandCopyBufferRectKHR")
	FIND(get_info, "clGetCommandBufferInfoKHR")
}

/* A kernel for each launch: arguments that are set later are a question of their own. */
struct parts {
	cl_program program;
	cl_kernel kernels[3];
	cl_mem source, target;
};

static void make_parts(const struct host *h, struct parts *p)
{
	p->program = host_build(h,
	                        "kernel void blend(global uint *to, uint by)\n"
	                        "{\n"
	                        "	size_t i = get_global_id(0);\n"
	                        "	to[i] = to[i] * by + (uint)i;\n"
	                        "}\n",
	                        NULL);
	p->source = host_buffer(h, ITEMS, 1);
	p->target = host_buffer(h, ITEMS, 500);
	for (cl_uint i = 0; i < 3; i++) {
		p->kernels[i] = host_kernel(p->program, "blend");
		host_set_mem(p->kernels[i], 0, i < 2 ? p->source : p->target);
		host_set_uint(p->kernels[i], 1, i * 2 + 3);
	}
}

static void release_parts(const struct parts *p)
{
	for (int i = 0; i < 3; i++)
		clReleaseKernel(p->kernels[i]);
	clReleaseProgram(p->program);
	clReleaseMemObject(p->source);
}

/* Half of it, from row to row of four values. */
static const size_t origin[3] = { 0, 0, 0 }, region[3] = { 2 * sizeof(cl_uint), 16, 1 };
static const size_t row_bytes = 4 * sizeof(cl_uint);

/* Twice over the source, a part of it to the target, and over the target. */
static cl_command_buffer_khr record(cl_command_queue queue, const struct parts *p,
                                    const cl_command_buffer_properties_khr *properties)
{
	const size_t items = ITEMS, group = 16;
	cl_sync_point_khr once, twice, copied;
	cl_command_buffer_khr commands;
	cl_int rc;

	commands = create(1, &queue, properties, &rc);
	host_check(rc, "clCreateCommandBufferKHR");
	host_check(command_kernel(commands, NULL, NULL, p->kernels[0], 1, NULL, &items, &group, 0,
	                          NULL, &once, NULL),
	           "clCommandNDRangeKernelKHR");
	host_check(command_kernel(commands, NULL, NULL, p->kernels[1], 1, NULL, &items, NULL, 1,
	                          &once, &twice, NULL),
	           "clCommandNDRangeKernelKHR");
	host_check(command_rect(commands, NULL, p->source, p->target, origin, origin, region,
	                        row_bytes, 0, row_bytes, 0, 1, &twice, &copied, NULL),
	           "clCommandCopyBufferRectKHR");
	host_check(command_barrier(commands, NULL, 0, NULL, NULL, NULL),
	           "clCommandBarrierWithWaitListKHR");
	host_check(command_kernel(commands, NULL, NULL, p->kernels[2], 1, NULL, &items, &group, 1,
	                          &copied, NULL, NULL),
	           "clCommandNDRangeKernelKHR");
	host_check(finalize(commands), "clFinalizeCommandBufferKHR");
	return commands;
}

/* The same without a command buffer, TURNS times. */
static void enqueue_plainly(const struct host *h, const struct parts *p)
{
	const size_t items = ITEMS, group = 16;

	for (int turn = 0; turn < TURNS; turn++) {
		for (int i = 0; i < 2; i++)
			host_launch(h, p->kernels[i], ITEMS, i ? 0 : group);
		host_check(clEnqueueCopyBufferRect(h->queue, p->source, p->target, origin, origin,
		                                   region, row_bytes, 0, row_bytes, 0, 0, NULL,
		                                   NULL),
		           "clEnqueueCopyBufferRect");
		host_check(clEnqueueNDRangeKernel(h->queue, p->kernels[2], 1, NULL, &items, &group,
		                                  0, NULL, NULL),
		           "clEnqueueNDRangeKernel");
	}
}

static void print_state(cl_command_buffer_khr commands)
{
	cl_command_buffer_state_khr state = 9;

	host_check(get_info(commands, CL_COMMAND_BUFFER_STATE_KHR, sizeof(state), &state, NULL),
	           "clGetCommandBufferInfoKHR");
	printf("state %u\n", state);
}

static void print_event(cl_event event)
{
	cl_ulong times[4];
	cl_uint refs = 0, type = 0;

	/* The driver may have its own for a moment longer. */
	for (int tries = 0; refs != 1 && tries < 1000; tries++) {
		usleep(1000);
		host_check(
			clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
			"clGetEventInfo");
	}
	host_check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
	           "clGetEventInfo");
	printf("type %x, references %u\n", type, refs);
	for (cl_uint i = 0; i < 4; i++)
		if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i,
		                            sizeof(times[i]), &times[i], NULL) != CL_SUCCESS)
			return;
	printf("times %s\n",
	       times[0] && times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]
	               ? "ascend"
	               : "do not ascend");
}

static cl_command_queue make_queue(const struct host *h, cl_command_queue_properties properties)
{
	cl_int rc;
	cl_command_queue queue = clCreateCommandQueue(h->context, h->device, properties, &rc);

	host_check(rc, "clCreateCommandQueue");
	return queue;
}

/* Behind an event of ours, and while it is pending once more; then in a queue like the first. */
static void run(const struct host *h, cl_command_queue_properties properties, bool is_simultaneous)
{
	const cl_command_buffer_properties_khr flags[] = { CL_COMMAND_BUFFER_FLAGS_KHR,
		                                           CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR,
		                                           0 };
	cl_command_queue queue = make_queue(h, properties), other = make_queue(h, properties);
	cl_command_queue unlike = h->queue;
	cl_command_buffer_khr commands;
	struct parts p;
	cl_event gate, done, again = NULL, last;
	cl_int rc;

	make_parts(h, &p);
	commands = record(queue, &p, is_simultaneous ? flags : NULL);
	gate = clCreateUserEvent(h->context, &rc);
	host_check(rc, "clCreateUserEvent");
	release_parts(&p);
	host_check(enqueue(0, NULL, commands, 1, &gate, &done), "clEnqueueCommandBufferKHR");
	print_state(commands);
	host_print_status("again", enqueue(0, NULL, commands, 1, &done, &again));
	host_print_status("unlike", enqueue(1, &unlike, commands, 0, NULL, &last));
	host_print_status("nothing to wait for", enqueue(0, NULL, commands, 1, NULL, &last));
	clSetUserEventStatus(gate, CL_COMPLETE);
	host_check(clWaitForEvents(1, again ? &again : &done), "clWaitForEvents");
	print_event(done);
	for (int turn = again ? 2 : 1; turn < TURNS; turn++) {
		host_check(enqueue(1, &other, commands, 0, NULL, &last),
		           "clEnqueueCommandBufferKHR");
		host_check(clWaitForEvents(1, &last), "clWaitForEvents");
		clReleaseEvent(last);
	}
	print_state(commands);
	host_print(h, "target", p.target, ITEMS);
	host_check(release(commands), "clReleaseCommandBufferKHR");
	clReleaseMemObject(p.target);
	clReleaseEvent(done);
	if (again)
		clReleaseEvent(again);
	clReleaseEvent(gate);
	clReleaseCommandQueue(queue);
	clReleaseCommandQueue(other);
}

int main(void)
{
	struct host h;
	struct parts p;

	host_open(&h);
	find_calls(&h);
	make_parts(&h, &p);
	enqueue_plainly(&h, &p);
	host_print(&h, "target", p.target, ITEMS);
	release_parts(&p);
	clReleaseMemObject(p.target);
	run(&h, CL_QUEUE_PROFILING_ENABLE, false);
	run(&h, CL_QUEUE_PROFILING_ENABLE, true);
	run(&h, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, false);
	run(&h, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, true);
	host_close(&h);
	return 0;
}
