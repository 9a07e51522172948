/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_session.h"

#include "clock.h"
#include "gpu_engine.h"
#include "gpu_module.h"
#include "recorder.h"
#include "thread_pool.h"

#include <stdio.h>

struct gpu_device {
	CUdevice device;
	uint32_t id; /* in the recording */
};

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
	/* The number is 1000 * major + 10 * minor. */
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
	/* Two threads may each have written a line; either number is right. */
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

#define LIMIT_DEVICES 1024

static int init(struct session *s, struct err *err)
{
	struct gpu_session *g = gpu_session(s);

	array_init(&g->devices, sizeof(struct gpu_device), LIMIT_DEVICES, "devices");
	return thread_pool_create(&g->pool, err);
}

static void release_module(void *module)
{
	gpu_module_release(module);
}

static void release(struct session *s)
{
	struct gpu_session *g = gpu_session(s);

	thread_pool_free(g->pool);
	handle_map_release_all(&g->modules, release_module);
	handle_map_release_all(&g->libraries, release_module);
	handle_map_release(&g->functions);
	handle_map_release(&g->kernels);
	handle_map_release_all(&g->links, gpu_link_free);
	handle_map_release_all(&g->engines, gpu_engine_free);
	array_release(&g->devices);
}

/* No thread wakes up to write counts: a later launch writes them. */
static void count(struct session *s, bool is_first)
{
	struct gpu_session *g = gpu_session(s);
	uint64_t now = clock_now_ns(), due;

	if (is_first)
		atomic_store(&g->tally_due_ns, launch_tallies_due_ns(&s->tallies, now));
	due = atomic_load(&g->tally_due_ns);
	if (due && now >= due && atomic_compare_exchange_strong(&g->tally_due_ns, &due, 0))
		session_write_counts(s);
}

const struct session_part gpu_part = {
	.bytes = sizeof(struct gpu_session), .init = init, .release = release, .counted = count
};
