/*
 * gpu_snapshot - copies of the memory that a launch may write, to undo a slice that overflowed.
 *
 * Whole allocations, copied on the device in the order of the launch's stream: nothing is waited
 * for.
 */
#ifndef GPU_SNAPSHOT_H
#define GPU_SNAPSHOT_H

#include "cuda_driver.h"

struct address_range;
struct err;

struct gpu_snapshot {
	CUstream stream;
	size_t count;
	struct gpu_copy {
		CUdeviceptr original, copy;
		size_t bytes;
	} * copies;
};

/*
 * Allocate copies of `ranges`; one that is there twice is copied once. Returns 0, ERR_NOMEM, or
 * ERR_DEVICE when the device has no room. Release in every case, when the stream is done with it.
 */
int gpu_snapshot_init(struct gpu_snapshot *shot, const struct address_range *ranges, size_t count,
                      CUstream stream, struct err *err);

/* Accepts a zeroed struct. */
void gpu_snapshot_release(struct gpu_snapshot *shot);

/* Enqueue copying away. False: the driver refused. */
bool gpu_snapshot_take(const struct gpu_snapshot *shot);

/* Enqueue copying back; *done counts the copies enqueued, so that a failed call can be repeated. */
bool gpu_snapshot_restore(const struct gpu_snapshot *shot, size_t *done);

#endif
