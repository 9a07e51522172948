/* SPDX-License-Identifier: Apache-2.0 */
#include "sub_device.h"

#include "array.h"
#include "shadow_program.h"

#include <stdlib.h>

#define MOST_CUTS 16 /* of a part of a part of a device */

static cl_device_id parent_of(cl_device_id device)
{
	cl_device_id parent = NULL;
	size_t bytes = 0;
	cl_int rc = opencl_real()->clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof(parent),
	                                           (void *)&parent, &bytes);

	return rc == CL_SUCCESS && bytes == sizeof(parent) ? parent : NULL;
}

static bool is_part(cl_device_id part, cl_device_id whole)
{
	for (int cuts = 0; part && part != whole && cuts < MOST_CUTS; cuts++)
		part = parent_of(part);
	return part == whole;
}

bool sub_device_is_related(cl_device_id a, cl_device_id b)
{
	return a == b || (a && b && (is_part(a, b) || is_part(b, a)));
}

static cl_device_id pick(const cl_device_id *devices, size_t count, cl_device_id device)
{
	for (size_t i = 0; i < count; i++)
		if (devices[i] == device)
			return device;
	for (size_t i = 0; i < count; i++)
		if (sub_device_is_related(devices[i], device))
			return devices[i];
	return device;
}

cl_device_id sub_device_of_program(cl_program program, cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	cl_device_id *devices = NULL;
	size_t bytes = 0;

	if (real->clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &bytes) == CL_SUCCESS)
		devices = array_alloc(bytes / sizeof(*devices), sizeof(*devices), "devices", NULL);
	if (devices &&
	    real->clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes, devices, NULL) == CL_SUCCESS)
		device = pick(devices, bytes / sizeof(*devices), device);
	free(devices);
	return device;
}

cl_device_id sub_device_built(const struct shadow_program *shadows, size_t count,
                              cl_device_id device)
{
	for (size_t i = 0; i < count; i++)
		if (shadows[i].device == device)
			return device;
	for (size_t i = 0; i < count; i++)
		if (sub_device_is_related(shadows[i].device, device))
			return shadows[i].device;
	return device;
}
