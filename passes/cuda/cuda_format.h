/*
 * cuda_format - translates a format of CUDA's printf() for OpenCL's printf(), and lists what it
 * prints.
 *
 * The two differ in lengths: a long has 64 bits in both; OpenCL has no `ll`, `z`, `j` and `t`.
 */
#ifndef CUDA_FORMAT_H
#define CUDA_FORMAT_H

#include "str.h"

struct err;

/* What a conversion prints, and its size in bytes in the buffer of vprintf(), where each argument
 * is at a multiple of its size. */
enum cuda_printed {
	CUDA_PRINTED_INT,     /* 4 */
	CUDA_PRINTED_LONG,    /* 8 */
	CUDA_PRINTED_DOUBLE,  /* 8 */
	CUDA_PRINTED_STRING,  /* 8 */
	CUDA_PRINTED_POINTER, /* 8 */
};

enum { CUDA_FORMAT_ARGUMENTS_MAX = 32, CUDA_FORMAT_LIMIT_BYTES = 1 << 16 };

struct cuda_format {
	struct str text; /* for OpenCL; "" when the format is empty */
	enum cuda_printed arguments[CUDA_FORMAT_ARGUMENTS_MAX];
	unsigned count;
};

/* The size of an argument in the buffer, in bytes. */
unsigned cuda_printed_bytes(enum cuda_printed what);

/*
 * Read a format; release with cuda_format_release() in any case. *why is NULL, or the reason why
 * OpenCL cannot print it: "prints with a width that is not in its format", ... Returns 0,
 * ERR_NOMEM, or ERR_LIMIT for a format longer than CUDA_FORMAT_LIMIT_BYTES.
 */
int cuda_format_init(struct cuda_format *f, const char *text, const char **why, struct err *err);
void cuda_format_release(struct cuda_format *f);

#endif
