/*
 * hook_build - stands between the driver's compiler and the application's callback, so that we
 * know a linked program before its callback makes kernels, and compile nothing inside a callback.
 */
#ifndef HOOK_BUILD_H
#define HOOK_BUILD_H

#include "opencl.h"

#include <stdbool.h>

/* Whether this thread is inside an application's callback. */
bool program_notify_is_running(void);

#endif
