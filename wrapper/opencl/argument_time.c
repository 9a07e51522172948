/* SPDX-License-Identifier: Apache-2.0 */
#include "argument_time.h"

#include "device_info.h"
#include "engine.h"
#include "session.h"

/* A kernel that writes its argument: 1 when it is recorded, 2 when it is enqueued. Only a number
 * changes: of buffers, such a driver may have seen to those alone that were recorded. */
struct experiment {
	const struct opencl_real *real;
	const struct opencl_ext *ext;
	const struct engine *engine;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;
	cl_command_buffer_khr commands;
};

static bool prepare(struct experiment *x)
{
	cl_context context = x->engine->context;
	cl_command_queue_properties properties = device_info_number(
		x->engine->device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR);
	cl_int rc;

	if (!x->ext->clCreateCommandBufferKHR || !x->ext->clReleaseCommandBufferKHR ||
	    !x->ext->clCommandNDRangeKernelKHR || !x->ext->clFinalizeCommandBufferKHR ||
	    !x->ext->clEnqueueCommandBufferKHR)
		return false;
	x->queue = x->real->clCreateCommandQueue(context, x->engine->device, properties, &rc);
	if (!x->queue)
		return false;
	x->kernel = x->real->clCreateKernel(x->engine->program, "warpline_keep", &rc);
	x->buffer =
		x->real->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_ulong), NULL, &rc);
	x->commands = x->ext->clCreateCommandBufferKHR(1, &x->queue, NULL, &rc);
	return x->kernel && x->buffer && x->commands;
}

static bool set_value(const struct experiment *x, cl_ulong value)
{
	return x->real->clSetKernelArg(x->kernel, 1, sizeof(value), &value) == CL_SUCCESS;
}

static bool run(const struct experiment *x)
{
	static const size_t one = 1;

	return x->real->clSetKernelArg(x->kernel, 0, sizeof(x->buffer), (const void *)&x->buffer) ==
	               CL_SUCCESS &&
	       set_value(x, 1) &&
	       x->ext->clCommandNDRangeKernelKHR(x->commands, NULL, NULL, x->kernel, 1, NULL, &one,
	                                         &one, 0, NULL, NULL, NULL) == CL_SUCCESS &&
	       set_value(x, 2) && x->ext->clFinalizeCommandBufferKHR(x->commands) == CL_SUCCESS &&
	       x->ext->clEnqueueCommandBufferKHR(0, NULL, x->commands, 0, NULL, NULL) ==
	               CL_SUCCESS &&
	       x->real->clFinish(x->queue) == CL_SUCCESS;
}

static enum argument_time judge(const struct experiment *x)
{
	cl_ulong written = 0;

	if (x->real->clEnqueueReadBuffer(x->queue, x->buffer, CL_TRUE, 0, sizeof(written), &written,
	                                 0, NULL, NULL) != CL_SUCCESS)
		return ARGUMENTS_UNKNOWN;
	if (written == 1)
		return ARGUMENTS_RECORDED;
	return written == 2 ? ARGUMENTS_ENQUEUED : ARGUMENTS_UNKNOWN;
}

static void release(const struct experiment *x)
{
	if (x->commands)
		x->ext->clReleaseCommandBufferKHR(x->commands);
	if (x->buffer)
		x->real->clReleaseMemObject(x->buffer);
	if (x->kernel)
		x->real->clReleaseKernel(x->kernel);
	if (x->queue)
		x->real->clReleaseCommandQueue(x->queue);
}

static enum argument_time find_out(const struct engine *e)
{
	struct experiment x = { .real = opencl_real(),
		                .ext = opencl_ext_of(e->context),
		                .engine = e };
	enum argument_time time = ARGUMENTS_UNKNOWN;

	if (prepare(&x) && run(&x))
		time = judge(&x);
	release(&x);
	return time;
}

enum argument_time argument_time_find(struct session *s, cl_command_queue queue)
{
	const struct opencl_real *real = opencl_real();
	cl_context context = NULL;
	cl_device_id device = NULL;
	struct engine *e = NULL;
	enum argument_time time;

	if (real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), (void *)&context,
	                                NULL) == CL_SUCCESS &&
	    real->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), (void *)&device,
	                                NULL) == CL_SUCCESS)
		e = engine_get(s, context, device, NULL);
	if (!e)
		return ARGUMENTS_UNKNOWN;
	time = (enum argument_time)atomic_load(&e->argument_time);
	if (time == ARGUMENTS_UNKNOWN) {
		time = find_out(e);
		atomic_store(&e->argument_time, time);
	}
	engine_release(e);
	return time;
}
