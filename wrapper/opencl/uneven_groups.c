/* SPDX-License-Identifier: Apache-2.0 */
#include "uneven_groups.h"

#include "array.h"
#include "device_info.h"

#include <stdlib.h>
#include <string.h>

bool uneven_groups_are_in(const struct launch_shape *shape)
{
	for (int d = 0; d < 3; d++)
		if (shape->global[d] % shape->local[d])
			return true;
	return false;
}

/* From OpenCL 3.0 on a device says; before that, those of 2.x take them. */
static bool device_takes(cl_device_id device)
{
	cl_bool is_so = CL_FALSE;
	char *version;
	bool is_2;

	if (opencl_real()->clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
	                                   sizeof(is_so), &is_so, NULL) == CL_SUCCESS)
		return is_so;
	version = device_info_text(device, CL_DEVICE_VERSION, NULL);
	is_2 = version && strncmp(version, "OpenCL 2.", strlen("OpenCL 2.")) == 0;
	free(version);
	return is_2;
}

/* The options of the kernel's program, on the heap, or NULL. */
static char *options_of(cl_kernel kernel, cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	cl_program program = NULL;
	size_t bytes = 0;
	char *options = NULL;

	if (real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), (void *)&program,
	                          NULL) ||
	    real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, 0, NULL, &bytes))
		return NULL;
	options = array_alloc(bytes + 1, 1, "build options", NULL);
	if (options && real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, bytes,
	                                           options, NULL)) {
		free(options);
		options = NULL;
	}
	return options;
}

bool uneven_groups_are_taken(cl_kernel kernel, cl_device_id device)
{
	char *options = device_takes(device) ? options_of(kernel, device) : NULL;
	const char *standard = options ? strstr(options, "-cl-std=CL") : NULL;
	bool is_new = standard && (standard[strlen("-cl-std=CL")] == '2' ||
	                           standard[strlen("-cl-std=CL")] == '3');

	if (is_new && strstr(options, "-cl-uniform-work-group-size"))
		is_new = false;
	free(options);
	return is_new;
}
