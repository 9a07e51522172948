/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about programs and kernels: the driver's answers, but for the size of work-groups. */
#include "array.h"
#include "binary_store.h"
#include "kernel_state.h"
#include "opencl.h"
#include "opencl_session.h"
#include "program_build.h"
#include "program_code.h"
#include "program_state.h"
#include "str.h"

#include <stdlib.h>

/* An answer that is a list, freed by the caller; NULL when there is none. */
static void *ask(cl_program program, cl_program_info name, size_t item_bytes, size_t *count)
{
	const struct opencl_real *real = opencl_real();
	size_t bytes = 0;
	void *list = NULL;

	if (real->clGetProgramInfo(program, name, 0, NULL, &bytes) == CL_SUCCESS)
		list = array_alloc(bytes / item_bytes, item_bytes, "program", NULL);
	if (list && real->clGetProgramInfo(program, name, bytes, list, NULL) != CL_SUCCESS) {
		free(list);
		list = NULL;
	}
	*count = list ? bytes / item_bytes : 0;
	return list;
}

/* Remember of what the binaries are made that the application was given. */
static void keep_binaries(struct session *s, cl_program program, unsigned char *const *binaries,
                          size_t binary_count)
{
	size_t size_count, device_count;
	size_t *sizes = ask(program, CL_PROGRAM_BINARY_SIZES, sizeof(*sizes), &size_count);
	cl_device_id *devices =
		ask(program, CL_PROGRAM_DEVICES, sizeof(cl_device_id), &device_count);
	struct device_codes codes;

	if (program_state_copy_codes(s, program, CODES_PRESENT, &codes))
		for (size_t i = 0; i < binary_count && i < size_count && i < device_count; i++) {
			const struct program_code *code = device_codes_find(&codes, devices[i]);

			if (code && binaries[i] && sizes[i])
				binary_store_keep(s, binaries[i], sizes[i], code);
		}
	device_codes_release(&codes);
	free(sizes);
	free(devices);
}

cl_int CL_API_CALL hook_clGetProgramInfo(cl_program program, cl_program_info param_name,
                                         size_t param_value_size, void *param_value,
                                         size_t *param_value_size_ret)
{
	struct session *s = session_current();
	size_t bytes = 0;
	cl_int rc = opencl_real()->clGetProgramInfo(program, param_name, param_value_size,
	                                            param_value, &bytes);

	if (param_value_size_ret && rc == CL_SUCCESS)
		*param_value_size_ret = bytes;
	if (s && rc == CL_SUCCESS && param_name == CL_PROGRAM_BINARIES && param_value)
		keep_binaries(s, program, param_value, bytes / sizeof(unsigned char *));
	return rc;
}

/* The build and the name of a kernel, for the caller to give back. NULL: not known. */
static struct program_build *find_build(struct session *s, cl_kernel kernel, char **name)
{
	struct program_build *build = NULL;
	struct kernel_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->kernels, kernel);
	*name = state ? str_copy(state->name, NULL) : NULL;
	if (*name)
		build = program_build_retain(state->build);
	session_unlock(s);
	return build;
}

/* The device that the question is about: where none is given, the only one. */
static cl_device_id device_of(cl_kernel kernel, cl_device_id device)
{
	cl_program program = NULL;
	cl_device_id *devices;
	size_t count = 0;

	if (device || opencl_real()->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program),
	                                             (void *)&program, NULL) != CL_SUCCESS)
		return device;
	devices = ask(program, CL_PROGRAM_DEVICES, sizeof(cl_device_id), &count);
	if (count == 1)
		device = devices[0];
	free(devices);
	return device;
}

/* Groups that only the original takes would be lost to the recording. */
static void lower(struct session *s, cl_kernel kernel, cl_device_id device, size_t *most_items)
{
	char *name = NULL;
	struct program_build *build = find_build(s, kernel, &name);
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
