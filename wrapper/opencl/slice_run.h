/*
 * slice_run - OpenCL's device of launch_run: runs the slices of one job on the engine's queue, in
 * either of its two buffers.
 */
#ifndef SLICE_RUN_H
#define SLICE_RUN_H

#include "device_ops.h"
#include "engine.h"
#include "kernel_run.h"
#include "snapshot.h"

struct launch_job;
struct launch_kit;

/* Begins as its job alone. */
struct slice_run {
	const struct launch_job *job;
	struct launch_kit *kit;
	cl_kernel kernel;              /* the kit's: the shadow, ours alone meanwhile */
	void *records[ENGINE_BUFFERS]; /* mapped, or NULL */
	struct snapshot shot;
	struct kernel_times times; /* from the first slice's start to the last one's end */
};

/* Of a struct slice_run. */
extern const struct device_ops slice_run_ops;

#endif
