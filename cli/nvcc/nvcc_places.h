/*
 * nvcc_places - where what compiles CUDA lies: our headers, a toolkit's, our libcudart.
 */
#ifndef NVCC_PLACES_H
#define NVCC_PLACES_H

#include "temporary.h"

struct nvcc_places {
	char *headers;           /* folder of our cuda_runtime.h */
	char *toolkit;           /* folder of a CUDA toolkit to take headers of; NULL: ours */
	char *libraries;         /* folder of our libcudart.so.12; NULL: it is not there */
	const char *temporary;   /* folder for files between; borrowed */
	struct temporary folder; /* the one that was made, if it was */
};

/* The version of libcudart that our headers are for, and the libraries beside it. */
#define NVCC_CUDART "libcudart.so.12"
#define NVCC_NVRTC  "libnvrtc.so.12"
#define NVCC_DRIVER "libcuda.so.1"

/*
 * Find all but `temporary`; release *p in every case. `toolkit` (may be NULL, then
 * WARPLINE_CUDA_PATH) is a toolkit whose headers are wanted. Returns 0; ERR_USAGE when it has none;
 * ERR_IO when parts of Warpline are missing; ERR_NOMEM.
 */
int nvcc_places_find(struct nvcc_places *p, const char *toolkit, struct err *err);

/* Make `temporary`, a new folder, and remove those that were left. Returns 0, ERR_IO, ERR_NOMEM. */
int nvcc_places_make_temporary(struct nvcc_places *p, struct err *err);

/* Remove the folder that was made; free what it owns. Accepts a zeroed struct. */
void nvcc_places_release(struct nvcc_places *p);

#endif
