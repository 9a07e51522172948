/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_stream.h"

#include "array.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct waiting_call {
	struct cuda_host_call call;
	cl_event before, after; /* reached before the call; set after it */
	struct waiting_call *next;
};

/* The queue of calls, and the thread that makes them. */
struct call_list {
	pthread_mutex_t lock;
	pthread_cond_t has_more;
	struct waiting_call *first, **end;
	bool has_thread;
};

static struct call_list *call_list_get(void)
{
	static struct call_list list = { .lock = PTHREAD_MUTEX_INITIALIZER,
		                         .has_more = PTHREAD_COND_INITIALIZER };

	return &list;
}

static void run(const struct waiting_call *w)
{
	cl_int code = clWaitForEvents(1, &w->before);

	if (code != CL_SUCCESS)
		cuda_stream_break(cudaErrorLaunchFailure);
	if (w->call.function && code == CL_SUCCESS)
		w->call.function(w->call.data);
	if (w->call.callback)
		w->call.callback(w->call.handle,
		                 code == CL_SUCCESS ? cudaSuccess : (int)cudaErrorLaunchFailure,
		                 w->call.data);
	clSetUserEventStatus(w->after, CL_COMPLETE);
	clReleaseEvent(w->before);
	clReleaseEvent(w->after);
}

static void *work(void *context)
{
	struct call_list *list = context;

	for (;;) {
		struct waiting_call *w;

		pthread_mutex_lock(&list->lock);
		while (!list->first)
			pthread_cond_wait(&list->has_more, &list->lock);
		w = list->first;
		list->first = w->next;
		pthread_mutex_unlock(&list->lock);
		run(w);
		free(w);
	}
	return NULL;
}

/* Start the thread, with signals masked. Called with the list's lock held. */
static bool begin_thread(struct call_list *list)
{
	sigset_t all, before;
	pthread_t thread;

	if (list->has_thread)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	list->has_thread = pthread_create(&thread, NULL, work, list) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (list->has_thread)
		pthread_detach(thread);
	return list->has_thread;
}

static bool append(struct waiting_call *w)
{
	struct call_list *list = call_list_get();
	bool has_thread;

	pthread_mutex_lock(&list->lock);
	has_thread = begin_thread(list);
	if (has_thread) {
		if (!list->first)
			list->end = &list->first;
		*list->end = w;
		list->end = &w->next;
		pthread_cond_signal(&list->has_more);
	}
	pthread_mutex_unlock(&list->lock);
	return has_thread;
}

/* Enqueue the marker before the call and the wait for its end. */
static cl_int enqueue(struct waiting_call *w, const struct cuda_stream *s, cl_event *last)
{
	cl_int code;

	w->after = clCreateUserEvent(cuda_core()->context, &code);
	if (!w->after)
		return code;
	code = clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &w->before);
	if (code == CL_SUCCESS)
		code = clEnqueueBarrierWithWaitList(s->queue, 1, &w->after, last);
	return code;
}

int cuda_host_call_add(const struct cuda_host_call *call, struct cuda_stream *s)
{
	struct waiting_call *w = calloc(1, sizeof(*w));
	cl_event last = NULL;
	int rc = w ? cuda_stream_begin(s) : (int)cudaErrorMemoryAllocation;

	if (rc) {
		free(w);
		return rc;
	}
	w->call = *call;
	rc = cuda_core_error(enqueue(w, s, &last));
	/* With the order lock held, so that the list is in the streams' order. */
	if (rc == cudaSuccess && !append(w))
		rc = cudaErrorOperatingSystem;
	cuda_stream_end(s, last);
	if (rc == cudaSuccess)
		return rc;
	if (w->after) {
		clSetUserEventStatus(w->after, CL_COMPLETE);
		clReleaseEvent(w->after);
	}
	if (w->before)
		clReleaseEvent(w->before);
	free(w);
	return rc;
}

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of the thread's own stream */

static void end_thread(void *stream)
{
	cuda_stream_free(stream);
}

static void make_key(void)
{
	pthread_key_create(&key, end_thread);
}

int cuda_stream_create(unsigned flags, int priority, enum cuda_stream_kind kind,
                       struct cuda_stream **out)
{
	static const cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES,
		                                          CL_QUEUE_PROFILING_ENABLE, 0 };
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_stream *s = calloc(1, sizeof(*s)), **slot;
	cl_int code;

	*out = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->kind = kind;
	s->flags = flags;
	s->priority = priority;
	s->is_blocking = kind != CUDA_STREAM_LEGACY && !(flags & CUDA_STREAM_NON_BLOCKING);
	s->id = cuda_core_next_id();
	s->queue = clCreateCommandQueueWithProperties(c->context, c->device, properties, &code);
	pthread_mutex_lock(&c->order);
	slot = s->queue ? array_push(&c->streams, 1, NULL) : NULL;
	if (slot)
		*slot = s;
	pthread_mutex_unlock(&c->order);
	if (!slot) {
		if (s->queue)
			clReleaseCommandQueue(s->queue);
		free(s);
		return cudaErrorMemoryAllocation;
	}
	*out = s;
	return cudaSuccess;
}

