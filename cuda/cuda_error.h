/*
 * cuda_error - the error codes of CUDA's APIs, with their names and descriptions.
 *
 * Functions of this room return such a code (0: success) instead of ERR_*, and applications get it
 * unchanged. Both APIs use the same numbers.
 */
#ifndef CUDA_ERROR_H
#define CUDA_ERROR_H

enum cuda_error {
#define CUDA_ERROR(runtime_name, driver_name, code, text) runtime_name = (code),
#define CUDA_RUNTIME_ERROR(runtime_name, code, text)      runtime_name = (code),
#define CUDA_DRIVER_ERROR(driver_name, code, text)        driver_name = (code),
#include "include/warpline/cuda_errors.def"
};

/* Return the name in the runtime API and in the driver API, and the description; NULL for an
 * unknown code. Static storage. */
const char *cuda_error_runtime_name(int code);
const char *cuda_error_driver_name(int code);
const char *cuda_error_text(int code);

#endif
