/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "memory_state.h"
#include "opencl.h"
#include "recorder.h"
#include "session.h"

#include <stdlib.h>

/* Give a new buffer its number and its entry; on failure it is simply not known. */
static void remember(struct session *s, cl_mem mem, const struct recorded_buffer *buffer)
{
	struct memory_state *state = calloc(1, sizeof(*state));
	void *old = NULL;

	if (!state)
		return;
	*state = (struct memory_state){ .app_refs = 1, .bytes = buffer->bytes };
	if (!recorder_buffer(s->recorder, buffer, &state->buffer_id)) {
		free(state);
		return;
	}
	session_lock(s);
	if (handle_map_put(&s->memory, mem, state, &old, NULL) < 0)
		old = state;
	session_unlock(s);
	free(old);
}

cl_mem CL_API_CALL hook_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                       void *host_ptr, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_mem mem = opencl_real()->clCreateBuffer(context, flags, size, host_ptr, errcode_ret);

	if (s && mem)
		remember(s, mem,
		         &(struct recorded_buffer){ .bytes = size, .flags = flags, .parent = -1 });
	return mem;
}

cl_mem CL_API_CALL hook_clCreateBufferWithProperties(cl_context context,
                                                     const cl_mem_properties *properties,
                                                     cl_mem_flags flags, size_t size,
                                                     void *host_ptr, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_mem mem = opencl_real()->clCreateBufferWithProperties(context, properties, flags, size,
	                                                         host_ptr, errcode_ret);

	if (s && mem)
		remember(s, mem,
		         &(struct recorded_buffer){ .bytes = size, .flags = flags, .parent = -1 });
	return mem;
}

cl_mem CL_API_CALL hook_clCreateBufferWithPropertiesINTEL(cl_context context,
                                                          const cl_mem_properties_intel *properties,
                                                          cl_mem_flags flags, size_t size,
                                                          void *host_ptr, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_mem mem = opencl_ext_of(context)->clCreateBufferWithPropertiesINTEL(
		context, properties, flags, size, host_ptr, errcode_ret);

	if (s && mem)
		remember(s, mem,
		         &(struct recorded_buffer){ .bytes = size, .flags = flags, .parent = -1 });
	return mem;
}

cl_mem CL_API_CALL hook_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                          cl_buffer_create_type buffer_create_type,
                                          const void *buffer_create_info, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_mem mem = opencl_real()->clCreateSubBuffer(buffer, flags, buffer_create_type,
	                                              buffer_create_info, errcode_ret);
	struct recorded_buffer part = { .flags = flags, .parent = -1 };
	const cl_buffer_region *region = buffer_create_info;
	const struct memory_state *parent;

	if (!s || !mem || buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION)
		return mem;
	part.bytes = region->size;
	part.origin_bytes = region->origin;
	session_lock(s);
	parent = handle_map_get(&s->memory, buffer);
	if (parent)
		part.parent = parent->buffer_id;
	session_unlock(s);
	remember(s, mem, &part);
	return mem;
}

bool memory_state_hold(struct session *s, cl_mem mem, uint32_t *buffer_id)
{
	struct memory_state *state;

	session_lock(s);
	state = handle_map_get(&s->memory, mem);
	if (state) {
		state->app_refs++;
		*buffer_id = state->buffer_id;
	}
	session_unlock(s);
	return state;
}

void memory_state_let_go(struct session *s, cl_mem mem, uint32_t buffer_id)
{
	struct memory_state *state, *last = NULL;

	session_lock(s);
	state = handle_map_get(&s->memory, mem);
	if (state && state->buffer_id == buffer_id && --state->app_refs == 0)
		last = handle_map_remove(&s->memory, mem);
	session_unlock(s);
	free(last);
}

cl_int CL_API_CALL hook_clRetainMemObject(cl_mem memobj)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainMemObject(memobj);
	struct memory_state *state;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	state = handle_map_get(&s->memory, memobj);
	if (state)
		state->app_refs++;
	session_unlock(s);
	return rc;
}

cl_int CL_API_CALL hook_clReleaseMemObject(cl_mem memobj)
{
	struct session *s = session_current();
	struct memory_state *state, *last = NULL;

	/* Forget first: once released, the handle may be another thread's new buffer. */
	if (s) {
		session_lock(s);
		state = handle_map_get(&s->memory, memobj);
		if (state && --state->app_refs == 0)
			last = handle_map_remove(&s->memory, memobj);
		session_unlock(s);
		free(last);
	}
	return opencl_real()->clReleaseMemObject(memobj);
}
