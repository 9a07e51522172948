/*
 * cuda_host_call - functions of the application that run in the order of a stream.
 *
 * One thread of ours, begun with the first, runs them in the order in which they were given; what
 * comes behind one in its stream waits until it has returned.
 */
#ifndef CUDA_HOST_CALL_H
#define CUDA_HOST_CALL_H

struct cuda_stream;

typedef void (*cuda_host_function)(void *data);
typedef void (*cuda_stream_callback)(struct cuda_stream *handle, int status, void *data);

/* Of either sort; the other is NULL. `handle` is what a callback is told. */
struct cuda_host_call {
	cuda_host_function function;
	cuda_stream_callback callback;
	struct cuda_stream *handle;
	void *data;
};

/* Returns 0, cudaErrorMemoryAllocation, cudaErrorOperatingSystem when no thread can be begun. */
int cuda_host_call_add(const struct cuda_host_call *call, struct cuda_stream *s);

#endif
