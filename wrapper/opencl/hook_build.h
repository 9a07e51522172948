/*
 * hook_build - the hooks that build and link programs. They stand between the driver's compiler and
 * the application's callback, so that a linked program is known before its callback makes kernels,
 * and nothing is compiled inside a callback.
 */
#ifndef HOOK_BUILD_H
#define HOOK_BUILD_H

#include "opencl.h"

#include <stdbool.h>

/* Whether this thread is inside an application's callback. */
bool program_notify_is_running(void);

#endif
