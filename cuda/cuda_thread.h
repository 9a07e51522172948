/*
 * cuda_thread - what each thread of the application has of its own: the last error, launch
 * configurations that were pushed, and contexts of the driver's interface.
 */
#ifndef CUDA_THREAD_H
#define CUDA_THREAD_H

#include <stddef.h>

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

#endif
