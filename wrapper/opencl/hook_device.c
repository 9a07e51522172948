/* SPDX-License-Identifier: Apache-2.0 */
#include "hook_device.h"

#include "array.h"
#include "recorder_settings.h"
#include "seen_list.h"

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

/* The names of the types, with "|" between them; "" for none of the table. */
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

bool hook_device_takes_any(cl_int code, cl_device_type type)
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
