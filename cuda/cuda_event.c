/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_event.h"

#include "array.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cuda_stream.h"

#include <stdlib.h>

int cuda_event_create(unsigned flags, struct cuda_event **out)
{
	struct cuda_core *c = cuda_core();
	struct cuda_event *e, **slot;

	*out = NULL;
	if (c->status)
		return c->status;
	if (flags & ~(unsigned)(CUDA_EVENT_BLOCKING_SYNC | CUDA_EVENT_DISABLE_TIMING |
	                        CUDA_EVENT_INTERPROCESS))
		return cudaErrorInvalidValue;
	if (flags & CUDA_EVENT_INTERPROCESS)
		return cudaErrorNotSupported;
	e = calloc(1, sizeof(*e));
	if (!e)
		return cudaErrorMemoryAllocation;
	e->flags = flags;
	pthread_mutex_lock(&c->order);
	slot = array_push(&c->events, 1, NULL);
	if (slot)
		*slot = e;
	pthread_mutex_unlock(&c->order);
	if (!slot) {
		free(e);
		return cudaErrorMemoryAllocation;
	}
	*out = e;
	return cudaSuccess;
}

/* Where an event is in the list, or the count; the order lock must be held. */
static size_t place_of(const struct cuda_core *c, const struct cuda_event *e)
{
	struct cuda_event *const *list = c->events.data;
	size_t i = c->events.count;

	while (i > 0 && list[i - 1] != e)
		i--;
	return i ? i - 1 : c->events.count;
}

int cuda_event_free(struct cuda_event *e)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_event **list;
	size_t place;

	pthread_mutex_lock(&c->order);
	place = place_of(c, e);
	list = c->events.data;
	if (place == c->events.count) {
		pthread_mutex_unlock(&c->order);
		return cudaErrorInvalidResourceHandle;
	}
	list[place] = list[--c->events.count];
	pthread_mutex_unlock(&c->order);
	if (e->marker)
		clReleaseEvent(e->marker);
	free(e);
	return cudaSuccess;
}

int cuda_event_record(struct cuda_event *e, struct cuda_stream *s)
{
	struct cuda_core *c = cuda_core_unopened();
	cl_event marker = NULL, old;
	int rc = cuda_stream_begin(s);

	if (rc)
		return rc;
	if (place_of(c, e) == c->events.count) {
		pthread_mutex_unlock(&c->order);
		return cudaErrorInvalidResourceHandle;
	}
	rc = cuda_core_error(clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &marker));
	old = e->marker;
	if (rc == cudaSuccess) {
		e->marker = marker;
		clRetainEvent(marker);
	}
	cuda_stream_end(s, marker);
	if (rc == cudaSuccess && old)
		clReleaseEvent(old);
	return rc;
}

/* A reference to the event's marker, or NULL when it was never recorded. */
static int take_marker(struct cuda_event *e, cl_event *marker)
{
	struct cuda_core *c = cuda_core_unopened();
	int rc = cudaErrorInvalidResourceHandle;

	*marker = NULL;
	pthread_mutex_lock(&c->order);
	if (place_of(c, e) < c->events.count) {
		*marker = e->marker;
		if (*marker)
			clRetainEvent(*marker);
		rc = cudaSuccess;
	}
	pthread_mutex_unlock(&c->order);
	return rc;
}

int cuda_event_wait(struct cuda_event *e)
{
	cl_event marker;
	int rc = take_marker(e, &marker);

	if (rc || !marker)
		return rc;
	if (clWaitForEvents(1, &marker) != CL_SUCCESS)
		cuda_stream_break(cudaErrorLaunchFailure);
	clReleaseEvent(marker);
	return cuda_module_check();
}

int cuda_event_query(struct cuda_event *e)
{
	cl_int status = CL_COMPLETE;
	cl_event marker;
	int rc = take_marker(e, &marker);

	if (rc || !marker)
		return rc;
	clGetEventInfo(marker, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
	clReleaseEvent(marker);
	if (status < 0)
		cuda_stream_break(cudaErrorLaunchFailure);
	return status > CL_COMPLETE ? (int)cudaErrorNotReady : cuda_module_check();
}

int cuda_event_let_wait(struct cuda_event *e, struct cuda_stream *s)
{
	cl_event marker, last = NULL;
	int rc = take_marker(e, &marker);

	if (rc || !marker)
		return rc;
	rc = cuda_stream_begin(s);
	if (rc == cudaSuccess) {
		rc = cuda_core_error(clEnqueueBarrierWithWaitList(s->queue, 1, &marker, &last));
		cuda_stream_end(s, last);
	}
	clReleaseEvent(marker);
	return rc;
}

/* When it was reached, in ns. */
static int time_of(struct cuda_event *e, cl_ulong *time)
{
	cl_event marker;
	int rc = take_marker(e, &marker);

	if (rc)
		return rc;
	if (!marker)
		return cudaErrorInvalidResourceHandle;
	rc = cuda_event_query(e);
	if (rc == cudaSuccess && clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_END,
	                                                 sizeof(*time), time, NULL) != CL_SUCCESS)
		rc = cudaErrorInvalidResourceHandle;
	clReleaseEvent(marker);
	return rc;
}

int cuda_event_elapsed(float *ms, struct cuda_event *start, struct cuda_event *end)
{
	cl_ulong from = 0, to = 0;
	int rc = time_of(start, &from);

	if (rc == cudaSuccess)
		rc = time_of(end, &to);
	if (rc)
		return rc;
	if ((start->flags | end->flags) & CUDA_EVENT_DISABLE_TIMING)
		return cudaErrorInvalidResourceHandle;
	*ms = (float)((double)((int64_t)(to - from)) / 1e6);
	return cudaSuccess;
}

void cuda_event_free_all(void)
{
	struct cuda_core *c = cuda_core_unopened();

	for (;;) {
		struct cuda_event *e = NULL;

		pthread_mutex_lock(&c->order);
		if (c->events.count)
			e = *(struct cuda_event **)c->events.data;
		pthread_mutex_unlock(&c->order);
		if (!e)
			return;
		cuda_event_free(e);
	}
}
