/*
 * cuda_program - what a program has of CUDA, as far as its file and its libraries say.
 *
 * Runs nothing. A library that is loaded at run time only is not seen; where the name of the
 * driver's library stands in a file, that is told.
 */
#ifndef CUDA_PROGRAM_H
#define CUDA_PROGRAM_H

#include "array.h"

#include <stdbool.h>

struct err;

struct cuda_program {
	struct array needed; /* of char *: libcudart.so.N, libcuda.so.1, libnvrtc.so.N it is linked
	                        with */
	bool has_code;       /* one of its files brings code for NVIDIA's GPUs */
};

/* Look at `path` and the libraries it is linked with; release *p in every case. A file that is no
 * program has nothing of CUDA. Returns 0 or ERR_NOMEM. */
int cuda_program_read(struct cuda_program *p, const char *path, struct err *err);

/* Whether CUDA's runtime is linked into it: it has code for GPUs, and no libcudart is needed. */
bool cuda_program_is_static(const struct cuda_program *p);

/* Free what it owns. Accepts a zeroed struct. */
void cuda_program_release(struct cuda_program *p);

#endif
