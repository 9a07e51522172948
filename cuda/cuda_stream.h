/*
 * cuda_stream - CUDA streams: each is an in-order OpenCL queue, with CUDA's rules for waiting.
 *
 * Work of the legacy default stream begins when all earlier work of blocking streams is done, and
 * their later work waits for it. A per-thread default stream is a blocking stream. All enqueuing is
 * between cuda_stream_begin() and cuda_stream_end().
 */
#ifndef CUDA_STREAM_H
#define CUDA_STREAM_H

#include "cuda_core.h"

#include <stdbool.h>
#include <stdint.h>

struct cuda_stream;

/*
 * cuda_host_call - functions of the application that run in stream order.
 *
 * One thread, started with the first call, runs them in the order of their calls. Later work in the
 * stream waits until the function has returned.
 */

typedef void (*cuda_host_function)(void *data);
typedef void (*cuda_stream_callback)(struct cuda_stream *handle, int status, void *data);

/* One of the two functions is NULL. `handle` is passed to a callback. */
struct cuda_host_call {
	cuda_host_function function;
	cuda_stream_callback callback;
	struct cuda_stream *handle;
	void *data;
};

/* Add a call to a stream. Returns 0, cudaErrorMemoryAllocation, or cudaErrorOperatingSystem when no
 * thread can be started. */
int cuda_host_call_add(const struct cuda_host_call *call, struct cuda_stream *s);

/* CUDA's special handles of streams; NULL is the default stream. */
#define CUDA_HANDLE_LEGACY     ((struct cuda_stream *)1)
#define CUDA_HANDLE_PER_THREAD ((struct cuda_stream *)2)

enum { CUDA_STREAM_NON_BLOCKING = 1 };

enum cuda_stream_kind { CUDA_STREAM_MADE, CUDA_STREAM_LEGACY, CUDA_STREAM_OF_THREAD };

struct cuda_stream {
	cl_command_queue queue;
	enum cuda_stream_kind kind;
	bool is_blocking; /* synchronizes with the legacy stream */
	unsigned flags;
	int priority;
	uint64_t id;
	/* Under the core's order lock: */
	uint64_t given; /* number of commands so far */
	uint64_t known; /* of these, done or waited for by the legacy stream */
	uint64_t
		legacy; /* commands of the legacy stream that are done or that this one waits for */
	uint64_t done;  /* commands that the host has waited for */
	cl_event last;  /* of the last command, or NULL */
};

/* Create a stream. The core must be open, except for the legacy stream. Returns 0 or
 * cudaErrorMemoryAllocation. */
int cuda_stream_create(unsigned flags, int priority, enum cuda_stream_kind kind,
                       struct cuda_stream **out);

/* Wait for a stream's work and free it. */
void cuda_stream_free(struct cuda_stream *s);

/* Find the stream of a handle; NULL and CUDA_HANDLE_LEGACY mean the legacy stream. Returns 0, why
 * there is no device, cudaErrorInvalidResourceHandle, or cudaErrorMemoryAllocation. */
int cuda_stream_find(struct cuda_stream *handle, struct cuda_stream **out);

/* Take the order lock and enqueue the waits for other streams. Returns 0, or a CUDA code without
 * taking the lock. */
int cuda_stream_begin(struct cuda_stream *s);

/* Flush what was enqueued and release the lock. The stream takes ownership of `last`, its event;
 * NULL: enqueuing failed. */
void cuda_stream_end(struct cuda_stream *s, cl_event last);

/* Wait for all work of a stream; of all streams. Return 0 or the error that broke the device. They
 * check what kernels reported.
 */
int cuda_stream_wait(struct cuda_stream *s);
int cuda_stream_wait_all(void);

/* Returns 0, cudaErrorNotReady, or the error that broke the device. */
int cuda_stream_query(struct cuda_stream *s);

/* Free the streams that the application created. Nothing may be running. */
void cuda_stream_free_all(void);

/* Return the sticky error, which stays until the device is reset, or 0; set it unless it is set. */
int cuda_stream_broken(void);
void cuda_stream_break(int code);

/*
 * cuda_event - CUDA events: markers in streams, with the time at which they were reached.
 */

enum { CUDA_EVENT_BLOCKING_SYNC = 1, CUDA_EVENT_DISABLE_TIMING = 2, CUDA_EVENT_INTERPROCESS = 4 };

struct cuda_event {
	unsigned flags;
	cl_event marker; /* NULL: not recorded yet; guarded by the core's order lock */
};

/* Create an event. Returns 0, cudaErrorInvalidValue for unknown flags, or
 * cudaErrorMemoryAllocation. */
int cuda_event_create(unsigned flags, struct cuda_event **out);

/* These fail with cudaErrorInvalidResourceHandle when `e` is not an event. An event that was never
 * recorded counts as reached. */
int cuda_event_free(struct cuda_event *e);
int cuda_event_record(struct cuda_event *e, struct cuda_stream *s);
int cuda_event_wait(struct cuda_event *e);
int cuda_event_query(struct cuda_event *e);

/* Make later work of the stream wait for the latest recording of the event. */
int cuda_stream_wait_event(struct cuda_event *e, struct cuda_stream *s);

/* Get the milliseconds between two events. Fails with cudaErrorInvalidResourceHandle when one was
 * not recorded or has no time, and with cudaErrorNotReady when one was not reached. */
int cuda_event_elapsed(float *ms, struct cuda_event *start, struct cuda_event *end);

/* Free the events that the application created. */
void cuda_event_free_all(void);

#endif
