/* SPDX-License-Identifier: Apache-2.0 */
#include "device_info.h"

#include "array.h"
#include "opencl_session.h"
#include "recorder.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

char *device_info_text(cl_device_id device, cl_device_info property, struct err *err)
{
	const struct opencl_real *real = opencl_real();
	size_t bytes = 0;
	char *text;

	if (real->clGetDeviceInfo(device, property, 0, NULL, &bytes) != CL_SUCCESS)
		return str_copy("", err);
	text = array_alloc(bytes + 1, 1, "device property", err);
	if (text && real->clGetDeviceInfo(device, property, bytes, text, NULL) != CL_SUCCESS)
		*text = '\0';
	return text;
}

char *device_info_platform(cl_device_id device, cl_platform_info property, struct err *err)
{
	const struct opencl_real *real = opencl_real();
	cl_platform_id platform;
	size_t bytes = 0;
	char *text;

	if (real->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), (void *)&platform,
	                          NULL) != CL_SUCCESS ||
	    real->clGetPlatformInfo(platform, property, 0, NULL, &bytes) != CL_SUCCESS)
		return str_copy("", err);
	text = array_alloc(bytes + 1, 1, "platform property", err);
	if (text && real->clGetPlatformInfo(platform, property, bytes, text, NULL))
		*text = '\0';
	return text;
}

uint64_t device_info_number(cl_device_id device, cl_device_info property)
{
	const struct opencl_real *real = opencl_real();
	cl_ulong wide = 0;
	cl_uint narrow = 0;
	size_t bytes = 0;

	if (real->clGetDeviceInfo(device, property, 0, NULL, &bytes) != CL_SUCCESS)
		return 0;
	if (bytes == sizeof(narrow))
		return real->clGetDeviceInfo(device, property, bytes, &narrow, NULL) ? 0 : narrow;
	if (bytes == sizeof(wide))
		return real->clGetDeviceInfo(device, property, bytes, &wide, NULL) ? 0 : wide;
	return 0;
}

static bool write_line(struct session *s, cl_device_id device, uint32_t *id)
{
	struct recorded_device line = {
		.name = device_info_text(device, CL_DEVICE_NAME, NULL),
		.vendor = device_info_text(device, CL_DEVICE_VENDOR, NULL),
		.version = device_info_text(device, CL_DEVICE_VERSION, NULL),
		.driver = device_info_text(device, CL_DRIVER_VERSION, NULL),
		.platform = device_info_platform(device, CL_PLATFORM_NAME, NULL),
		.address_bits = (uint32_t)device_info_number(device, CL_DEVICE_ADDRESS_BITS),
	};
	bool is_written = line.name && line.vendor && line.version && line.driver &&
	                  line.platform && recorder_device(s->recorder, &line, id);

	free(line.name);
	free(line.vendor);
	free(line.version);
	free(line.driver);
	free(line.platform);
	return is_written;
}

bool device_info_id(struct session *s, cl_device_id device, uint32_t *id)
{
	uint32_t *known, *mine;
	void *other = NULL;

	session_lock(s);
	known = handle_map_get(&opencl_session(s)->devices, device);
	if (known)
		*id = *known;
	session_unlock(s);
	if (known)
		return true;
	mine = calloc(1, sizeof(*mine));
	if (!mine || !write_line(s, device, mine)) {
		free(mine);
		return false;
	}
	/* Two threads may each have written a line; either number is right. */
	*id = *mine;
	session_lock(s);
	if (handle_map_put(&opencl_session(s)->devices, device, mine, &other, NULL) < 0)
		other = mine;
	session_unlock(s);
	free(other);
	return true;
}

struct row {
	const char *platform, *device;
	struct runtime runtime;
};

/* The first row that matches counts: `device` is how the device's name begins. */
static const struct row rows[] = {
	/* runs the queue in clFinish() and calls back only afterwards */
	{ "Oclgrind", "", { .is_inline = true, .has_unit_local = true } },
	/* POCL's driver without threads */
	{ "Portable Computing Language",
	  "basic",
	  { .is_immediate = true, .mixes_items = true, .is_narrow = true } },
	/* the same driver in POCL 4 and later */
	{ "Portable Computing Language",
	  "cpu-minimal",
	  { .is_immediate = true, .mixes_items = true, .is_narrow = true } },
	/* forms its loops over work-items between barriers */
	{ "Portable Computing Language", "", { .mixes_items = true, .is_narrow = true } },
};

struct runtime runtime_of(cl_device_id device)
{
	char *platform = device_info_platform(device, CL_PLATFORM_NAME, NULL);
	char *name = device_info_text(device, CL_DEVICE_NAME, NULL);
	struct runtime found = { 0 };

	for (size_t i = sizeof(rows) / sizeof(rows[0]); platform && name && i-- > 0;)
		if (!strcmp(platform, rows[i].platform) &&
		    !strncmp(name, rows[i].device, strlen(rows[i].device)))
			found = rows[i].runtime;
	free(platform);
	free(name);
	return found;
}
