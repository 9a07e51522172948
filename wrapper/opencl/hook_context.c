/* SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"
#include "hook_device.h"
#include "opencl.h"
#include "opencl_session.h"

#include <stdlib.h>

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

static void remember(struct session *s, cl_context context)
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
		remember(s, context);
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

	/* POCL gives a half-made context together with the code, and cannot release it. */
	if (hook_device_takes_any(code, device_type))
		context = real->clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, pfn_notify,
		                                        user_data, &code);
	if (errcode_ret)
		*errcode_ret = code;
	s = context && code == CL_SUCCESS ? session_begin(&opencl_part) : NULL;
	if (s)
		remember(s, context);
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

	/* Our objects hold the context too: they go with the application's last hold. */
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
