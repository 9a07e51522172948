/*
 * cuda_compile - compiles device code to an OpenCL program and the table of its kernels and
 * variables.
 *
 * warpline-instrument (WARPLINE_INSTRUMENT, else beside the library) translates the code
 * to OpenCL C without probes; the recorder adds these, as to any other program. Results are kept in
 * the cache of instrumented programs (WARPLINE_CACHE).
 */
#ifndef CUDA_COMPILE_H
#define CUDA_COMPILE_H

#include "cuda_core.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

struct device_image;
struct err;
struct module_table;

/*
 * Returns 0 with *program, which the caller releases, and *table; ERR_SUBPROCESS with the
 * instrumenter's message, ERR_DEVICE when the device cannot build it, ERR_IO, ERR_FORMAT,
 * ERR_NOMEM. Release *table in every case.
 */
int cuda_compile(const struct device_image *image, cl_program *program, struct module_table *table,
                 struct err *err);

/*
 * device_image - the device code that an application passes, in the form that the instrumenter
 * reads.
 *
 * Accepted are LLVM bitcode, PTX, fat binaries, and the wrapper of a fat binary that compilers put
 * into programs (0x466243b1). Machine code (SASS) without PTX is refused: it cannot be traced.
 */

/*
 * bitcode_extent - finds the end of LLVM bitcode in memory.
 *
 * Bitcode is `BC` 0xC0DE and then units of a known number and size, each on a multiple of 4 bytes
 * (LLVM's bitstream format: ENTER_SUBBLOCK); a wrapper, 0x0B17C0DE, states its size.
 * The contents of units are not read.
 */

/* Returns the bytes of the bitcode at `data`, of which `limit` may be read; 0 if it is not bitcode.
 */
size_t bitcode_extent(const void *data, size_t limit);

/* The mark of CUDA C++ that is passed instead of PTX: it is followed by a line of options and the
 * source. */
#define DEVICE_IMAGE_SOURCE "// warpline: CUDA C++, not PTX. Options: "

enum device_image_kind { DEVICE_IMAGE_BITCODE, DEVICE_IMAGE_PTX, DEVICE_IMAGE_CUDA };

struct device_image {
	enum device_image_kind kind;
	struct str text; /* the code */
	char *options;   /* of CUDA C++, else NULL */
};

/*
 * Find the code at `data`. Of several PTX texts the one for the highest compute_XX is used.
 * `length`: bytes that may be read; 0: up to the end of the program's segment or, outside of
 * segments, the length that the code itself gives. Release *image in every case. Returns 0,
 * ERR_FORMAT, ERR_UNSUPPORTED for machine code alone, ERR_LIMIT, ERR_NOMEM.
 */
int device_image_init(struct device_image *image, const void *data, size_t length, struct err *err);

/* Free. Accepts a zeroed one. */
void device_image_release(struct device_image *image);

#endif
