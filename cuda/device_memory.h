/*
 * device_memory - the memory that applications allocate: shared virtual memory, so that a pointer
 * means the same to host and kernels.
 *
 * cudaMalloc gives coarse-grain memory, which the host reaches by copies alone; memory of the host
 * and managed memory are fine-grain, which host and kernels use at once. A device without
 * fine-grain memory has no managed memory, and its kernels do not reach memory of the host. The
 * pointer is the start of the allocation (OpenCL aligns to 128 bytes), so that recordings know
 * where buffers begin.
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
	CUDA_MEMORY_REGISTERED, /* the application's own, cudaHostRegister */
	CUDA_MEMORY_SYMBOL,     /* a variable of a module: coarse, or managed */
};

struct cuda_allocation {
	uintptr_t address;
	size_t bytes;
	enum cuda_memory_kind kind;
	bool is_shared; /* the host may use it at any time */
	bool is_plain;  /* of malloc */
	unsigned flags; /* as given to cudaHostAlloc, cudaHostRegister, cudaMallocManaged */
	uint64_t id;
};

/*
 * Allocate. 0 bytes: NULL. `is_shared` for symbols only. Returns 0, cudaErrorMemoryAllocation,
 * cudaErrorNotSupported for managed memory that the device has not.
 */
int cuda_memory_alloc(enum cuda_memory_kind kind, size_t bytes, unsigned flags, void **out);

/* A variable's memory; zeroed where the host reaches it. */
int cuda_memory_alloc_symbol(bool is_managed, size_t bytes, void **out);

/* Note memory of the application as its own, registered. cudaErrorHostMemoryAlreadyRegistered,
 * cudaErrorNotSupported where kernels do not reach memory of the process. */
int cuda_memory_register(void *memory, size_t bytes, unsigned flags);

/*
 * Forget what begins at `memory`, and free it once nothing uses it any more. `kinds`: a bit for
 * each kind that may be meant. cudaErrorInvalidValue when none begins there.
 */
int cuda_memory_free(void *memory, unsigned kinds);

/* The allocation that holds `memory`. */
bool cuda_memory_find(const void *memory, struct cuda_allocation *out);

/* Whether `bytes` at `memory` lie in one allocation. */
bool cuda_memory_holds(const void *memory, size_t bytes);

/* Free what the application allocated on the device and did not free; variables stay. Nothing may
 * be running. */
void cuda_memory_free_all(void);

/* Bytes that are allocated. */
size_t cuda_memory_used(void);

/* Addresses of all allocations, at most `limit` of them; for CL_KERNEL_EXEC_INFO_SVM_PTRS. */
size_t cuda_memory_list(void **out, size_t limit);

/*
 * cuda_pool - memory pools as far as programs look at them: a handle with the settings they gave
 * it.
 *
 * Memory of pools comes and goes like other memory.
 */

/* The device's own pool. */
struct cuda_pool *cuda_pool_default(void);

/* Returns 0, or cudaErrorMemoryAllocation. */
int cuda_pool_create(struct cuda_pool **out);

/* Free it; the default one stays. Returns 0, or cudaErrorInvalidValue for NULL. */
int cuda_pool_free(struct cuda_pool *pool);

/* A setting by the interface's number: 1 to 3 are int, 4 to 8 are 64 bits wide.
 * cudaErrorInvalidValue. */
int cuda_pool_set(struct cuda_pool *pool, int attribute, const void *value);
int cuda_pool_get(const struct cuda_pool *pool, int attribute, void *value);

/*
 * cuda_copy - copies and fills of memory in a stream, of up to three dimensions.
 *
 * A copy with host memory that is not pinned is done when the call returns, as CUDA has it; so is
 * one that the caller wants to wait for.
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
