/*
 * ptx_outline - lists the kernels of PTX source, with the sizes of their parameters, and its
 * variables. It reads only the outermost level.
 *
 * It does not check the language: unknown text is skipped, and any bytes are accepted, in time
 * proportional to their length. Parameters follow each other, each at a multiple of its alignment
 * (PTX ISA 8, "Kernel Function Parameters").
 */
#ifndef PTX_OUTLINE_H
#define PTX_OUTLINE_H

#include "array.h"

#include <stdint.h>

struct err;

struct ptx_kernel {
	char *name;
	uint64_t parameter_bytes; /* size of all its parameters */
};

struct ptx_outline {
	struct array kernels; /* of struct ptx_kernel */
	struct array
		variables; /* char *: variables in global or constant memory, defined or external */
};

/* Read PTX source. Release *o in every case. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int ptx_outline_init(struct ptx_outline *o, const char *text, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void ptx_outline_release(struct ptx_outline *o);

/* Returns the kernel of that name, or NULL; borrowed. */
const struct ptx_kernel *ptx_outline_kernel(const struct ptx_outline *o, const char *name);

#endif
