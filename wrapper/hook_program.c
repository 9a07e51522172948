/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "opencl.h"
#include "program_build.h"
#include "program_state.h"
#include "recorder.h"
#include "session.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

void program_state_free(void *program_state)
{
	struct program_state *state = program_state;

	if (!state)
		return;
	program_build_release(state->build);
	free(state->text);
	free(state->options);
	free(state);
}

/* Begin to know a program; takes `text`. */
static void remember(struct session *s, cl_program program, const char *origin, char *text,
                     size_t length)
{
	struct program_state *state = calloc(1, sizeof(*state));
	void *old = NULL;

	if (!state) {
		free(text);
		return;
	}
	*state = (struct program_state){
		.handle = program, .app_refs = 1, .origin = origin, .text = text, .length = length
	};
	session_lock(s);
	if (handle_map_put(&s->programs, program, state, &old, NULL) < 0)
		old = state;
	session_unlock(s);
	program_state_free(old);
}

/* The program's strings as one text; a length of 0 means up to the NUL. NULL: out of memory. */
static char *join(cl_uint count, const char **strings, const size_t *lengths, size_t *length)
{
	struct str text;

	str_init(&text, SIZE_MAX / 4);
	for (cl_uint i = 0; i < count; i++) {
		size_t part = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);

		if (str_append(&text, strings[i], part, NULL) < 0) {
			str_release(&text);
			return NULL;
		}
	}
	*length = text.length;
	return text.text ? str_take(&text) : str_copy("", NULL);
}

cl_program CL_API_CALL hook_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                      const char **strings, const size_t *lengths,
                                                      cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clCreateProgramWithSource(context, count, strings,
	                                                              lengths, errcode_ret);
	size_t length = 0;
	char *text;

	if (!s || !program)
		return program;
	text = join(count, strings, lengths, &length);
	remember(s, program, "source", text, length);
	return program;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_program CL_API_CALL hook_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                      const cl_device_id *device_list,
                                                      const size_t *lengths,
                                                      const unsigned char **binaries,
                                                      cl_int *binary_status, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clCreateProgramWithBinary(
		context, num_devices, device_list, lengths, binaries, binary_status, errcode_ret);

	if (s && program)
		remember(s, program, "binary", NULL, 0);
	return program;
}

cl_program CL_API_CALL hook_clCreateProgramWithBuiltInKernels(cl_context context,
                                                              cl_uint num_devices,
                                                              const cl_device_id *device_list,
                                                              const char *kernel_names,
                                                              cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clCreateProgramWithBuiltInKernels(
		context, num_devices, device_list, kernel_names, errcode_ret);

	if (s && program)
		remember(s, program, "builtin", NULL, 0);
	return program;
}

cl_program CL_API_CALL hook_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                                  cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clCreateProgramWithIL(context, il, length, errcode_ret);

	if (s && program)
		remember(s, program, "il", NULL, 0);
	return program;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_program CL_API_CALL hook_clLinkProgram(
	cl_context context, cl_uint num_devices, const cl_device_id *device_list,
	const char *options, cl_uint num_input_programs, const cl_program *input_programs,
	void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
	cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clLinkProgram(
		context, num_devices, device_list, options, num_input_programs, input_programs,
		pfn_notify, user_data, errcode_ret);

	if (s && program)
		remember(s, program, "linked", NULL, 0);
	return program;
}

cl_int CL_API_CALL hook_clBuildProgram(cl_program program, cl_uint num_devices,
                                       const cl_device_id *device_list, const char *options,
                                       void(CL_CALLBACK *pfn_notify)(cl_program program,
                                                                     void *user_data),
                                       void *user_data)
{
	struct session *s = session_current();
	struct program_build *old = NULL;
	struct program_state *state;
	char *copy;

	/* Before the build: its callback may create kernels. A build that fails leaves no kernels.
	 */
	copy = s ? str_copy(options ? options : "", NULL) : NULL;
	if (copy) {
		session_lock(s);
		state = handle_map_get(&s->programs, program);
		if (state) {
			char *before = state->options;

			state->options = copy;
			copy = before;
			old = state->build;
			state->build = NULL;
		}
		session_unlock(s);
		free(copy);
		program_build_release(old);
	}
	return opencl_real()->clBuildProgram(program, num_devices, device_list, options, pfn_notify,
	                                     user_data);
}

cl_int CL_API_CALL hook_clRetainProgram(cl_program program)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainProgram(program);
	struct program_state *state;

	if (!s || rc != CL_SUCCESS)
		return rc;
	session_lock(s);
	state = handle_map_get(&s->programs, program);
	if (state)
		state->app_refs++;
	session_unlock(s);
	return rc;
}

/* Drop one reference of either sort; the state goes with the last of both. */
static void drop(struct session *s, cl_program program, uint32_t app_refs, uint32_t kernel_refs)
{
	struct program_state *state, *last = NULL;

	session_lock(s);
	state = handle_map_get(&s->programs, program);
	if (state) {
		state->app_refs -= state->app_refs ? app_refs : 0;
		state->kernel_refs -= state->kernel_refs ? kernel_refs : 0;
		if (!state->app_refs && !state->kernel_refs)
			last = handle_map_remove(&s->programs, program);
	}
	session_unlock(s);
	program_state_free(last);
}

cl_int CL_API_CALL hook_clReleaseProgram(cl_program program)
{
	struct session *s = session_current();

	if (s)
		drop(s, program, 1, 0);
	return opencl_real()->clReleaseProgram(program);
}

void program_state_drop_kernel(struct session *s, cl_program handle)
{
	drop(s, handle, 0, 1);
}

struct program_build *program_state_build(struct session *s, cl_program handle)
{
	struct program_build *build = NULL;
	struct program_state *state;

	session_lock(s);
	state = handle_map_get(&s->programs, handle);
	if (state && !state->build)
		state->build = program_build_create(state);
	if (state && state->build) {
		build = program_build_retain(state->build);
		state->kernel_refs++;
	}
	session_unlock(s);
	if (build)
		program_build_make(build, s, handle);
	return build;
}
