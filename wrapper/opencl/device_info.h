/*
 * device_info - what a device says of itself, and its number in the recording.
 */
#ifndef DEVICE_INFO_H
#define DEVICE_INFO_H

#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct session;

/* A text property, on the heap; "" when the device does not know it. NULL when out of memory. */
char *device_info_text(cl_device_id device, cl_device_info property, struct err *err);

/* A text property of the device's platform, likewise. */
char *device_info_platform(cl_device_id device, cl_platform_info property, struct err *err);

/* A property of type cl_uint, cl_ulong or size_t; 0 when the device does not know it. */
uint64_t device_info_number(cl_device_id device, cl_device_info property);

/* The device's number in the recording, its line written if it is new. False: cannot record. */
bool device_info_id(struct session *s, cl_device_id device, uint32_t *id);

#endif
