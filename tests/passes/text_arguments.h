/*
 * text_arguments - arguments for any kernel: pseudo-random, the same for the same seed, chosen by
 * what clGetKernelArgInfo() says of it.
 *
 * Pointers to global and constant memory get a buffer, to local memory 4 KiB, numbers a small
 * value, images 32 by 16 texels. Structs by value are not known: bytes of 1.
 */
#ifndef TEXT_ARGUMENTS_H
#define TEXT_ARGUMENTS_H

#include "cl_device.h"

#include <stdint.h>

#define TEXT_ARGUMENTS_MAX   16
#define TEXT_ARGUMENTS_BYTES ((size_t)32 << 10) /* of a buffer */

struct text_arguments {
	cl_mem memory[TEXT_ARGUMENTS_MAX]; /* buffer or image, or NULL */
	size_t bytes[TEXT_ARGUMENTS_MAX];  /* of a buffer; 0: an image */
	cl_sampler sampler;
	cl_uint count;
};

/* Make them for `model`, a kernel whose arguments can be asked for, and set them in `kernel`. */
bool text_arguments_init(struct text_arguments *a, const struct cl_device *d, cl_kernel model,
                         cl_kernel kernel, uint64_t seed);
void text_arguments_release(struct text_arguments *a);

/* The contents of argument `i` in `out`, of at most TEXT_ARGUMENTS_BYTES; the bytes there are. */
size_t text_arguments_read(const struct text_arguments *a, const struct cl_device *d, cl_uint i,
                           void *out);

#endif
