/*
 * kernel_lines - what a file of the corpus says, in comments, about how its kernels are run.
 *
 * Lines that begin with one of these words, each followed by a colon:
 *
 *   // options: TEXT                    build options
 *   // inexact: KERNEL...               results that may differ from device to device
 *   // run: KERNEL GLOBAL LOCAL [+OFFSET] : ARGUMENT...
 *
 * GLOBAL, LOCAL and OFFSET are sizes with `x` between them ("64x2"), LOCAL may be "-". An argument:
 *
 *   TYPE[COUNT]=FILL   a buffer of COUNT values of a scalar type (char uchar short ushort int uint
 *                      long ulong half float double); FILL as in kernel_data.h
 *   TYPE=NUMBER        a scalar; TYPE with 2, 4, 8 or 16 behind it is a vector of that number
 *   local[BYTES]       local memory
 *   same[N]            the buffer of argument N again
 *   image[WxH]=FILL    a 2D image of 4 unsigned bytes (CL_RGBA, CL_UNSIGNED_INT8), to read
 *   imagef[WxH]=FILL   a 2D image of 4 floats, to read
 *   target[WxH]        a 2D image of 4 unsigned bytes, to write
 *   sampler            nearest, clamped to the edge, not normalised
 *
 * Every run has buffers of its own. Nothing is assumed of the rest of the file.
 */
#ifndef KERNEL_LINES_H
#define KERNEL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_ARGUMENTS_MAX 16

enum argument_form {
	ARGUMENT_BUFFER,
	ARGUMENT_SCALAR,
	ARGUMENT_LOCAL,
	ARGUMENT_SAME,
	ARGUMENT_IMAGE,
	ARGUMENT_IMAGE_FLOAT,
	ARGUMENT_TARGET,
	ARGUMENT_SAMPLER
};

enum value_type {
#define VALUE_TYPE(NAME, name, bytes, kind) VALUE_##NAME,
#include "value_types.def"
#undef VALUE_TYPE
	VALUE_TYPE_COUNT
};

struct kernel_argument_line {
	enum argument_form form;
	enum value_type type;
	size_t count;         /* values; bytes of local memory; the argument that SAME names */
	size_t width, height; /* of an image */
	double number;        /* of a scalar */
	char fill[40];        /* of a buffer or image */
};

struct kernel_run {
	char kernel[64];
	unsigned dimensions;
	size_t global[3], local[3], offset[3]; /* local[0] == 0: the runtime's choice */
	struct kernel_argument_line arguments[KERNEL_ARGUMENTS_MAX];
	unsigned argument_count;
};

struct kernel_lines {
	char *text; /* the whole file */
	size_t length;
	char options[256];
	struct kernel_run *runs;
	size_t run_count;
};

/*
 * Read `path`. Returns 0, or -1 with "PATH:LINE: ..." in message[size]. Free with
 * kernel_lines_release(), in both cases.
 */
int kernel_lines_read(struct kernel_lines *l, const char *path, char *message, size_t size);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void kernel_lines_release(struct kernel_lines *l);

size_t value_type_bytes(enum value_type type);

#endif
