/* SPDX-License-Identifier: Apache-2.0 */
#include "command_buffer_version.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEVICES 64
#define LAST_KNOWN   CL_MAKE_VERSION(0, 9, 4)

static bool is_known(cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	size_t bytes = 0, count;
	cl_name_version *list;
	bool is_known = true;

	if (real->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL, &bytes))
		return false;
	count = bytes / sizeof(*list);
	list = array_alloc(count, sizeof(*list), "extensions", NULL);
	if (!list)
		return false;
	if (real->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, count * sizeof(*list),
	                          list, NULL))
		is_known = false;
	for (size_t i = 0; is_known && i < count; i++)
		if (strncmp(list[i].name, CL_KHR_COMMAND_BUFFER_EXTENSION_NAME,
		            sizeof(list[i].name)) == 0)
			is_known = list[i].version <= LAST_KNOWN;
	free(list);
	return is_known;
}

bool command_buffer_version_is_known(cl_platform_id platform)
{
	cl_device_id devices[MOST_DEVICES];
	cl_uint count = 0;

	if (opencl_real()->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices,
	                                  &count) ||
	    count > MOST_DEVICES)
		return false;
	for (cl_uint i = 0; i < count; i++)
		if (!is_known(devices[i]))
			return false;
	return count > 0;
}
