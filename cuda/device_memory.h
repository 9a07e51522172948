/*
 * device_memory - memory that applications allocate: shared virtual memory, so that host and
 * kernels use the same pointers.
 *
 * cudaMalloc() returns coarse-grain memory, which the host accesses only by copies. Host memory and
 * managed memory are fine-grain: host and kernels may use them at the same time. A device without
 * fine-grain memory has no managed memory, and its kernels cannot access host memory. A pointer is
 * the start of its allocation (OpenCL aligns to 128 bytes), so that recordings know where buffers
 * begin.
 */
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_pool;
struct cuda_stream;

enum cuda_memory_kind {
	CUDA_MEMORY_DEVICE,
	CUDA_MEMORY_HOST, /* cudaHostAlloc */
	CUDA_MEMORY_MANAGED,
	CUDA_MEMORY_REGISTERED, /* memory of the application, cudaHostRegister */
	CUDA_MEMORY_SYMBOL,     /* a module's variable: coarse-grain or managed */
};

struct cuda_allocation {
	uintptr_t address;
	size_t bytes;
	enum cuda_memory_kind kind;
	bool is_shared; /* the host may use it at any time */
	bool is_plain;  /* from malloc() */
	unsigned flags; /* of cudaHostAlloc, cudaHostRegister, cudaMallocManaged */
	uint64_t id;
};

/*
 * Allocate memory; NULL for 0 bytes. Returns 0, cudaErrorMemoryAllocation, or cudaErrorNotSupported
 * for managed memory on a device without it.
 */
int cuda_memory_alloc(enum cuda_memory_kind kind, size_t bytes, unsigned flags, void **out);

/* Allocate a variable's memory; zeroed if the host can access it. */
int cuda_memory_alloc_symbol(bool is_managed, size_t bytes, void **out);

/* Register memory of the application. Fails with cudaErrorHostMemoryAlreadyRegistered, or
 * cudaErrorNotSupported when kernels cannot access the memory of the process. */
int cuda_memory_register(void *memory, size_t bytes, unsigned flags);

/*
 * Remove the allocation that begins at `memory`, and free it once nothing uses it. `kinds` has a
 * bit for each allowed kind. Fails with cudaErrorInvalidValue when no such allocation begins there.
 */
int cuda_memory_free(void *memory, unsigned kinds);

/* Find the allocation that contains `memory`. */
bool cuda_memory_find(const void *memory, struct cuda_allocation *out);

/* Whether `bytes` at `memory` are in one allocation. */
bool cuda_memory_holds(const void *memory, size_t bytes);

/* Free the application's allocations on the device, but not variables. Nothing may be running. */
void cuda_memory_free_all(void);

/* Returns the number of allocated bytes. */
size_t cuda_memory_used(void);

/* Get the addresses of at most `limit` allocations, for CL_KERNEL_EXEC_INFO_SVM_PTRS. Returns their
 * number. */
size_t cuda_memory_list(void **out, size_t limit);

/*
 * cuda_pool - memory pools: handles that only keep the settings that programs set.
 *
 * Memory of pools is allocated and freed like other memory.
 */

/* Returns the device's default pool. */
struct cuda_pool *cuda_pool_default(void);

/* Create a pool. Returns 0 or cudaErrorMemoryAllocation. */
int cuda_pool_create(struct cuda_pool **out);

/* Free a pool, but not the default one. Returns 0, or cudaErrorInvalidValue for NULL. */
int cuda_pool_free(struct cuda_pool *pool);

/* Set or get a setting by the API's number: 1 to 3 are int, 4 to 8 have 64 bits. Fail with
 * cudaErrorInvalidValue. */
int cuda_pool_set(struct cuda_pool *pool, int attribute, const void *value);
int cuda_pool_get(const struct cuda_pool *pool, int attribute, void *value);

/*
 * cuda_copy - copies and fills of memory in a stream, of up to three dimensions.
 *
 * A copy with host memory that is not pinned is done when the call returns, as in CUDA; so is one
 * with is_waited_for.
 */

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

/* Returns a one-dimensional copy of `bytes`. */
struct cuda_copy cuda_copy_line(void *to, const void *from, size_t bytes, int kind);

/* Enqueue a copy. Returns 0, cudaErrorInvalidMemcpyDirection, cudaErrorInvalidPitchValue,
 * cudaErrorInvalidValue for a side that is not allocated, or the error that broke the device. */
int cuda_copy_run(const struct cuda_copy *copy, struct cuda_stream *s);

struct cuda_fill {
	void *to;
	unsigned value;
	size_t value_bytes;          /* 1, 2, 4 */
	size_t pitch, slice;         /* bytes */
	size_t width, height, depth; /* bytes of a row; rows; slices */
	bool is_waited_for;
};

/* Enqueue a fill. Returns 0, cudaErrorInvalidValue for memory that is not allocated, or the error
 * that broke the device. */
int cuda_fill_run(const struct cuda_fill *fill, struct cuda_stream *s);

#endif
