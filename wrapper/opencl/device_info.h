/*
 * device_info - what a device reports about itself, peculiarities of its implementation, and its
 * number in the recording.
 */
#ifndef DEVICE_INFO_H
#define DEVICE_INFO_H

#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct session;

/* Returns a string property, on the heap; "" when the device lacks it, NULL when out of memory. */
char *device_info_text(cl_device_id device, cl_device_info property, struct err *err);

/* Returns a string property of the device's platform, as device_info_text() does. */
char *device_info_platform(cl_device_id device, cl_platform_info property, struct err *err);

/* Returns a property of type cl_uint, cl_ulong or size_t; 0 when the device lacks it. */
uint64_t device_info_number(cl_device_id device, cl_device_info property);

/* Get the device's number in the recording, its line written if it is new. False: cannot record. */
bool device_info_id(struct session *s, cl_device_id device, uint32_t *id);

/* Peculiarities of an OpenCL implementation. */
struct runtime {
	/* Commands run inside the application's own calls, in its thread and without locks, so
	 * launches must run there too: they are enqueued as native kernels. */
	bool is_inline;
	/* Commands run in the call that enqueues them, and no other call waits for commands that
	 * could not run then: a launch runs before its call returns. */
	bool is_immediate;
	bool has_unit_local; /* a NULL local size means 1x1x1 */
	bool mixes_items;    /* in loops over work-items: control flow at barriers must stay */
	bool is_narrow;      /* addresses have at most 48 bits */
};

/* Returns the peculiarities of a device; all false if it is unknown. */
struct runtime runtime_of(cl_device_id device);

#endif
