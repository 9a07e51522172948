/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_state.h"

#include "array.h"
#include "opencl.h"
#include "opencl_session.h"
#include "program_build.h"
#include "program_state.h"
#include "recorder.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

struct kernel_state *kernel_state_create(struct program_state *owner, struct program_build *build,
                                         const char *name, cl_uint count)
{
	struct kernel_state *k = calloc(1, sizeof(*k));

	if (k) {
		k->app_refs = 1;
		k->owner = owner;
		k->value_count = count;
		k->name = str_copy(name, NULL);
		k->values = array_alloc(count, sizeof(*k->values), "kernel arguments", NULL);
	}
	if (!k || !k->name || !k->values) {
		kernel_state_free(k);
		return NULL;
	}
	k->build = build;
	return k;
}

void kernel_state_free(void *kernel_state)
{
	struct kernel_state *k = kernel_state;

	if (!k)
		return;
	program_build_release(k->build);
	kernel_values_free(k->values, k->value_count);
	kernel_facts_release(k->facts);
	free(k->name);
	free(k);
}

/*
 * Keep the value of an argument, as clSetKernelArg() takes it. False when it is not an argument
 * of the kernel or memory ran out; the argument then counts as not set.
 */
static bool kernel_state_set(struct kernel_state *k, cl_uint index, size_t bytes, const void *data,
                             enum pointer_call pointer)
{
	struct kernel_value *value;

	if (index >= k->value_count)
		return false;
	value = &k->values[index];
	if (data && (!value->data || value->bytes != bytes)) {
		free(value->data);
		value->data = malloc(bytes ? bytes : 1);
	} else if (!data) {
		free(value->data);
		value->data = NULL;
	}
	value->bytes = bytes;
	value->pointer = pointer;
	value->is_set = !data || value->data;
	if (value->data)
		memcpy(value->data, data, bytes);
	return value->is_set;
}

void *kernel_value_handle(const struct kernel_value *value)
{
	void *handle = NULL;

	if (value->data && value->bytes == sizeof(handle))
		memcpy(&handle, value->data, sizeof(handle));
	return handle;
}

/* Replace a fact by a copy of another. */
static bool set_fact(struct kernel_fact *to, cl_kernel_exec_info name, size_t bytes,
                     const void *data)
{
	unsigned char *copy = malloc(bytes ? bytes : 1);

	if (!copy)
		return false;
	if (bytes)
		memcpy(copy, data, bytes);
	free(to->data);
	*to = (struct kernel_fact){ name, bytes, copy };
	return true;
}

/* Keep the arguments of clSetKernelExecInfo(). Sets has_lost_facts if there are too many names or
 * no memory. */
static void kernel_state_set_fact(struct kernel_state *k, cl_kernel_exec_info name, size_t bytes,
                                  const void *data)
{
	size_t i = 0;

	while (i < KERNEL_FACTS && k->facts[i].data && k->facts[i].name != name)
		i++;
	if (i == KERNEL_FACTS || !set_fact(&k->facts[i], name, bytes, data))
		k->has_lost_facts = true;
}

bool kernel_facts_copy(struct kernel_fact *to, const struct kernel_fact *from)
{
	for (size_t i = 0; i < KERNEL_FACTS; i++)
		if (from[i].data && !set_fact(&to[i], from[i].name, from[i].bytes, from[i].data))
			return false;
	return true;
}

void kernel_facts_release(struct kernel_fact *facts)
{
	for (size_t i = 0; i < KERNEL_FACTS; i++)
		free(facts[i].data);
}

bool kernel_values_copy(struct kernel_value *to, const struct kernel_value *from, cl_uint count)
{
	for (cl_uint i = 0; i < count; i++) {
		unsigned char *data = NULL;

		if (from[i].data) {
			data = malloc(from[i].bytes ? from[i].bytes : 1);
			if (!data)
				return false;
			memcpy(data, from[i].data, from[i].bytes);
		}
		free(to[i].data);
		to[i] = from[i];
		to[i].data = data;
	}
	return true;
}

void kernel_values_free(struct kernel_value *values, cl_uint count)
{
	for (cl_uint i = 0; values && i < count; i++)
		free(values[i].data);
	free(values);
}

/* Remove a kernel from the map at its last release, or a stale one when its handle is reused. */
static void forget(struct session *s, struct kernel_state *k)
{
	if (!k)
		return;
	opencl_session_retire_handle(s);
	program_state_drop_kernel(s, k->owner);
	kernel_state_free(k);
}

