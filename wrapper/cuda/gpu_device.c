/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_device.h"

#include "gpu_session.h"
#include "recorder.h"

#include <stdio.h>

#define NAME_BYTES 256

static int attribute(CUdevice device, enum cuda_device_attribute which)
{
	const struct cuda_real *real = cuda_real();
	int value = 0;

	if (!real->cuDeviceGetAttribute ||
	    real->cuDeviceGetAttribute(&value, (int)which, device) != CUDA_SUCCESS)
		return 0;
	return value;
}

static bool write_line(struct recorder *recorder, CUdevice device, uint32_t *id)
{
	const struct cuda_real *real = cuda_real();
	char name[NAME_BYTES] = "", version[96], driver[32] = "";
	char vendor[] = "NVIDIA Corporation", platform[] = "CUDA";
	struct recorded_device line = { .name = name,
		                        .vendor = vendor,
		                        .version = version,
		                        .driver = driver,
		                        .platform = platform,
		                        .address_bits = 64 };
	int number = 0;

	if (!real->cuDeviceGetName ||
	    real->cuDeviceGetName(name, sizeof(name) - 1, device) != CUDA_SUCCESS)
		*name = '\0';
	/* 1000 times the first number, ten times the second. */
	if (real->cuDriverGetVersion && real->cuDriverGetVersion(&number) == CUDA_SUCCESS)
		snprintf(driver, sizeof(driver), "CUDA %d.%d", number / 1000, number % 1000 / 10);
	snprintf(version, sizeof(version), "%s, compute capability %d.%d", driver,
	         attribute(device, CUDA_DEVICE_CAPABILITY_MAJOR),
	         attribute(device, CUDA_DEVICE_CAPABILITY_MINOR));
	return recorder_device(recorder, &line, id);
}

bool gpu_device_line(struct session *s, CUdevice device, uint32_t *id)
{
	struct array *devices = &gpu_session(s)->devices;
	struct gpu_device *list, *added;
	bool is_known = false;

	session_lock(s);
	list = devices->data;
	for (size_t i = 0; i < devices->count && !is_known; i++) {
		is_known = list[i].device == device;
		*id = list[i].id;
	}
	session_unlock(s);
	if (is_known)
		return true;
	if (!write_line(s->recorder, device, id))
		return false;
	/* Two threads may both have written a line; either number is right. */
	session_lock(s);
	added = array_push(devices, 1, NULL);
	if (added)
		*added = (struct gpu_device){ device, *id };
	session_unlock(s);
	return true;
}

void gpu_device_arch(CUdevice device, char arch[16])
{
	int major = attribute(device, CUDA_DEVICE_CAPABILITY_MAJOR);
	int minor = attribute(device, CUDA_DEVICE_CAPABILITY_MINOR);

	*arch = '\0';
	if (major > 0 && major < 1000 && minor >= 0 && minor < 1000)
		snprintf(arch, 16, "sm_%d%d", major, minor);
}
