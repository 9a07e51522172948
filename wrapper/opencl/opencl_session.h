/*
 * opencl_session - OpenCL's part of the session: the application's objects, and what happens when
 * the process ends.
 */
#ifndef OPENCL_SESSION_H
#define OPENCL_SESSION_H

#include "array.h"
#include "binary_store.h"
#include "handle_map.h"
#include "in_flight.h"
#include "macro_store.h"
#include "opencl.h"
#include "session.h"

struct launch_job;
struct worker;

struct opencl_session {
	atomic_uint_fast64_t handle_age; /* grows when a kernel's or queue's handle may be reused;
	                                    differs from other sessions' */
	struct worker *worker;
	pthread_mutex_t own_lock;   /* of own_objects; recursive, held across driver calls; taken
	                               before the session's */
	struct handle_map contexts; /* cl_context -> struct context_state */
	struct handle_map queues;   /* cl_command_queue -> struct queue_state */
	struct handle_map memory;   /* cl_mem, cl_sampler -> struct memory_state */
	uint64_t memory_serial;     /* of the next of them */
	struct handle_map programs; /* cl_program -> struct program_state */
	struct handle_map kernels;  /* cl_kernel -> struct kernel_state */
	struct handle_map events;   /* cl_event -> struct event_times */
	struct handle_map
		command_buffers;   /* cl_command_buffer_khr -> struct command_buffer_state */
	struct handle_map devices; /* cl_device_id -> struct device_state */
	struct binary_store binaries;
	struct macro_store macros;         /* has its own locks */
	struct launch_job *waiting;        /* waiting_jobs */
	_Atomic(struct launch_job *) done; /* launch_job_free_later() */
	struct in_flight in_flight;
	struct array svm_holds;      /* of svm_hold.c */
	pthread_cond_t svm_released; /* one of them was released */
	struct array pending;        /* of struct pending_buffer; changes under both locks */
};

/* For session_begin(). */
extern const struct session_part opencl_part;

static inline struct opencl_session *opencl_session(const struct session *s)
{
	return s->part;
}

/* Wait for launches that are ready to run: the process is about to end, and the driver still works.
 * Does nothing without a session. */
void opencl_session_settle(void);

/* Note that the handle of a kernel or queue of the application may be reused. */
static inline void opencl_session_retire_handle(struct session *s)
{
	atomic_fetch_add_explicit(&opencl_session(s)->handle_age, 1, memory_order_release);
}

#endif
