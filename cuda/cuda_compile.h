/*
 * cuda_compile - from device code to an OpenCL program and the table of what it has.
 *
 * warpline-instrument (WARPLINE_INSTRUMENT, else beside the library) makes SPIR of the code,
 * without probes: these are the recorder's, which takes the program as it takes any other. What it
 * made is kept in the cache of instrumented programs (WARPLINE_CACHE).
 */
#ifndef CUDA_COMPILE_H
#define CUDA_COMPILE_H

#include "cuda_core.h"

struct err;
struct device_image;
struct module_table;

/*
 * Returns 0 with *program, which the caller releases, and *table; ERR_SUBPROCESS with what the
 * instrumenter says, ERR_DEVICE when the device does not build it, ERR_IO, ERR_FORMAT, ERR_NOMEM.
 * Release *table in every case.
 */
int cuda_compile(const struct device_image *image, cl_program *program, struct module_table *table,
                 struct err *err);

#endif
