/* cuda_lowered - a program in LLVM IR with calls of CUDA's, lowered and built for a device; fails
 * the running test when that fails. */
#ifndef CUDA_LOWERED_H
#define CUDA_LOWERED_H

#include "cl_device.h"

#include <stddef.h>

/* `lower_cuda` is the path of that program, `text` the IR. The caller releases the program. */
cl_program cuda_lowered_build(const struct cl_device *device, const char *lower_cuda,
                              const char *text, size_t length);

#endif
