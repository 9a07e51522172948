/*
 * gpu_variables - keeps the variables of a module and of its twin alike where a kernel has to run
 * as it was although there is a twin.
 *
 * The twin's count. In the order of a stream, without waiting; also where that is captured.
 * Variables that have no name for the driver are left alone: what PTX calls so are the texts of
 * printf() and their like. Nothing is done for a module without a twin, or without variables.
 */
#ifndef GPU_VARIABLES_H
#define GPU_VARIABLES_H

#include "cuda_driver.h"

struct gpu_module;

enum variables_way { VARIABLES_TO_ORIGINAL, VARIABLES_TO_TWIN };

/* Copy all of them. In a context of the module's. False when the driver refused a copy. */
bool gpu_variables_copy(const struct gpu_module *m, CUstream stream, enum variables_way way);

#endif
