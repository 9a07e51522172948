/*
 * ptx_outline - the kernels of PTX source, with the sizes of their parameters, and its variables.
 * Only the outermost level is read.
 *
 * Does not check the language: what is not understood is skipped, and any bytes are accepted, in
 * time proportional to their length. PTX ISA 8,
 * "Kernel Function Parameters": parameters follow each other, each at a multiple of its
 * alignment.
 */
#ifndef PTX_OUTLINE_H
#define PTX_OUTLINE_H

#include "array.h"

#include <stdint.h>

struct err;

struct ptx_kernel {
	char *name;
	uint64_t parameter_bytes; /* of all its parameters */
};

struct ptx_outline {
	struct array kernels; /* of struct ptx_kernel */
	struct array
		variables; /* of char *: names in global or constant memory, defined or external */
};

/* Read PTX source. Release *o in every case. Returns 0, ERR_LIMIT, ERR_NOMEM. */
int ptx_outline_init(struct ptx_outline *o, const char *text, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void ptx_outline_release(struct ptx_outline *o);

/* The kernel of that name, or NULL; borrowed. */
const struct ptx_kernel *ptx_outline_kernel(const struct ptx_outline *o, const char *name);

#endif
