/*
 * gpu_session - the one recording of a process that uses the CUDA driver, and what it knows of the
 * application's objects.
 *
 * Begun by the first module, library or memory that the application makes, ended with the process;
 * a forked child begins its own. Without WARPLINE_DIR there is never one. The lock guards the maps
 * and what they name, is held for short and never across a driver call, a process or the disk. At
 * the end the driver is not called: it may be gone by then.
 */
#ifndef GPU_SESSION_H
#define GPU_SESSION_H

#include "array.h"
#include "cuda_driver.h"
#include "handle_map.h"
#include "launch_filter.h"
#include "launch_quota.h"
#include "launch_tally.h"
#include "recorder_settings.h"

#include <pthread.h>
#include <stdatomic.h>

struct recorder;
struct thread_pool;

struct gpu_session {
	struct recorder_settings settings;
	struct launch_filter filter;
	struct launch_quota quota;
	struct launch_tallies tallies;
	struct recorder *recorder;
	struct thread_pool *pool;
	atomic_bool has_host_work; /* a stream was told to wait for the program: see gpu_wait.h */
	atomic_uint_fast64_t
		tally_due_ns; /* when counted launches are to be written; 0: none are */
	pthread_mutex_t lock;
	struct handle_map modules;   /* CUmodule -> struct gpu_module */
	struct handle_map libraries; /* CUlibrary -> struct gpu_module */
	struct handle_map functions; /* CUfunction -> struct gpu_function */
	struct handle_map kernels;   /* CUkernel -> struct gpu_function */
	struct handle_map links;     /* CUlinkState -> struct gpu_link */
	struct handle_map engines;   /* CUcontext -> struct gpu_engine */
	struct array ranges;         /* of struct address_range */
	struct array devices;        /* of struct gpu_device */
};

/* The session, begun if need be; NULL when this process does not record (any more). */
struct gpu_session *gpu_session_begin(void);

/* The session if it has begun and has not ended, else NULL. */
struct gpu_session *gpu_session_current(void);

/* End the session: write the last line, forward from now on. */
void gpu_session_end(void);

/* For tests: a session with these settings, the rest from the environment; and after
 * gpu_session_end() all that it knows, freed. */
struct gpu_session *gpu_session_create(const char *dir, const char *instrumenter,
                                       uint64_t buffer_bytes);
void gpu_session_free(struct gpu_session *s);

void gpu_session_lock(struct gpu_session *s);
void gpu_session_unlock(struct gpu_session *s);

/* The line of a device: *id. False when it cannot be written. */
bool gpu_session_device(struct gpu_session *s, CUdevice device, uint32_t *id);

/* Count a launch that gets no line, by the number that it has taken; what was counted is written by
 * a later launch, or at the end. */
void gpu_session_count(struct gpu_session *s, struct launch_tally *tally, enum tally_reason reason,
                       uint64_t number);

/* Nanoseconds of a clock that does not go back; and the work begun at `since` is done. */
uint64_t gpu_session_now(void);
void gpu_session_worked(struct gpu_session *s, uint64_t since);

#endif
