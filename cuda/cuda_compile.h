/*
 * cuda_compile - from device code to an OpenCL program and the table of what it has.
 *
 * warpline-instrument (WARPLINE_INSTRUMENT, else beside the library) makes OpenCL C of the
 * code, without probes: these are the recorder's, which takes the program as it takes any other.
 * What it made is kept in the cache of instrumented programs (WARPLINE_CACHE).
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
 * Returns 0 with *program, which the caller releases, and *table; ERR_SUBPROCESS with what the
 * instrumenter says, ERR_DEVICE when the device does not build it, ERR_IO, ERR_FORMAT, ERR_NOMEM.
 * Release *table in every case.
 */
int cuda_compile(const struct device_image *image, cl_program *program, struct module_table *table,
                 struct err *err);

/*
 * device_image - the device code that an application hands over, in the form that the instrumenter
 * reads.
 *
 * Taken: LLVM bitcode, PTX as text, fat binaries, and the wrapper that compilers put before the
 * latter in a program (0x466243b1). Machine code (SASS) alone is refused: it cannot be traced.
 */

/*
 * bitcode_extent - where LLVM bitcode in memory ends whose length is not known.
 *
 * Bitcode is `BC` 0xC0DE and then units of a known number and size, each on a multiple of 4 bytes
 * (LLVM's bitstream format: ENTER_SUBBLOCK); a wrapper, 0x0B17C0DE, states its size.
 * What a unit contains is not looked at.
 */

/* Bytes of the bitcode at `data`, of which `limit` may be read; 0 when there is none. */
size_t bitcode_extent(const void *data, size_t limit);

/* How source begins that stands for what would be made of it; then come a line of options and the
 * text. */
#define DEVICE_IMAGE_SOURCE "// warpline: CUDA C++, not PTX. Options: "

enum device_image_kind { DEVICE_IMAGE_BITCODE, DEVICE_IMAGE_PTX, DEVICE_IMAGE_CUDA };

struct device_image {
	enum device_image_kind kind;
	struct str text; /* the code */
	char *options;   /* of CUDA C++; else NULL */
};

/*
 * Find the code at `data`. Of several PTX texts the one for the highest compute_XX is taken.
 * `length`: bytes that may be read; 0: what the program's segments say, else what the code says
 * itself. Release *image in every case. Returns 0, ERR_FORMAT, ERR_UNSUPPORTED for machine code
 * alone, ERR_LIMIT, ERR_NOMEM.
 */
int device_image_init(struct device_image *image, const void *data, size_t length, struct err *err);

/* Free. Accepts a zeroed one. */
void device_image_release(struct device_image *image);

#endif
