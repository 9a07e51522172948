/*
 * cuda_launch - a kernel launch: CUDA's parameters become OpenCL arguments, and the kernel is
 * enqueued.
 */
#ifndef CUDA_LAUNCH_H
#define CUDA_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

struct cuda_function;
struct cuda_stream;

struct cuda_launch {
	struct cuda_function *function;
	unsigned grid[3], group[3]; /* groups; work-items of one */
	size_t shared_bytes;        /* dynamic */
	void **params;              /* address of each parameter; or */
	const void *buffer;         /* all of them, each at its offset */
	size_t buffer_bytes;
	bool is_cooperative; /* all groups are to be resident at once */
};

/*
 * Returns 0 once it is enqueued. cudaErrorInvalidConfiguration for sizes that no GPU takes,
 * cudaErrorLaunchOutOfResources for more work-items than the kernel takes,
 * cudaErrorInvalidValue for more shared memory than there is and for missing parameters,
 * cudaErrorCooperativeLaunchTooLarge; what cuda_function_load() returns.
 */
int cuda_launch_run(const struct cuda_launch *launch, struct cuda_stream *s);

#endif
