/*
 * gpu_device - the line of a CUDA device in the recording.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include "cuda_driver.h"

struct session;

struct gpu_device {
	CUdevice device;
	uint32_t id; /* in the recording */
};

/* The line of a device: *id. It is written once: the platform is "CUDA", the version "CUDA 12.4,
 * compute capability 9.0", or what of it the driver tells. False when it cannot be written. */
bool gpu_device_line(struct session *s, CUdevice device, uint32_t *id);

/* "sm_90" of the device, "" when the driver does not tell. */
void gpu_device_arch(CUdevice device, char arch[16]);

#endif
