/*
 * nvcc_places - finds the headers, ours or a toolkit's, and the libcudart for compiling CUDA
 * programs.
 */
#ifndef NVCC_PLACES_H
#define NVCC_PLACES_H

#include "temporary.h"

struct nvcc_places {
	char *headers;           /* folder of our cuda_runtime.h */
	char *toolkit;           /* folder of a CUDA toolkit whose headers to use; NULL: ours */
	char *libraries;         /* folder of our libcudart.so.12; NULL: it is missing */
	const char *temporary;   /* folder for intermediate files; borrowed */
	struct temporary folder; /* the folder that was made, if any */
};

/* The version of libcudart that our headers are for, and the libraries beside it. */
#define NVCC_CUDART "libcudart.so.12"
#define NVCC_NVRTC  "libnvrtc.so.12"
#define NVCC_DRIVER "libcuda.so.1"

/*
 * Find all but `temporary`; release *p in every case. `toolkit` (NULL:
 * WARPLINE_CUDA_PATH) is a toolkit whose headers to use. Returns 0; ERR_USAGE if it has none;
 * ERR_IO if parts of Warpline are missing; ERR_NOMEM.
 */
int nvcc_places_find(struct nvcc_places *p, const char *toolkit, struct err *err);

/* Make the folder `temporary`, and remove abandoned ones. Returns 0, ERR_IO, ERR_NOMEM. */
int nvcc_places_make_temporary(struct nvcc_places *p, struct err *err);

/* Remove the folder that was made; free what it owns. Accepts a zeroed struct. */
void nvcc_places_release(struct nvcc_places *p);

#endif
