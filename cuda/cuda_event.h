/*
 * cuda_event - an event: a marker in a stream, with the time at which it was reached.
 */
#ifndef CUDA_EVENT_H
#define CUDA_EVENT_H

#include "cuda_core.h"

#include <stdint.h>

struct cuda_stream;

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

/* Let what follows in the stream wait for the event as it was last recorded. */
int cuda_event_let_wait(struct cuda_event *e, struct cuda_stream *s);

/* Milliseconds from one to the other. cudaErrorInvalidResourceHandle when one was not recorded or
 * has no time, cudaErrorNotReady when one was not reached. */
int cuda_event_elapsed(float *ms, struct cuda_event *start, struct cuda_event *end);

/* Free those that the application made. */
void cuda_event_free_all(void);

#endif
