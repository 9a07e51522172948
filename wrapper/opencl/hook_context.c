/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "engine.h"
#include "opencl.h"
#include "opencl_session.h"
#include "recorder_settings.h"
#include "recording_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	cl_device_type type;
	const char *name;
} types[] = {
	{ CL_DEVICE_TYPE_CPU, "CPU" },
	{ CL_DEVICE_TYPE_GPU, "GPU" },
	{ CL_DEVICE_TYPE_ACCELERATOR, "ACCELERATOR" },
};

enum { TYPE_COUNT = sizeof(types) / sizeof(types[0]) };

/* The names of the types, separated by "|"; "" if the table has none of them. */
static void name_types(cl_device_type type, char *text, size_t bytes)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < TYPE_COUNT; i++) {
		if (!(type & types[i].type) || used >= bytes)
			continue;
		snprintf(text + used, bytes - used, "%s%s", used ? "|" : "", types[i].name);
		used = strlen(text);
	}
}

/* Whether any platform has a device of this type. */
static bool is_anywhere(cl_device_type type)
{
	const struct opencl_real *real = opencl_real();
	cl_platform_id *platforms = NULL;
	cl_uint count = 0, devices = 0;
	bool is_found = false;

	if (real->clGetPlatformIDs(0, NULL, &count) == CL_SUCCESS)
		platforms = array_alloc(count, sizeof(*platforms), "platforms", NULL);
	if (platforms && real->clGetPlatformIDs(count, platforms, NULL) != CL_SUCCESS)
		count = 0;
	for (cl_uint i = 0; platforms && i < count && !is_found; i++)
		is_found =
			real->clGetDeviceIDs(platforms[i], type, 0, NULL, &devices) == CL_SUCCESS &&
			devices;
	free(platforms);
	return is_found;
}

/*
 * Whether to repeat a call that asked for devices of `type` and got `code` for all types. If not,
 * and no platform has such a device, this is reported to `warpline record`.
 */
static bool hook_device_takes_any(cl_int code, cl_device_type type)
{
	char names[32];

	if (code != CL_DEVICE_NOT_FOUND)
		return false;
	name_types(type, names, sizeof(names));
	if (!*names || is_anywhere(type))
		return false;
	if (recorder_settings_has_flag("WARPLINE_ANY_DEVICE"))
		return true;
	seen_list_add(getenv("WARPLINE_SEEN"), SEEN_NO_DEVICE, names);
	return false;
}

cl_int CL_API_CALL hook_clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                       cl_uint num_entries, cl_device_id *devices,
                                       cl_uint *num_devices)
{
	const struct opencl_real *real = opencl_real();
	cl_int rc = real->clGetDeviceIDs(platform, device_type, num_entries, devices, num_devices);

	if (!hook_device_takes_any(rc, device_type))
		return rc;
	return real->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, num_entries, devices,
	                            num_devices);
}

void context_state_free(void *context_state)
{
	struct context_state *state = context_state;

	while (state && state->engines) {
		struct engine *e = state->engines;

		state->engines = e->next;
		engine_release(e);
	}
	free(state);
}

struct context_state *context_state_take_unused(struct session *s, cl_context context)
{
	const struct context_state *state = handle_map_get(&opencl_session(s)->contexts, context);

	if (!state || state->app_refs || state->queue_count)
		return NULL;
	return handle_map_remove(&opencl_session(s)->contexts, context);
}

static void remember_context(struct session *s, cl_context context)
{
	struct context_state *state = calloc(1, sizeof(*state));
	void *old = NULL;

	if (!state)
		return;
	state->app_refs = 1;
	session_lock(s);
	if (handle_map_put(&opencl_session(s)->contexts, context, state, &old, NULL) < 0)
		old = state;
	session_unlock(s);
	context_state_free(old);
}

cl_context CL_API_CALL hook_clCreateContext(
	const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
	void(CL_CALLBACK *pfn_notify)(const char *errinfo, const void *private_info, size_t cb,
                                      void *user_data),
	void *user_data, cl_int *errcode_ret)
{
	cl_context context = opencl_real()->clCreateContext(properties, num_devices, devices,
	                                                    pfn_notify, user_data, errcode_ret);
	struct session *s = context ? session_begin(&opencl_part) : NULL;

	if (s)
		remember_context(s, context);
	return context;
}

cl_context CL_API_CALL hook_clCreateContextFromType(
	const cl_context_properties *properties, cl_device_type device_type,
	void(CL_CALLBACK *pfn_notify)(const char *errinfo, const void *private_info, size_t cb,
                                      void *user_data),
	void *user_data, cl_int *errcode_ret)
{
	const struct opencl_real *real = opencl_real();
	cl_int code = CL_SUCCESS;
	cl_context context = real->clCreateContextFromType(properties, device_type, pfn_notify,
	                                                   user_data, &code);
	struct session *s;

	/* POCL returns a half-made context together with the code, and cannot release it. */
	if (hook_device_takes_any(code, device_type))
		context = real->clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, pfn_notify,
		                                        user_data, &code);
	if (errcode_ret)
		*errcode_ret = code;
	s = context && code == CL_SUCCESS ? session_begin(&opencl_part) : NULL;
	if (s)
		remember_context(s, context);
	return context;
}

