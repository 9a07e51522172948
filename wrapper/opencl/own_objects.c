/* SPDX-License-Identifier: Apache-2.0 */
#include "own_objects.h"

#include "device_info.h"
#include "engine.h"
#include "opencl_session.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TRIES 3 /* a driver may lack resources for a moment */

void own_objects_change(cl_context context, enum own_sort sort, int more)
{
	struct session *s = session_current();
	struct context_state *state;

	if (!s)
		return;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->contexts, context);
	if (state)
		state->own.count[sort] += more;
	session_unlock(s);
}

void own_objects_change_program(cl_program program, int more)
{
	cl_context context = NULL;

	if (opencl_real()->clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context),
	                                    (void *)&context, NULL) == CL_SUCCESS)
		own_objects_change(context, OWN_PROGRAM, more);
}

static bool count_of(cl_context context, cl_uint *count)
{
	return opencl_real()->clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(*count),
	                                       count, NULL) == CL_SUCCESS;
}

/* Our objects in a context that has no others. */
struct sample {
	cl_context context;
	cl_command_queue queue;
	cl_mem buffer;
	cl_program program;
	cl_kernel kernel;
	cl_event event;
	void *shared;
};

/* Create an object of a sort. */
static bool make(struct sample *o, enum own_sort sort, cl_device_id device)
{
	static const char *text = "__kernel void warpline_held(void)\n{\n}\n";
	const struct opencl_real *real = opencl_real();
	cl_int rc = CL_SUCCESS;

	switch (sort) {
	case OWN_QUEUE:
		o->queue = real->clCreateCommandQueue(o->context, device, 0, &rc);
		break;
	case OWN_PROGRAM:
		o->program = real->clCreateProgramWithSource(o->context, 1, &text, NULL, &rc);
		break;
	case OWN_KERNEL:
		rc = real->clBuildProgram(o->program, 1, &device, "", NULL, NULL);
		if (rc == CL_SUCCESS)
			o->kernel = real->clCreateKernel(o->program, "warpline_held", &rc);
		break;
	case OWN_BUFFER:
		o->buffer = real->clCreateBuffer(o->context, CL_MEM_READ_WRITE, 256, NULL, &rc);
		break;
	case OWN_EVENT:
		o->event = real->clCreateUserEvent(o->context, &rc);
		break;
	case OWN_SHARED: /* a driver without it may lack the call, too */
		if (device_info_number(device, CL_DEVICE_SVM_CAPABILITIES))
			o->shared = real->clSVMAlloc(o->context, CL_MEM_READ_WRITE, 256, 0);
		break;
	case OWN_SORTS:
		break;
	}
	return rc == CL_SUCCESS;
}

static void release(const struct sample *o)
{
	const struct opencl_real *real = opencl_real();

	if (o->shared)
		real->clSVMFree(o->context, o->shared);
	if (o->event)
		real->clReleaseEvent(o->event);
	if (o->kernel)
		real->clReleaseKernel(o->kernel);
	if (o->program)
		real->clReleaseProgram(o->program);
	if (o->buffer)
		real->clReleaseMemObject(o->buffer);
	if (o->queue)
		real->clReleaseCommandQueue(o->queue);
	if (o->context)
		real->clReleaseContext(o->context);
}

/* Measure how much a new object of each sort adds to the context's count. */
static bool measure(struct sample *o, cl_device_id device, cl_uint held[OWN_SORTS])
{
	cl_uint before, after;

	if (!count_of(o->context, &before))
		return false;
	for (int sort = 0; sort < OWN_SORTS; sort++) {
		if (!make(o, (enum own_sort)sort, device) || !count_of(o->context, &after))
			return false;
		held[sort] = after - before;
		before = after;
	}
	return true;
}

static cl_device_id device_of(cl_context context)
{
	const struct opencl_real *real = opencl_real();
	cl_device_id *devices = NULL, first = NULL;
	size_t bytes = 0;

	if (real->clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes) == CL_SUCCESS)
		devices = malloc(bytes + sizeof(first));
	if (devices &&
	    real->clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL) == CL_SUCCESS)
		first = devices[0];
	free(devices);
	return first;
}

static bool find_out(cl_context context, cl_uint held[OWN_SORTS])
{
	struct sample sample = { .context = NULL };
	cl_device_id device = device_of(context);
	bool is_known = false;
	cl_int rc;

	if (device)
		sample.context = opencl_real()->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	if (sample.context)
		is_known = measure(&sample, device, held);
	release(&sample);
	return is_known;
}

/* Find out the references that an object of each sort holds, unless that is known. */
static bool learn(struct session *s, cl_context context)
{
	struct context_state *state;
	cl_uint held[OWN_SORTS];
	bool is_known;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->contexts, context);
	is_known = !state || state->own.is_known;
	session_unlock(s);
	if (is_known)
		return true;
	for (int tries = 0; !is_known && tries < MOST_TRIES; tries++)
		is_known = find_out(context, held);
	if (!is_known)
		return false;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->contexts, context);
	if (state) {
		memcpy(state->own.held, held, sizeof(held));
		state->own.is_known = true;
	}
	session_unlock(s);
	return true;
}

static cl_uint holds_of(struct session *s, cl_context context)
{
	const struct context_state *state;
	cl_uint holds = 0;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->contexts, context);
	for (int i = 0; state && i < OWN_SORTS; i++)
		if (state->own.count[i] > 0)
			holds += (cl_uint)state->own.count[i] * state->own.held[i];
	session_unlock(s);
	return holds;
}

cl_uint own_objects_count(cl_context context, cl_uint count)
{
	struct session *s = session_current();
	cl_uint holds;

	if (!s || !learn(s, context))
		return count;
	pthread_mutex_lock(&opencl_session(s)->own_lock);
	for (int tries = 0; tries < MOST_TRIES && !count_of(context, &count); tries++)
		continue;
	holds = holds_of(s, context);
	pthread_mutex_unlock(&opencl_session(s)->own_lock);
	return count - (holds < count ? holds : 0);
}

cl_event own_objects_create_event(cl_context context)
{
	struct session *s = session_current();
	cl_event event;
	cl_int rc;

	if (s)
		pthread_mutex_lock(&opencl_session(s)->own_lock);
	event = opencl_real()->clCreateUserEvent(context, &rc);
	if (event)
		own_objects_change(context, OWN_EVENT, 1);
	if (s)
		pthread_mutex_unlock(&opencl_session(s)->own_lock);
	return event;
}

void own_objects_release_event(cl_context context, cl_event event)
{
	struct session *s = session_current();

	if (s)
		pthread_mutex_lock(&opencl_session(s)->own_lock);
	opencl_real()->clReleaseEvent(event);
	own_objects_change(context, OWN_EVENT, -1);
	if (s)
		pthread_mutex_unlock(&opencl_session(s)->own_lock);
}
