/*
 * device_info - what a device reports about itself, how its implementation differs from others, and
 * its number in the recording.
 */
#ifndef DEVICE_INFO_H
#define DEVICE_INFO_H

#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct session;

/* A string property, on the heap; "" when the device does not know it. NULL when out of memory. */
char *device_info_text(cl_device_id device, cl_device_info property, struct err *err);

/* The same for a string property of the device's platform. */
char *device_info_platform(cl_device_id device, cl_platform_info property, struct err *err);

/* A property of type cl_uint, cl_ulong or size_t; 0 when the device does not know it. */
uint64_t device_info_number(cl_device_id device, cl_device_info property);

/* The device's number in the recording, its line written if it is new. False: cannot record. */
bool device_info_id(struct session *s, cl_device_id device, uint32_t *id);

/* How an OpenCL implementation differs from the others. */
struct runtime {
	/* Commands run inside the application's own calls, on its thread and without locks, so a
	 * launch must run there too: it is enqueued as a native kernel. */
	bool is_inline;
	/* They run in the call that enqueues them, and no other call waits for what could not run
	 * then: a launch runs before its call returns. */
	bool is_immediate;
	bool has_unit_local; /* a NULL local size means 1x1x1 */
	bool mixes_items;    /* by loops over work-items: control flow at barriers must stay */
	bool is_narrow;      /* addresses have at most 48 bits */
};

/* The peculiarities of a device; all false for one without a row. */
struct runtime runtime_of(cl_device_id device);

#endif