cl_int CL_API_CALL hook_clRetainContext(cl_context context)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainContext(context);
	struct context_state *state;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->contexts, context);
	if (state)
		state->app_refs++;
	session_unlock(s);
	return rc;
}

cl_int CL_API_CALL hook_clReleaseContext(cl_context context)
{
	struct session *s = session_current();
	struct context_state *state, *last = NULL;

	/* Our objects retain the context too: they are released with the application's last
	 * reference. */
	if (s) {
		session_lock(s);
		state = handle_map_get(&opencl_session(s)->contexts, context);
		if (state && state->app_refs)
			state->app_refs--;
		last = context_state_take_unused(s, context);
		session_unlock(s);
		context_state_free(last);
	}
	return opencl_real()->clReleaseContext(context);
}

cl_int CL_API_CALL hook_clGetContextInfo(cl_context context, cl_context_info param_name,
                                         size_t param_value_size, void *param_value,
                                         size_t *param_value_size_ret)
{
	cl_int rc = opencl_real()->clGetContextInfo(context, param_name, param_value_size,
	                                            param_value, param_value_size_ret);
	cl_uint *count = param_value;

	if (rc == CL_SUCCESS && param_name == CL_CONTEXT_REFERENCE_COUNT && count)
		*count = own_objects_count(context, *count);
	return rc;
}

/*
 * The hooks of command queues. The state of a context is needed as long as the application has a
 * queue in it, even if it has released the context itself.
 */

/* Named by the session's map while the application holds the queue. */
struct queue_state {
	uint32_t app_refs; /* the application's own references */
	cl_context context;
};

/* The session's lock must be held. */
static void count_queue(struct session *s, cl_context context, int more)
{
	struct context_state *state = handle_map_get(&opencl_session(s)->contexts, context);

	if (state)
		state->queue_count += (uint32_t)more;
}

static void remember_queue(cl_command_queue queue, cl_context context)
{
	struct session *s = queue ? session_current() : NULL;
	struct queue_state *state = s ? calloc(1, sizeof(*state)) : NULL;
	void *old = NULL;

	if (!state)
		return;
	*state = (struct queue_state){ 1, context };
	session_lock(s);
	if (handle_map_put(&opencl_session(s)->queues, queue, state, &old, NULL) < 0) {
		old = state;
	} else {
		if (old)
			count_queue(s, ((struct queue_state *)old)->context, -1);
		count_queue(s, context, 1);
	}
	session_unlock(s);
	if (old)
		opencl_session_retire_handle(s);
	free(old);
}

cl_command_queue CL_API_CALL hook_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue_properties properties,
                                                       cl_int *errcode_ret)
{
	cl_command_queue queue =
		opencl_real()->clCreateCommandQueue(context, device, properties, errcode_ret);

	remember_queue(queue, context);
	return queue;
}

cl_command_queue CL_API_CALL
hook_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                        const cl_queue_properties *properties, cl_int *errcode_ret)
{
	cl_command_queue queue = opencl_real()->clCreateCommandQueueWithProperties(
		context, device, properties, errcode_ret);

	remember_queue(queue, context);
	return queue;
}

cl_command_queue CL_API_CALL hook_clCreateCommandQueueWithPropertiesKHR(
	cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
	cl_int *errcode_ret)
{
	cl_command_queue queue = opencl_ext_of(context)->clCreateCommandQueueWithPropertiesKHR(
		context, device, properties, errcode_ret);

	remember_queue(queue, context);
	return queue;
}

cl_int CL_API_CALL hook_clRetainCommandQueue(cl_command_queue command_queue)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainCommandQueue(command_queue);
	struct queue_state *state;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->queues, command_queue);
	if (state)
		state->app_refs++;
	session_unlock(s);
	return rc;
}

/* Forget a queue at its last release. Returns its context's state if that is to be freed, or NULL.
 */
static struct context_state *forget(struct session *s, cl_command_queue queue)
{
	struct queue_state *state, *last = NULL;
	struct context_state *unused = NULL;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->queues, queue);
	if (state && --state->app_refs == 0)
		last = handle_map_remove(&opencl_session(s)->queues, queue);
	if (last) {
		count_queue(s, last->context, -1);
		unused = context_state_take_unused(s, last->context);
	}
	if (last)
		opencl_session_retire_handle(s);
	session_unlock(s);
	free(last);
	return unused;
}

cl_int CL_API_CALL hook_clReleaseCommandQueue(cl_command_queue command_queue)
{
	struct session *s = session_current();

	if (s)
		context_state_free(forget(s, command_queue));
	return opencl_real()->clReleaseCommandQueue(command_queue);
}
