/*
 * sub_device - parts of devices: what was built for the whole runs on its parts, and some drivers
 * keep one build for the whole and all of its parts, whichever it was made for: the last one.
 */
#ifndef SUB_DEVICE_H
#define SUB_DEVICE_H

#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>

struct shadow_program;

/* Whether one of two devices is a part of the other, or is the other. */
bool sub_device_is_related(cl_device_id a, cl_device_id b);

/*
 * The device under which the driver keeps what the program is built for `device`: itself if it is
 * one of the program's, else one of those that it is related to; else `device`.
 */
cl_device_id sub_device_of_program(cl_program program, cl_device_id device);

/* The device of a shadow that serves `device`: itself, else a related one; else `device`. */
cl_device_id sub_device_built(const struct shadow_program *shadows, size_t count,
                              cl_device_id device);

#endif
