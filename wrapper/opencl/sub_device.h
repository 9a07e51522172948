/*
 * sub_device - parts of devices: what was built for the whole runs on its parts, and some drivers
 * keep one build for the whole and all of its parts, whichever it was made for: the last one.
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
 * device_codes - which code a program has on which device: programs may be built for some of their
 * devices with other options than for the rest.
 */

/* Of struct device_code; each has a reference to its code. */
struct device_codes {
	struct array list;
};

struct device_code {
	cl_device_id device; /* NULL: every device that is not in the list */
	struct program_code *code;
};

void device_codes_init(struct device_codes *d);

/* Forget all codes; the list may be used again. */
void device_codes_release(struct device_codes *d);

/* The code for a device, borrowed, or NULL. */
struct program_code *device_codes_find(const struct device_codes *d, cl_device_id device);

/* Set the code for a device, or for all others (NULL). Takes a reference. False: out of memory. */
bool device_codes_set(struct device_codes *d, cl_device_id device, struct program_code *code);

/* A copy of all; on failure, false, nothing is in it. */
bool device_codes_copy(struct device_codes *to, const struct device_codes *from);

/* Whether a part of one of the codes reads files. */
bool device_codes_read_files(const struct device_codes *d);

/*
 * The device under which the driver keeps what the program is built for `device`: itself if it is
 * one of the program's, else one of those that it is related to; else `device`.
 */
cl_device_id sub_device_of_program(cl_program program, cl_device_id device);

/* The device of a shadow that serves `device`: itself, else a related one; else `device`. */
cl_device_id sub_device_built(const struct shadow_program *shadows, size_t count,
                              cl_device_id device);

#endif
