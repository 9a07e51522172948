/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_host_call.h"

#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_stream.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct waiting_call {
	struct cuda_host_call call;
	cl_event before, after; /* reached before it; to be set behind it */
	struct waiting_call *next;
};

/* The list of calls, first in first out, and the thread that empties it. */
struct call_list {
	pthread_mutex_t lock;
	pthread_cond_t has_more;
	struct waiting_call *first, **end;
	bool has_thread;
};

static struct call_list *the_list(void)
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

/* The application's signals are not for this thread. The list's lock must be held. */
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
	struct call_list *list = the_list();
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

/* The marker before the call, and the waiting for its end. */
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
	/* Under the order lock: the list is in the order of the streams. */
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