void cuda_stream_free(struct cuda_stream *s)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_stream **list;
	size_t place;

	if (!s)
		return;
	clFinish(s->queue);
	pthread_mutex_lock(&c->order);
	place = cuda_core_place(&c->streams, s);
	list = c->streams.data;
	if (place < c->streams.count)
		list[place] = list[--c->streams.count];
	pthread_mutex_unlock(&c->order);
	if (s->last)
		clReleaseEvent(s->last);
	clReleaseCommandQueue(s->queue);
	free(s);
}

static int find_of_thread(struct cuda_stream **out)
{
	int rc;

	pthread_once(&key_once, make_key);
	*out = pthread_getspecific(key);
	if (*out)
		return cudaSuccess;
	rc = cuda_stream_create(0, 0, CUDA_STREAM_OF_THREAD, out);
	if (rc == cudaSuccess)
		pthread_setspecific(key, *out);
	return rc;
}

int cuda_stream_find(struct cuda_stream *handle, struct cuda_stream **out)
{
	struct cuda_core *c = cuda_core();
	bool is_known;

	*out = c->legacy;
	if (c->status || !handle || handle == CUDA_HANDLE_LEGACY)
		return c->status;
	if (handle == CUDA_HANDLE_PER_THREAD)
		return find_of_thread(out);
	pthread_mutex_lock(&c->order);
	is_known = cuda_core_place(&c->streams, handle) < c->streams.count;
	pthread_mutex_unlock(&c->order);
	*out = is_known ? handle : NULL;
	return is_known ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* Let `s` wait for all commands of `other` so far. */
static cl_int wait_for(struct cuda_stream *s, struct cuda_stream *other)
{
	cl_event marker = NULL;
	cl_int code = clEnqueueMarkerWithWaitList(other->queue, 0, NULL, &marker);

	if (code != CL_SUCCESS)
		return code;
	clFlush(other->queue);
	code = clEnqueueBarrierWithWaitList(s->queue, 1, &marker, NULL);
	clReleaseEvent(marker);
	return code;
}

static cl_int order_legacy(struct cuda_core *c)
{
	struct cuda_stream *const *list = c->streams.data;
	cl_int code = CL_SUCCESS;

	for (size_t i = 0; code == CL_SUCCESS && i < c->streams.count; i++) {
		struct cuda_stream *other = list[i];

		if (!other->is_blocking || other->known == other->given)
			continue;
		code = wait_for(c->legacy, other);
		other->known = other->given;
	}
	return code;
}

int cuda_stream_begin(struct cuda_stream *s)
{
	struct cuda_core *c = cuda_core_unopened();
	cl_int code = CL_SUCCESS;

	pthread_mutex_lock(&c->order);
	if (s == c->legacy) {
		code = order_legacy(c);
	} else if (s->is_blocking && s->legacy != c->legacy->given) {
		code = wait_for(s, c->legacy);
		s->legacy = c->legacy->given;
	}
	if (code == CL_SUCCESS)
		return cudaSuccess;
	pthread_mutex_unlock(&c->order);
	return cuda_core_error(code);
}

void cuda_stream_end(struct cuda_stream *s, cl_event last)
{
	struct cuda_core *c = cuda_core_unopened();

	s->given++;
	if (last) {
		if (s->last)
			clReleaseEvent(s->last);
		s->last = last;
	}
	clFlush(s->queue);
	pthread_mutex_unlock(&c->order);
}

/* Note that the first `given` commands are done and need no waiting. */
static void note_done(struct cuda_core *c, struct cuda_stream *s, uint64_t given)
{
	struct cuda_stream *const *list = c->streams.data;

	if (s->known < given)
		s->known = given;
	if (s->done < given)
		s->done = given;
	for (size_t i = 0; s == c->legacy && i < c->streams.count; i++)
		if (list[i]->legacy < given)
			list[i]->legacy = given;
}

static int finish(struct cuda_stream *s)
{
	struct cuda_core *c = cuda_core_unopened();
	uint64_t given;
	cl_int code;

	pthread_mutex_lock(&c->order);
	given = s->given;
	pthread_mutex_unlock(&c->order);
	code = clFinish(s->queue);
	if (code != CL_SUCCESS)
		cuda_stream_break(cudaErrorLaunchFailure);
	pthread_mutex_lock(&c->order);
	note_done(c, s, given);
	pthread_mutex_unlock(&c->order);
	return cuda_module_check();
}

int cuda_stream_wait(struct cuda_stream *s)
{
	struct cuda_core *c = cuda_core_unopened();
	int rc = cudaSuccess;

	if (s == c->legacy) {
		rc = cuda_stream_begin(s);
		if (rc == cudaSuccess)
			cuda_stream_end(s, NULL);
	}
	return rc ? rc : finish(s);
}

int cuda_stream_wait_all(void)
{
	struct cuda_core *c = cuda_core();
	cl_command_queue *queues;
	size_t count;

	if (c->status)
		return c->status;
	pthread_mutex_lock(&c->order);
	count = c->streams.count;
	queues = calloc(count + 1, sizeof(*queues));
	for (size_t i = 0; queues && i < count; i++) {
		queues[i] = ((struct cuda_stream **)c->streams.data)[i]->queue;
		clRetainCommandQueue(queues[i]);
	}
	pthread_mutex_unlock(&c->order);
	for (size_t i = 0; queues && i < count; i++) {
		if (clFinish(queues[i]) != CL_SUCCESS)
			cuda_stream_break(cudaErrorLaunchFailure);
		clReleaseCommandQueue(queues[i]);
	}
	if (!queues)
		return cudaErrorMemoryAllocation;
	free(queues);
	return cuda_module_check();
}

/* Returns the state of the last command. Called with the order lock held. */
static cl_int ask(struct cuda_stream *s)
{
	cl_int status = CL_COMPLETE;

	if (s->done == s->given || !s->last)
		return CL_COMPLETE;
	clGetEventInfo(s->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
	if (status == CL_COMPLETE)
		s->done = s->given;
	return status;
}

int cuda_stream_query(struct cuda_stream *s)
{
	struct cuda_core *c = cuda_core_unopened();
	cl_int status;

	if (s == c->legacy) {
		struct cuda_stream *const *list;

		pthread_mutex_lock(&c->order);
		list = c->streams.data;
		status = CL_COMPLETE;
		for (size_t i = 0; status == CL_COMPLETE && i < c->streams.count; i++)
			if (list[i] == s || list[i]->is_blocking)
				status = ask(list[i]);
		pthread_mutex_unlock(&c->order);
	} else {
		pthread_mutex_lock(&c->order);
		status = ask(s);
		pthread_mutex_unlock(&c->order);
	}
	if (status < 0)
		cuda_stream_break(cudaErrorLaunchFailure);
	return status > CL_COMPLETE ? (int)cudaErrorNotReady : cuda_module_check();
}

void cuda_stream_free_all(void)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_stream *found;

	do {
		found = NULL;
		pthread_mutex_lock(&c->order);
		for (size_t i = 0; i < c->streams.count; i++) {
			struct cuda_stream *s = ((struct cuda_stream **)c->streams.data)[i];

			found = s->kind == CUDA_STREAM_MADE ? s : found;
		}
		pthread_mutex_unlock(&c->order);
		cuda_stream_free(found);
	} while (found);
}

int cuda_stream_broken(void)
{
	struct cuda_core *c = cuda_core_unopened();
	int code;

	pthread_mutex_lock(&c->lock);
	code = c->sticky;
	pthread_mutex_unlock(&c->lock);
	return code;
}

void cuda_stream_break(int code)
{
	struct cuda_core *c = cuda_core_unopened();

	pthread_mutex_lock(&c->lock);
	if (!c->sticky)
		c->sticky = code;
	pthread_mutex_unlock(&c->lock);
}

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

int cuda_event_free(struct cuda_event *e)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_event **list;
	size_t place;

	pthread_mutex_lock(&c->order);
	place = cuda_core_place(&c->events, e);
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
	if (cuda_core_place(&c->events, e) == c->events.count) {
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

/* Get a reference to the event's marker, or NULL when it was never recorded. */
static int take_marker(struct cuda_event *e, cl_event *marker)
{
	struct cuda_core *c = cuda_core_unopened();
	int rc = cudaErrorInvalidResourceHandle;

	*marker = NULL;
	pthread_mutex_lock(&c->order);
	if (cuda_core_place(&c->events, e) < c->events.count) {
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

int cuda_stream_wait_event(struct cuda_event *e, struct cuda_stream *s)
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

/* Get the time at which the event was reached, in ns. */
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
