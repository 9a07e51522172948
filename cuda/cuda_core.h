/*
 * cuda_core - the one device of the CUDA libraries: an OpenCL device with shared virtual memory,
 * its context, and all that applications made on it.
 *
 * The process has one, since applications of CUDA have no handle for it. It is opened at the first
 * call that needs it and never closed: destructors of applications still use it.
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
 * cuda_thread - what each thread of the application has of its own: the last error, launch
 * configurations that were pushed, and contexts of the driver's interface.
 */

enum { CUDA_THREAD_LEVELS = 64 };

/* What <<<...>>> leaves for the stub of the kernel. */
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

/* The calling thread's; never NULL. */
struct cuda_thread *cuda_thread(void);

/*
 * cuda_notice - what the CUDA libraries say to the user: lines on stderr, each written at once.
 */

/* Write "warpline: " and the text as one line. */
void cuda_notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

enum { CUDA_LIMITS = 7 }; /* that cudaDeviceSetLimit() knows */

struct cuda_core {
	int status; /* cudaSuccess, or why there is no device */
	cl_device_id device;
	cl_context context;
	bool is_fine;     /* fine-grain SVM: host and kernels may use memory at once */
	bool is_the_host; /* kernels reach the memory of the process */
	size_t memory_bytes;
	struct cuda_gpu gpu;

	pthread_mutex_t lock;     /* for the lists */
	struct array allocations; /* struct cuda_allocation, ascending */
	size_t used_bytes;
	size_t limits[CUDA_LIMITS];
	struct array streams;   /* struct cuda_stream * */
	struct array events;    /* struct cuda_event * */
	struct array modules;   /* struct cuda_module * */
	struct array functions; /* struct cuda_binding: by the host's address */
	struct array variables;
	struct array missing; /* const char *: calls named as not supported */
	uint64_t next_id;

	pthread_mutex_t order; /* held while something is enqueued, never while waiting */
	struct cuda_stream *legacy;
	cl_command_queue service; /* for looks at memory that no stream orders */
	int sticky;               /* what broke the device, until it is reset */
};

/* The core, opened if that was not tried yet; look at ->status. */
struct cuda_core *cuda_core(void);

/* The core, opened or not, for what needs no device. */
struct cuda_core *cuda_core_unopened(void);

/* A number for a handle, from 1. */
uint64_t cuda_core_next_id(void);

/* Index of a pointer in a list of pointers, or its count. The lock must be held. */
size_t cuda_core_place(const struct array *list, const void *item);

/* The CUDA code of an OpenCL one. */
int cuda_core_error(cl_int code);

#endif
