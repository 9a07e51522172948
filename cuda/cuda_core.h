/*
 * cuda_core - the one device of the CUDA libraries: an OpenCL device with shared virtual memory,
 * its context, and all that applications made on it.
 *
 * The process has one, since applications of CUDA have no handle for it. It is opened at the first
 * call that needs it and never closed: destructors of applications still use it.
 */
#ifndef CUDA_CORE_H
#define CUDA_CORE_H

#include "array.h"
#include "cuda_gpu.h"
#include "cuda_opencl.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct cuda_stream;

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

/* The core as it is, for what needs no device. */
struct cuda_core *cuda_core_unopened(void);

/* A number for a handle, from 1. */
uint64_t cuda_core_next_id(void);

/* The CUDA code of an OpenCL one. */
int cuda_core_error(cl_int code);

#endif
