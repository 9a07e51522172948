/*
 * cuda_core - the device of the CUDA libraries: an OpenCL device with shared virtual memory, its
 * context, and all objects that the application created on it.
 *
 * The process has one core, since CUDA applications have no handle for it. It is opened at the
 * first call that needs it and never closed, because destructors of applications still use it.
 */
#ifndef CUDA_CORE_H
#define CUDA_CORE_H

/* OpenCL 2.0, for shared virtual memory. */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "array.h"
#include "cuda_device.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_stream;

/*
 * cuda_thread - the data of each thread of the application: the last error, pushed launch
 * configurations, and contexts of the driver API.
 */

enum { CUDA_THREAD_LEVELS = 64 };

/* What <<<...>>> passes to the kernel's stub. */
struct cuda_configuration {
	unsigned grid[3], group[3];
	size_t shared_bytes;
	void *stream;
};

struct cuda_thread {
	int last_error;
	int device_flags;
	size_t configuration_count;
	struct cuda_configuration configurations[CUDA_THREAD_LEVELS];
	size_t context_count;
	void *contexts[CUDA_THREAD_LEVELS];
};

/* Returns the calling thread's data; never NULL. */
struct cuda_thread *cuda_thread(void);

/*
 * cuda_notice - messages of the CUDA libraries to the user: lines on stderr, each written at once.
 */

/* Write "warpline: " and the message as one line. */
void cuda_notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

enum { CUDA_LIMITS = 7 }; /* limits of cudaDeviceSetLimit() */

struct cuda_core {
	int status; /* cudaSuccess, or why there is no device */
	cl_device_id device;
	cl_context context;
	bool is_fine;     /* fine-grain SVM: host and kernels may use memory at the same time */
	bool is_the_host; /* kernels can access the memory of the process */
	size_t memory_bytes;
	struct cuda_gpu gpu;

	pthread_mutex_t lock;     /* for the lists */
	struct array allocations; /* struct cuda_allocation, ascending */
	size_t used_bytes;
	size_t limits[CUDA_LIMITS];
	struct array streams;   /* struct cuda_stream * */
	struct array events;    /* struct cuda_event * */
	struct array modules;   /* struct cuda_module * */
	struct array functions; /* struct cuda_binding, by host address */
	struct array variables;
	struct array missing; /* const char *: calls reported as not supported */
	uint64_t next_id;

	pthread_mutex_t order; /* held while enqueuing, never while waiting */
	struct cuda_stream *legacy;
	cl_command_queue service; /* for reading memory outside of all streams */
	int sticky;               /* the error that broke the device, until it is reset */
};

/* Returns the core, opened if that was not tried yet; check ->status. */
struct cuda_core *cuda_core(void);

/* Returns the core, opened or not, for uses that need no device. */
struct cuda_core *cuda_core_unopened(void);

/* Returns a new number for a handle, from 1. */
uint64_t cuda_core_next_id(void);

/* Returns the index of a pointer in a list of pointers, or the list's count. Called with the lock
 * held. */
size_t cuda_core_place(const struct array *list, const void *item);

/* Returns the CUDA code for an OpenCL code. */
int cuda_core_error(cl_int code);

#endif
