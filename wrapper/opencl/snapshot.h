/*
 * snapshot - copies of the buffers and the shared memory that a launch may write, for undoing a
 * slice that overflowed.
 *
 * The copies are in device memory of the engine's context, allocated once per launch and filled by
 * commands on the engine's in-order queue, without waiting. After the first time only the bytes
 * that later slices wrote are copied again.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "kernel_state.h"
#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct group_events;
struct launch_job;

struct snapshot {
	const struct launch_job *job;
	size_t count;
	struct snapshot_buffer {
		cl_mem original; /* borrowed; NULL: shared memory, see below */
		cl_mem copy;
		void *shared; /* borrowed */
		void *shared_copy;
		enum pointer_call sort;
		size_t bytes;
		cl_uint argument;
		size_t stale_begin, stale_end; /* bytes in which the copy may differ */
	} *buffers;
};

/*
 * Allocate copies for the job's written buffers. Returns 0, ERR_NOMEM, or ERR_DEVICE when the
 * device has no room. Release with snapshot_release() in every case.
 */
int snapshot_init(struct snapshot *shot, const struct launch_job *job, struct err *err);

/* Release the copies. Accepts a zeroed struct. */
void snapshot_release(struct snapshot *shot);

/* Enqueue copies of what may have changed since the last time. Returns 0 or ERR_DEVICE. */
int snapshot_take(struct snapshot *shot, struct err *err);

/*
 * Enqueue copies of everything that may be written in another in-order queue; the first command
 * waits for the events. Returns the driver's code; on failure some copies may be enqueued.
 * CL_INVALID_OPERATION: some of the memory is shared.
 */
cl_int snapshot_enqueue(const struct snapshot *shot, cl_command_queue queue, cl_uint wait_count,
                        const cl_event *wait_list);

/*
 * Mark what the events of an accepted slice wrote as changed. slots[i] is the device address of the
 * buffer in argument i. If the events are incomplete, call snapshot_invalidate() instead.
 */
void snapshot_note_writes(struct snapshot *shot, const struct group_events *g,
                          const uint64_t *slots);

/* Returns the bytes of all buffers, which a full copy moves. */
uint64_t snapshot_bytes(const struct snapshot *shot);

/* Mark everything as changed. */
void snapshot_invalidate(struct snapshot *shot);

/*
 * Enqueue copying back, starting with buffer *done. *done counts the buffers enqueued, so that a
 * failed call can be repeated. Returns 0 or ERR_DEVICE.
 */
int snapshot_restore(const struct snapshot *shot, size_t *done, struct err *err);

#endif