/* Ask the driver for the kernel's name, on the heap, its program and its number of arguments. */
static char *ask(cl_kernel kernel, cl_program *program, cl_uint *count)
{
	const struct opencl_real *real = opencl_real();
	size_t bytes = 0;
	char *name;

	if (real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &bytes) ||
	    real->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(*count), count, NULL) ||
	    real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(*program), (void *)program,
	                          NULL))
		return NULL;
	name = array_alloc(bytes + 1, 1, "kernel name", NULL);
	if (name && real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, bytes, name, NULL)) {
		free(name);
		name = NULL;
	}
	return name;
}

/* Add a new kernel to the map, with the values of `like` if it is a clone. */
static void remember(struct session *s, cl_kernel kernel, cl_kernel like)
{
	struct kernel_state *state = NULL, *original;
	struct program_state *owner = NULL;
	struct program_build *build;
	cl_program program = NULL;
	cl_uint count = 0;
	void *old = NULL;
	char *name = ask(kernel, &program, &count);

	if (!name)
		return;
	build = program_state_build(s, program, &owner);
	if (build)
		state = kernel_state_create(owner, build, name, count);
	free(name);
	if (!state) {
		if (build)
			program_state_drop_kernel(s, owner);
		program_build_release(build);
		return;
	}
	session_lock(s);
	original = handle_map_get(&opencl_session(s)->kernels, like);
	if (original && original->value_count == count) {
		state->has_lost_facts = original->has_lost_facts ||
		                        !kernel_facts_copy(state->facts, original->facts);
		(void)kernel_values_copy(state->values, original->values, count);
	}
	if (handle_map_put(&opencl_session(s)->kernels, kernel, state, &old, NULL) < 0)
		old = state;
	session_unlock(s);
	forget(s, old);
}

cl_kernel CL_API_CALL hook_clCreateKernel(cl_program program, const char *kernel_name,
                                          cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_kernel kernel = opencl_real()->clCreateKernel(program, kernel_name, errcode_ret);

	if (s && kernel)
		remember(s, kernel, NULL);
	return kernel;
}

cl_int CL_API_CALL hook_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                                 cl_kernel *kernels, cl_uint *num_kernels_ret)
{
	struct session *s = session_current();
	cl_uint count = 0;
	cl_int rc = opencl_real()->clCreateKernelsInProgram(program, num_kernels, kernels, &count);

	if (rc == CL_SUCCESS && num_kernels_ret)
		*num_kernels_ret = count;
	if (!s || rc != CL_SUCCESS || !kernels)
		return rc;
	for (cl_uint i = 0; i < count && i < num_kernels; i++)
		remember(s, kernels[i], NULL);
	return rc;
}

cl_kernel CL_API_CALL hook_clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_kernel kernel = opencl_real()->clCloneKernel(source_kernel, errcode_ret);

	if (s && kernel)
		remember(s, kernel, source_kernel);
	return kernel;
}

bool kernel_state_retain(struct session *s, cl_kernel kernel)
{
	struct kernel_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->kernels, kernel);
	if (state)
		state->app_refs++;
	session_unlock(s);
	return state;
}

void kernel_state_release(struct session *s, cl_kernel kernel)
{
	struct kernel_state *state, *last = NULL;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->kernels, kernel);
	if (state && --state->app_refs == 0)
		last = handle_map_remove(&opencl_session(s)->kernels, kernel);
	session_unlock(s);
	forget(s, last);
}

cl_int CL_API_CALL hook_clRetainKernel(cl_kernel kernel)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainKernel(kernel);

	if (s && rc == CL_SUCCESS)
		(void)kernel_state_retain(s, kernel);
	return rc;
}

cl_int CL_API_CALL hook_clReleaseKernel(cl_kernel kernel)
{
	struct session *s = session_current();

	if (s)
		kernel_state_release(s, kernel);
	return opencl_real()->clReleaseKernel(kernel);
}

/* Keep a value that the driver has accepted. */
static void keep(struct session *s, cl_kernel kernel, cl_uint index, size_t bytes, const void *data,
                 enum pointer_call pointer)
{
	struct kernel_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->kernels, kernel);
	if (state)
		(void)kernel_state_set(state, index, bytes, data, pointer);
	session_unlock(s);
}

cl_int CL_API_CALL hook_clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                       const void *arg_value)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clSetKernelArg(kernel, arg_index, arg_size, arg_value);

	if (s && rc == CL_SUCCESS)
		keep(s, kernel, arg_index, arg_size, arg_value, POINTER_BY_NONE);
	return rc;
}

