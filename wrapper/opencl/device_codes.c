/* SPDX-License-Identifier: Apache-2.0 */
#include "device_codes.h"

#include "program_code.h"
#include "sub_device.h"

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

/* The code of a device that `device` is a part of, or that is a part of it. */
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
