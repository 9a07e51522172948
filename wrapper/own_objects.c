/* SPDX-License-Identifier: Apache-2.0 */
#include "own_objects.h"

#include "engine.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

void own_objects_change(cl_context context, enum own_sort sort, int more)
{
	struct session *s = session_current();
	struct context_state *state;

	if (!s)
		return;
	session_lock(s);
	state = handle_map_get(&s->contexts, context);
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

static cl_uint count_of(cl_context context)
{
	cl_uint count = 0;

	(void)opencl_real()->clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count),
	                                      &count, NULL);
	return count;
}

/* What a new object of each sort adds to the count of a context with nothing else in it. */
static void measure(cl_context empty, cl_device_id device, cl_uint held[OWN_SORTS])
{
	const struct opencl_real *real = opencl_real();
	const char *text = "__kernel void warpline_held(void)\n{\n}\n";
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel = NULL;
	cl_event event;
	cl_mem buffer;
	cl_uint before = count_of(empty), after;
	cl_int rc;

	queue = real->clCreateCommandQueue(empty, device, 0, &rc);
	held[OWN_QUEUE] = (after = count_of(empty)) - before;
	before = after;
	buffer = real->clCreateBuffer(empty, CL_MEM_READ_WRITE, 256, NULL, &rc);
	held[OWN_BUFFER] = (after = count_of(empty)) - before;
	before = after;
	program = real->clCreateProgramWithSource(empty, 1, &text, NULL, &rc);
	held[OWN_PROGRAM] = (after = count_of(empty)) - before;
	before = after;
	if (program && real->clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS)
		kernel = real->clCreateKernel(program, "warpline_held", &rc);
	held[OWN_KERNEL] = (after = count_of(empty)) - before;
	before = after;
	event = real->clCreateUserEvent(empty, &rc);
	held[OWN_EVENT] = count_of(empty) - before;
	if (event)
		real->clReleaseEvent(event);
	if (kernel)
		real->clReleaseKernel(kernel);
	if (program)
		real->clReleaseProgram(program);
	if (buffer)
		real->clReleaseMemObject(buffer);
	if (queue)
		real->clReleaseCommandQueue(queue);
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
	const struct opencl_real *real = opencl_real();
	cl_device_id device = device_of(context);
	cl_context empty;
	cl_int rc;

	memset(held, 0, OWN_SORTS * sizeof(*held));
	empty = device ? real->clCreateContext(NULL, 1, &device, NULL, NULL, &rc) : NULL;
	if (!empty)
		return false;
	measure(empty, device, held);
	real->clReleaseContext(empty);
	return true;
}

/* The references that one of each sort holds, found out if need be. */
static bool learn(struct session *s, cl_context context)
{
	struct context_state *state;
	cl_uint held[OWN_SORTS];
	bool is_known;

	session_lock(s);
	state = handle_map_get(&s->contexts, context);
	is_known = !state || state->own.is_known;
	session_unlock(s);
	if (is_known || !find_out(context, held))
		return is_known;
	session_lock(s);
	state = handle_map_get(&s->contexts, context);
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
	state = handle_map_get(&s->contexts, context);
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
	pthread_mutex_lock(&s->own_lock);
	count = count_of(context);
	holds = holds_of(s, context);
	pthread_mutex_unlock(&s->own_lock);
	return count - (holds < count ? holds : 0);
}

cl_event own_objects_create_event(cl_context context)
{
	struct session *s = session_current();
	cl_event event;
	cl_int rc;

	if (s)
		pthread_mutex_lock(&s->own_lock);
	event = opencl_real()->clCreateUserEvent(context, &rc);
	if (event)
		own_objects_change(context, OWN_EVENT, 1);
	if (s)
		pthread_mutex_unlock(&s->own_lock);
	return event;
}

void own_objects_release_event(cl_context context, cl_event event)
{
	struct session *s = session_current();

	if (s)
		pthread_mutex_lock(&s->own_lock);
	opencl_real()->clReleaseEvent(event);
	own_objects_change(context, OWN_EVENT, -1);
	if (s)
		pthread_mutex_unlock(&s->own_lock);
}