cl_int CL_API_CALL hook_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                                 const void *arg_value)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clSetKernelArgSVMPointer(kernel, arg_index, arg_value);

	if (s && rc == CL_SUCCESS)
		keep(s, kernel, arg_index, sizeof(arg_value), (const void *)&arg_value,
		     POINTER_BY_SVM);
	return rc;
}

cl_int CL_API_CALL hook_clSetKernelArgSVMPointerARM(cl_kernel kernel, cl_uint arg_index,
                                                    const void *arg_value)
{
	struct session *s = session_current();
	cl_int rc =
		opencl_ext_of(kernel)->clSetKernelArgSVMPointerARM(kernel, arg_index, arg_value);

	if (s && rc == CL_SUCCESS)
		keep(s, kernel, arg_index, sizeof(arg_value), (const void *)&arg_value,
		     POINTER_BY_ARM);
	return rc;
}

cl_int CL_API_CALL hook_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                      const void *arg_value)
{
	struct session *s = session_current();
	cl_int rc =
		opencl_ext_of(kernel)->clSetKernelArgMemPointerINTEL(kernel, arg_index, arg_value);

	if (s && rc == CL_SUCCESS)
		keep(s, kernel, arg_index, sizeof(arg_value), (const void *)&arg_value,
		     POINTER_BY_USM);
	return rc;
}

/* Keep a fact that the driver has accepted. */
static void keep_fact(cl_kernel kernel, cl_kernel_exec_info name, size_t bytes, const void *data)
{
	struct session *s = session_current();
	struct kernel_state *state;

	if (!s)
		return;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->kernels, kernel);
	if (state)
		kernel_state_set_fact(state, name, bytes, data);
	session_unlock(s);
}

cl_int CL_API_CALL hook_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                            size_t param_value_size, const void *param_value)
{
	cl_int rc = opencl_real()->clSetKernelExecInfo(kernel, param_name, param_value_size,
	                                               param_value);

	if (rc == CL_SUCCESS)
		keep_fact(kernel, param_name, param_value_size, param_value);
	return rc;
}

cl_int CL_API_CALL hook_clSetKernelExecInfoARM(cl_kernel kernel, cl_kernel_exec_info_arm param_name,
                                               size_t param_value_size, const void *param_value)
{
	cl_int rc = opencl_ext_of(kernel)->clSetKernelExecInfoARM(kernel, param_name,
	                                                          param_value_size, param_value);

	if (rc == CL_SUCCESS)
		keep_fact(kernel, param_name, param_value_size, param_value);
	return rc;
}

struct program_build *kernel_state_build(struct session *s, cl_kernel kernel, char **name)
{
	struct program_build *build = NULL;
	const struct kernel_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->kernels, kernel);
	*name = state ? str_copy(state->name, NULL) : NULL;
	if (*name)
		build = program_build_retain(state->build);
	session_unlock(s);
	return build;
}

/* Returns `device` or, if that is NULL, the only device of the program. */
static cl_device_id device_of(cl_kernel kernel, cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	cl_program program = NULL;
	cl_device_id only;
	size_t bytes = 0;

	if (device ||
	    real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), (void *)&program,
	                          NULL) != CL_SUCCESS ||
	    real->clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &bytes) != CL_SUCCESS ||
	    bytes != sizeof(only) ||
	    real->clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes, (void *)&only, NULL) !=
	            CL_SUCCESS)
		return device;
	return only;
}

/* Groups of a size that only the original takes could not be recorded. */
static void lower(struct session *s, cl_kernel kernel, cl_device_id device, size_t *most_items)
{
	char *name = NULL;
	struct program_build *build = kernel_state_build(s, kernel, &name);
	size_t most;

	if (!build)
		return;
	most = program_build_most_items(build, s, name, device_of(kernel, device));
	if (most && most < *most_items)
		*most_items = most;
	free(name);
	program_build_release(build);
}

cl_int CL_API_CALL hook_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                 cl_kernel_work_group_info param_name,
                                                 size_t param_value_size, void *param_value,
                                                 size_t *param_value_size_ret)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clGetKernelWorkGroupInfo(
		kernel, device, param_name, param_value_size, param_value, param_value_size_ret);

	if (s && rc == CL_SUCCESS && param_name == CL_KERNEL_WORK_GROUP_SIZE && param_value)
		lower(s, kernel, device, param_value);
	return rc;
}
