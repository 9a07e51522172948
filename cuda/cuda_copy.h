/*
 * cuda_copy - copies and fills of memory in a stream, of up to three dimensions.
 *
 * A copy with host memory that is not pinned is done when the call returns, as CUDA has it; so is
 * one that the caller wants to wait for.
 */
#ifndef CUDA_COPY_H
#define CUDA_COPY_H

#include <stdbool.h>
#include <stddef.h>

struct cuda_stream;

/* As cudaMemcpyKind. */
enum cuda_copy_kind {
	CUDA_COPY_HOST_TO_HOST,
	CUDA_COPY_HOST_TO_DEVICE,
	CUDA_COPY_DEVICE_TO_HOST,
	CUDA_COPY_DEVICE_TO_DEVICE,
	CUDA_COPY_DEFAULT
};

struct cuda_copy {
	void *to;
	const void *from;
	size_t to_pitch, from_pitch; /* bytes from row to row */
	size_t to_slice, from_slice; /* bytes from slice to slice */
	size_t width, height, depth; /* bytes of a row, rows of a slice, slices */
	int kind;
	bool is_waited_for;
};

/* A copy of `bytes` in a row. */
struct cuda_copy cuda_copy_line(void *to, const void *from, size_t bytes, int kind);

/* Returns 0; cudaErrorInvalidMemcpyDirection, cudaErrorInvalidPitchValue, cudaErrorInvalidValue for
 * a side that is not allocated; what broke. */
int cuda_copy_run(const struct cuda_copy *copy, struct cuda_stream *s);

struct cuda_fill {
	void *to;
	unsigned value;
	size_t value_bytes;          /* 1, 2, 4 */
	size_t pitch, slice;         /* bytes */
	size_t width, height, depth; /* bytes of a row; rows; slices */
	bool is_waited_for;
};

/* Returns 0, cudaErrorInvalidValue for memory that is not allocated; what broke. */
int cuda_fill_run(const struct cuda_fill *fill, struct cuda_stream *s);

#endif
