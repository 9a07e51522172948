/*
 * session - the one recording of this process and what it knows of the application's objects.
 *
 * Begun by the first context that the application makes, ended with the process; a
 * forked child begins its own. Without WARPLINE_DIR there is never one. The lock
 * guards the maps and what they name, is held for short and never across a
 * driver call, a process or the disk.
 */
#ifndef SESSION_H
#define SESSION_H

#include "array.h"
#include "binary_store.h"
#include "handle_map.h"
#include "in_flight.h"
#include "launch_filter.h"
#include "launch_quota.h"
#include "launch_tally.h"
#include "macro_store.h"
#include "opencl.h"
#include "recorder_settings.h"

#include <pthread.h>

struct launch_job;
struct recorder;
struct worker;

struct session {
	struct recorder_settings settings;
	struct launch_filter filter;     /* that the settings ask for */
	struct launch_quota quota;       /* likewise */
	bool has_selection;              /* they may leave launches out */
	atomic_bool has_unmodified;      /* a kernel's launches are no longer given lines */
	atomic_uint_fast64_t handle_age; /* grows when a kernel or queue is given up: its handle may
	                                    come again; unlike that of other sessions */
	struct launch_tallies tallies;
	struct recorder *recorder;
	struct worker *worker;
	pthread_mutex_t lock;
	pthread_mutex_t
		own_lock; /* of own_objects; recursive, across driver calls; before `lock` */
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
	struct macro_store macros;         /* with locks of its own */
	struct launch_job *waiting;        /* waiting_jobs */
	_Atomic(struct launch_job *) done; /* launch_job_free_later() */
	struct in_flight in_flight;
	struct array svm;          /* of struct address_range */
	struct array svm_holds;    /* of svm_range.c */
	pthread_cond_t svm_let_go; /* one of them is gone */
	struct array pending;      /* of struct pending_buffer; changes under both locks */
};

/* The session, begun if need be; NULL when this process does not record (any more). */
struct session *session_begin(void);

/* The session if it has begun and has not ended, else NULL. */
struct session *session_current(void);

/* Wait for what is ready to run, as the process is about to end: while all of the driver is there.
 * Without a session: nothing. */
void session_settle(void);

/* End the session: wait for what is ready to run, write the last line, forward from now on. */
void session_end(void);

/* For tests: a session with these settings, the rest from the environment, and after session_end()
 * all that it knows, freed. */
struct session *session_create(const char *dir, const char *instrumenter, uint64_t buffer_bytes);
void session_free(struct session *s);

/* A kernel or a queue of the application is no more, or has a new handle. */
void session_give_up_handle(struct session *s);

void session_lock(struct session *s);
void session_unlock(struct session *s);

#endif
