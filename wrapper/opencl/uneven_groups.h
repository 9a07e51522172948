/*
 * uneven_groups - launches whose last work-groups of a dimension are smaller than the others.
 */
#ifndef UNEVEN_GROUPS_H
#define UNEVEN_GROUPS_H

#include "launch_shape.h"
#include "opencl.h"

#include <stdbool.h>

/* Whether a launch of this shape has such groups. */
bool uneven_groups_are_in(const struct launch_shape *shape);

/*
 * Whether the driver surely takes them for this kernel on this device: both must be of OpenCL 2.0
 * or later, the program by its build options, and neither may have opted out.
 */
bool uneven_groups_are_taken(cl_kernel kernel, cl_device_id device);

#endif
