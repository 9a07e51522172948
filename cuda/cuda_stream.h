/*
 * cuda_stream - a stream: an in-order OpenCL queue, and how streams wait for each other.
 *
 * Work of the legacy default stream begins when all that was given before to blocking streams is
 * done, and work given to these later waits for it. A per-thread default stream is a blocking one
 * of its own. All that is enqueued goes between cuda_stream_begin() and cuda_stream_end().
 */
#ifndef CUDA_STREAM_H
#define CUDA_STREAM_H

#include "cuda_core.h"

#include <stdbool.h>
#include <stdint.h>

struct cuda_stream;

/*
 * cuda_host_call - functions of the application that run in the order of a stream.
 *
 * One thread of ours, begun with the first, runs them in the order in which they were given; what
 * follows one in its stream waits until it has returned.
 */

typedef void (*cuda_host_function)(void *data);
typedef void (*cuda_stream_callback)(struct cuda_stream *handle, int status, void *data);

/* Of either sort; the other is NULL. `handle` is what a callback gets. */
struct cuda_host_call {
	cuda_host_function function;
	cuda_stream_callback callback;
	struct cuda_stream *handle;
	void *data;
};

/* Returns 0, cudaErrorMemoryAllocation, cudaErrorOperatingSystem when no thread can be begun. */
int cuda_host_call_add(const struct cuda_host_call *call, struct cuda_stream *s);

/* Handles that are no pointers, as the interfaces have them; NULL is the default one. */
#define CUDA_HANDLE_LEGACY     ((struct cuda_stream *)1)
#define CUDA_HANDLE_PER_THREAD ((struct cuda_stream *)2)

enum { CUDA_STREAM_NON_BLOCKING = 1 };

enum cuda_stream_kind { CUDA_STREAM_MADE, CUDA_STREAM_LEGACY, CUDA_STREAM_OF_THREAD };

struct cuda_stream {
	cl_command_queue queue;
	enum cuda_stream_kind kind;
	bool is_blocking; /* orders itself with the legacy stream */
	unsigned flags;
	int priority;
	uint64_t id;
	/* Under the core's order lock: */
	uint64_t given;  /* commands so far */
	uint64_t known;  /* of them, done or waited for by the legacy stream */
	uint64_t legacy; /* commands of the legacy stream that this one waits for or found done */
	uint64_t done;   /* commands that were waited for by the host */
	cl_event last;   /* of the last command, or NULL */
};

/* Returns 0, or cudaErrorMemoryAllocation. The core must be open, but for the legacy stream. */
int cuda_stream_create(unsigned flags, int priority, enum cuda_stream_kind kind,
                       struct cuda_stream **out);

/* Wait for its work and free it. */
void cuda_stream_free(struct cuda_stream *s);

/* The stream that a handle means: NULL and CUDA_HANDLE_LEGACY the legacy stream. Returns 0, why
 * there is no device, cudaErrorInvalidResourceHandle, or cudaErrorMemoryAllocation. */
int cuda_stream_find(struct cuda_stream *handle, struct cuda_stream **out);

/* Take the order lock, with the waiting for other streams enqueued. Returns 0 or a CUDA code,
 * without the lock. */
int cuda_stream_begin(struct cuda_stream *s);

/* Something was enqueued, whose event the stream takes over (NULL: it failed): give it to the
 * device, and give the lock back. */
void cuda_stream_end(struct cuda_stream *s, cl_event last);

/* Wait for all its work; of all streams. Returns 0 or what broke. Looks at what kernels reported.
 */
int cuda_stream_wait(struct cuda_stream *s);
int cuda_stream_wait_all(void);

/* 0, cudaErrorNotReady, or what broke. */
int cuda_stream_query(struct cuda_stream *s);

/* Free the streams that the application made. Nothing may be running. */
void cuda_stream_free_all(void);

/* The error that stays until the device is reset, or 0; set it (the first stays). */
int cuda_stream_broken(void);
void cuda_stream_break(int code);

/*
 * cuda_event - an event: a marker in a stream, with the time at which it was reached.
 */

enum { CUDA_EVENT_BLOCKING_SYNC = 1, CUDA_EVENT_DISABLE_TIMING = 2, CUDA_EVENT_INTERPROCESS = 4 };

struct cuda_event {
	unsigned flags;
	cl_event marker; /* NULL: not recorded yet; under the core's order lock */
};

/* Returns 0, cudaErrorInvalidValue for flags that do not exist, cudaErrorMemoryAllocation. */
int cuda_event_create(unsigned flags, struct cuda_event **out);

/* These return cudaErrorInvalidResourceHandle for what is no event. An event that was never
 * recorded counts as reached. */
int cuda_event_free(struct cuda_event *e);
int cuda_event_record(struct cuda_event *e, struct cuda_stream *s);
int cuda_event_wait(struct cuda_event *e);
int cuda_event_query(struct cuda_event *e);

/* Make later work of the stream wait for the latest recording of the event. */
int cuda_stream_wait_event(struct cuda_event *e, struct cuda_stream *s);

/* Milliseconds from one to the other. cudaErrorInvalidResourceHandle when one was not recorded or
 * has no time, cudaErrorNotReady when one was not reached. */
int cuda_event_elapsed(float *ms, struct cuda_event *start, struct cuda_event *end);

/* Free those that the application made. */
void cuda_event_free_all(void);

#endif
