/*
 * sub_device - parts of devices: what was built for the whole runs on its parts.
 */
#ifndef SUB_DEVICE_H
#define SUB_DEVICE_H

#include "opencl.h"

#include <stddef.h>

struct shadow_program;

/*
 * The device that some of the shadows are for and that `device` is, or is a part of; `device`
 * itself when there is none.
 */
cl_device_id sub_device_built(const struct shadow_program *shadows, size_t count,
                              cl_device_id device);

#endif
