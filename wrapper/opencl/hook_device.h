/*
 * hook_device - which devices a program gets that asks for a type of them.
 *
 * With WARPLINE_ANY_DEVICE, a program that wants CPUs, GPUs or accelerators where no platform has
 * one gets the devices that there are. Nothing else about them changes: who asks a device for its
 * type is told the truth.
 */
#ifndef HOOK_DEVICE_H
#define HOOK_DEVICE_H

#include "opencl.h"

#include <stdbool.h>

/*
 * Whether a call that asked for devices of `type` and got `code` is to be made again for all types.
 * When not, and no platform has such a device, `warpline record` learns of it.
 */
bool hook_device_takes_any(cl_int code, cl_device_type type);

#endif
