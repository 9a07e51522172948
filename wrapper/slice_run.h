/*
 * slice_run - runs the slices of one launch on the device, one by one, in either of two buffers.
 *
 * Knows the device buffers and the probe ABI; knows nothing of recordings.
 */
#ifndef SLICE_RUN_H
#define SLICE_RUN_H

#include "engine.h"
#include "kernel_run.h"
#include "opencl.h"
#include "probe_abi.h"
#include "slice_host.h"
#include "slice_layout.h"

struct err;
struct launch_job;
struct launch_kit;

struct slice_run {
	const struct launch_job *job;
	struct slice_layout layout;
	struct launch_kit *kit;
	cl_kernel kernel;              /* the kit's: the shadow, ours alone meanwhile */
	struct slice_host host;        /* what is written before a slice runs */
	void *records[ENGINE_BUFFERS]; /* mapped, or NULL */
	uint64_t *slots;               /* the kernel's pointer arguments, once a slice has run */
	uint64_t *differences[ENGINE_BUFFERS]; /* that the last slice in that buffer told */
	struct probe_header header;            /* as the last slice left it */
	struct kernel_times times; /* from the first slice's start to the last one's end */
	uint64_t busy_ns;          /* that slices ran, those undone included */
	uint64_t record_bytes;     /* that they wrote */
};

/*
 * Make the shadow kernel, set its arguments, see that it takes the launch's groups, and lay out
 * the buffer. Returns 0; ERR_DEVICE, ERR_NOMEM: nothing has run. Release with slice_run_release()
 * in every case.
 */
int slice_run_init(struct slice_run *run, const struct launch_job *job, struct err *err);

/* Unmap and release. Accepts a zeroed struct. */
void slice_run_release(struct slice_run *run);

enum slice_outcome {
	SLICE_DONE,        /* ran; header and slots are read back */
	SLICE_UNREAD,      /* ran, but what it left cannot be read */
	SLICE_NOT_STARTED, /* the driver refused it: no effects */
	SLICE_BROKEN,      /* failed on the device: effects unknown */
};

/*
 * Run the groups of a slice, which was placed in engine buffer `which` (not mapped), and wait on
 * our queue. *code gets the driver's code when the outcome is not SLICE_DONE.
 */
enum slice_outcome slice_run_groups(struct slice_run *run, unsigned which,
                                    const struct slice *slice, cl_int *code);

/* Chunks that the last slice filled. */
uint32_t slice_run_used(const struct slice_run *run, const struct slice *slice);

/* Bytes of records that the last slice left. */
uint64_t slice_run_bytes(const struct slice_run *run, const struct slice *slice);

/* Whether the last slice made records that found no room. */
bool slice_run_overflowed(const struct slice_run *run);

/* Accesses that the last slice lost; at least 1 if it overflowed. */
uint64_t slice_run_lost(const struct slice_run *run);

/*
 * Map the records of the last slice, which left at least one byte, until slice_run_unmap(). NULL
 * with ERR_DEVICE on failure.
 */
const void *slice_run_map(struct slice_run *run, unsigned which, const struct slice *slice,
                          struct err *err);

/* Give mapped records back to the device. Nothing mapped is fine. */
void slice_run_unmap(struct slice_run *run, unsigned which);

#endif
