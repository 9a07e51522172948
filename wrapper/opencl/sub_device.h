/*
 * sub_device - parts of devices. A build for the whole device runs on its parts, and some drivers
 * keep only one build, the last one, for a device and all its parts.
 */
#ifndef SUB_DEVICE_H
#define SUB_DEVICE_H

#include "array.h"
#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>

struct program_code;
struct shadow_program;

/*
 * device_codes - a program's code for each device: it may be built with different options for some
 * of its devices.
 */

/* A list of struct device_code, each with a reference to its code. */
struct device_codes {
	struct array list;
};

struct device_code {
	cl_device_id device; /* NULL: all devices not in the list */
	struct program_code *code;
};

void device_codes_init(struct device_codes *d);

/* Release all codes; the list can be used again. */
void device_codes_release(struct device_codes *d);

/* Returns the code for a device, borrowed, or NULL. */
struct program_code *device_codes_find(const struct device_codes *d, cl_device_id device);

/* Set the code for a device, or for all others (NULL). Takes a reference. False: out of memory. */
bool device_codes_set(struct device_codes *d, cl_device_id device, struct program_code *code);

/* Copy all codes. On failure returns false, and *to is empty. */
bool device_codes_copy(struct device_codes *to, const struct device_codes *from);

/* Whether a part of one of the codes reads files. */
bool device_codes_read_files(const struct device_codes *d);

/*
 * Returns the device under which the driver keeps the program's build for `device`: `device` if it
 * is one of the program's, else one of those related to it, else `device`.
 */
cl_device_id sub_device_of_program(cl_program program, cl_device_id device);

/* Returns the device of a shadow that serves `device`: itself, else a related one, else `device`.
 */
cl_device_id sub_device_built(const struct shadow_program *shadows, size_t count,
                              cl_device_id device);

#endif
