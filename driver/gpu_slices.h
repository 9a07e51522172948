/*
 * gpu_slices - runs the slices of one launch in its stream, one by one, each waited for.
 *
 * Knows the device buffer and the probe ABI; knows nothing of recordings. What a slice wrote is
 * copied to the host, so one device buffer serves while two slices are decoded.
 */
#ifndef GPU_SLICES_H
#define GPU_SLICES_H

#include "cuda_driver.h"
#include "probe_abi.h"
#include "slice_host.h"
#include "slice_layout.h"

struct err;
struct gpu_buffer;
struct gpu_job;

#define GPU_SLICES_AT_WORK 2 /* as drain.h has them */

struct gpu_slices {
	const struct gpu_job *job;
	struct gpu_buffer *buffer; /* of the session's; memory as the user of this reserves it */
	struct slice_layout layout;
	struct slice_host host;
	struct {
		unsigned char *bytes;
		size_t size;
	} records[GPU_SLICES_AT_WORK];
	uint64_t *slots; /* the kernel's pointer arguments, once a slice has run */
	uint64_t *differences[GPU_SLICES_AT_WORK];
	struct probe_header header; /* as the last slice left it */
	uint64_t busy_ns;           /* that slices ran, those undone included */
	uint64_t record_bytes;      /* that they wrote */
};

/* See that the twin takes the launch's groups, take a buffer and lay it out. Returns 0; ERR_DEVICE,
 * ERR_NOMEM: nothing has run. Release in every case. */
int gpu_slices_init(struct gpu_slices *run, const struct gpu_job *job, struct err *err);
void gpu_slices_release(struct gpu_slices *run);

enum gpu_slice_outcome {
	GPU_SLICE_DONE,        /* ran; header and slots are read back */
	GPU_SLICE_UNREAD,      /* ran, but what it left cannot be read */
	GPU_SLICE_NOT_STARTED, /* the driver refused it: no effects */
	GPU_SLICE_BROKEN,      /* failed on the device: effects unknown */
};

/* Run the groups of a slice that was placed in the buffer, and wait. *code gets the driver's code
 * when the outcome is not DONE. `which` of the two is where its differences go. */
enum gpu_slice_outcome gpu_slices_run(struct gpu_slices *run, unsigned which,
                                      const struct slice *slice, CUresult *code);

/* Bytes of records that the last slice left. */
uint64_t gpu_slices_bytes(const struct gpu_slices *run, const struct slice *slice);

/* Copy the records of the last slice to the host, as number `which`: until that is asked for again.
 * NULL with ERR_DEVICE, ERR_NOMEM. */
const void *gpu_slices_read(struct gpu_slices *run, unsigned which, const struct slice *slice,
                            struct err *err);

#endif
