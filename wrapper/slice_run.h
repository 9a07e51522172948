/*
 * slice_run - runs the slices of one launch on the device, one by one.
 *
 * Knows the device buffer and the probe ABI; knows nothing of recordings.
 */
#ifndef SLICE_RUN_H
#define SLICE_RUN_H

#include "kernel_run.h"
#include "opencl.h"
#include "probe_abi.h"
#include "slice_plan.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct launch_job;

struct slice_run {
	const struct launch_job *job;
	cl_kernel kernel;           /* the shadow, ours alone */
	size_t chunks_offset;       /* in the buffer */
	unsigned char *host;        /* header and argument slots: chunks_offset bytes */
	void *chunks;               /* mapped, or NULL */
	uint64_t *slots;            /* the kernel's pointer arguments, once a slice has run */
	struct probe_header header; /* as the last slice left it */
	struct kernel_times times;  /* from the first slice's start to the last one's end */
};

/*
 * Make the shadow kernel, set its arguments and see that it takes the launch's groups. Returns 0;
 * ERR_DEVICE, ERR_NOMEM: nothing has run. Release with slice_run_release() in every case.
 */
int slice_run_init(struct slice_run *run, const struct launch_job *job, struct err *err);

/* Release. Accepts a zeroed struct. */
void slice_run_release(struct slice_run *run);

/* Bytes for chunks in the engine's buffer; 0 when it is too small to hold any. */
uint64_t slice_run_room(const struct slice_run *run);

enum slice_outcome {
	SLICE_DONE,        /* ran; header and slots are read back */
	SLICE_UNREAD,      /* ran, but what it left cannot be read */
	SLICE_NOT_STARTED, /* the driver refused it: no effects */
	SLICE_BROKEN,      /* failed on the device: effects unknown */
};

/*
 * Run the groups of a slice and wait on our queue. A chunk_count of 0 runs them unrecorded.
 * *code gets the driver's code when the outcome is not SLICE_DONE.
 */
enum slice_outcome slice_run_groups(struct slice_run *run, const struct slice *slice, cl_int *code);

/* Chunks that the last slice filled. */
uint32_t slice_run_used(const struct slice_run *run);

/* Whether the last slice made events that found no room. */
bool slice_run_overflowed(const struct slice_run *run);

/* Events that the last slice lost. */
uint64_t slice_run_lost(const struct slice_run *run);

/*
 * Map the used chunks of the last slice, which used at least one, until slice_run_unmap(). NULL
 * with ERR_DEVICE on failure.
 */
const void *slice_run_map(struct slice_run *run, const struct slice *slice, struct err *err);

/* Give mapped chunks back to the device. Nothing mapped is fine. */
void slice_run_unmap(struct slice_run *run);

#endif
