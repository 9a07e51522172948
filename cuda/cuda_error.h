/*
 * cuda_error - the codes that calls of CUDA's interfaces return, with their names and descriptions.
 *
 * Functions of this room return such a code (0: success) instead of ERR_*: applications get it
 * unchanged. Both interfaces use the same numbers.
 */
#ifndef CUDA_ERROR_H
#define CUDA_ERROR_H

enum cuda_error {
#define CUDA_ERROR(runtime_name, driver_name, code, text) runtime_name = (code),
#define CUDA_RUNTIME_ERROR(runtime_name, code, text)      runtime_name = (code),
#define CUDA_DRIVER_ERROR(driver_name, code, text)        driver_name = (code),
#include "include/warpline/cuda_errors.def"
};

/* The name in the runtime's and in the driver's interface, and the description; NULL for an unknown
 * code. Static storage. */
const char *cuda_error_runtime_name(int code);
const char *cuda_error_driver_name(int code);
const char *cuda_error_text(int code);

#endif
