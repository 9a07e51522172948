/* SPDX-License-Identifier: Apache-2.0 */
#include "sub_device.h"

#include "shadow_program.h"

#include <stdbool.h>

#define MOST_CUTS 16 /* of a part of a part of a device */

static bool has(const struct shadow_program *shadows, size_t count, cl_device_id device)
{
	for (size_t i = 0; i < count; i++)
		if (shadows[i].device == device)
			return true;
	return false;
}

static cl_device_id parent_of(cl_device_id device)
{
	cl_device_id parent = NULL;
	size_t bytes = 0;
	cl_int rc = opencl_real()->clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof(parent),
	                                           (void *)&parent, &bytes);

	return rc == CL_SUCCESS && bytes == sizeof(parent) ? parent : NULL;
}

cl_device_id sub_device_built(const struct shadow_program *shadows, size_t count,
                              cl_device_id device)
{
	cl_device_id whole = device;

	for (int cuts = 0; whole && cuts < MOST_CUTS; cuts++) {
		if (has(shadows, count, whole))
			return whole;
		whole = parent_of(whole);
	}
	return device;
}
