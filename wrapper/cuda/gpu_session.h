/*
 * gpu_session - the CUDA driver's part of the session: the application's objects.
 *
 * The session's end does not call the driver, which may be gone by then.
 */
#ifndef GPU_SESSION_H
#define GPU_SESSION_H

#include "array.h"
#include "cuda_driver.h"
#include "handle_map.h"
#include "session.h"

struct session;
struct thread_pool;

/*
 * gpu_device - the line of a CUDA device in the recording.
 */

/* Get the number of a device's line, which is written once. The platform is "CUDA" and the version
 * "CUDA 12.4, compute capability 9.0", or as much of it as the driver reports. False when the line
 * cannot be written.
 */
bool gpu_device_line(struct session *s, CUdevice device, uint32_t *id);

/* Get "sm_90" of the device, or "" when the driver does not report it. */
void gpu_device_arch(CUdevice device, char arch[16]);

struct gpu_session {
	struct thread_pool *pool;
	atomic_bool has_host_work; /* a stream has had to wait for the program: gpu_launch.c */
	atomic_uint_fast64_t tally_due_ns; /* when to write counted launches; 0: there are none */
	struct handle_map modules;         /* CUmodule -> struct gpu_module */
	struct handle_map libraries;       /* CUlibrary -> struct gpu_module */
	struct handle_map functions;       /* CUfunction -> struct gpu_function */
	struct handle_map kernels;         /* CUkernel -> struct gpu_function */
	struct handle_map links;           /* CUlinkState -> struct gpu_link */
	struct handle_map engines;         /* CUcontext -> struct gpu_engine */
	struct array devices;              /* of struct gpu_device */
};

/* For session_begin(). */
extern const struct session_part gpu_part;

static inline struct gpu_session *gpu_session(const struct session *s)
{
	return s->part;
}

#endif
