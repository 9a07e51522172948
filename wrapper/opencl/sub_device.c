/* SPDX-License-Identifier: Apache-2.0 */
#include "sub_device.h"

#include "array.h"
#include "program_code.h"
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

/* Whether one of two devices is a part of the other, or is the other. */
static bool sub_device_is_related(cl_device_id a, cl_device_id b)
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

#define LIMIT_DEVICES 4096

void device_codes_init(struct device_codes *d)
{
	array_init(&d->list, sizeof(struct device_code), LIMIT_DEVICES, "devices of a program");
}

void device_codes_release(struct device_codes *d)
{
	struct device_code *list = d->list.data;

	for (size_t i = 0; i < d->list.count; i++)
		program_code_release(list[i].code);
	array_release(&d->list);
}

static struct device_code *find(const struct device_codes *d, cl_device_id device)
{
	struct device_code *list = d->list.data;

	for (size_t i = 0; i < d->list.count; i++)
		if (list[i].device == device)
			return &list[i];
	return NULL;
}

/* Returns the code of a device that `device` is a part of, or that is a part of `device`. */
static struct device_code *find_related(const struct device_codes *d, cl_device_id device)
{
	struct device_code *list = d->list.data;

	for (size_t i = 0; i < d->list.count; i++)
		if (list[i].device && sub_device_is_related(list[i].device, device))
			return &list[i];
	return NULL;
}

struct program_code *device_codes_find(const struct device_codes *d, cl_device_id device)
{
	const struct device_code *found = find(d, device);

	if (!found)
		found = find_related(d, device);
	if (!found)
		found = find(d, NULL);
	return found ? found->code : NULL;
}

bool device_codes_set(struct device_codes *d, cl_device_id device, struct program_code *code)
{
	struct device_code *there = find(d, device);

	if (!there)
		there = array_push(&d->list, 1, NULL);
	if (!there)
		return false;
	there->device = device;
	program_code_retain(code);
	program_code_release(there->code);
	there->code = code;
	return true;
}

bool device_codes_copy(struct device_codes *to, const struct device_codes *from)
{
	const struct device_code *list = from->list.data;

	device_codes_init(to);
	for (size_t i = 0; i < from->list.count; i++)
		if (!device_codes_set(to, list[i].device, list[i].code)) {
			device_codes_release(to);
			return false;
		}
	return true;
}

static bool reads_files(const struct program_code *code)
{
	for (size_t i = 0; i < code->part_count; i++)
		if (code->parts[i].folder)
			return true;
	return false;
}

bool device_codes_read_files(const struct device_codes *d)
{
	const struct device_code *list = d->list.data;

	for (size_t i = 0; i < d->list.count; i++)
		if (reads_files(list[i].code))
			return true;
	return false;
}
