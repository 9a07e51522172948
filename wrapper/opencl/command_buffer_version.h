/*
 * command_buffer_version - whether a platform's cl_khr_command_buffer is one that we know.
 *
 * Revision 0.9.5 gave another parameter to the calls that record copies, fills and barriers.
 */
#ifndef COMMAND_BUFFER_VERSION_H
#define COMMAND_BUFFER_VERSION_H

#include "opencl.h"

#include <stdbool.h>

/* False when a device of the platform has a later revision, or does not say. */
bool command_buffer_version_is_known(cl_platform_id platform);

#endif
