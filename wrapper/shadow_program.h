/*
 * shadow_program - the instrumented twin of a program on one device.
 */
#ifndef SHADOW_PROGRAM_H
#define SHADOW_PROGRAM_H

#include "kernel_table.h"
#include "opencl.h"

struct session;

/* What it is made from; borrowed. */
struct shadow_source {
	const char *origin; /* "source", or else there is no text */
	const char *text;
	size_t length;
	const char *options;
	uint32_t program_id; /* in the recording */
};

struct shadow_program {
	cl_device_id device;
	cl_program program; /* built and ours; NULL: see reason */
	char *reason;       /* why there is none, on the heap; NULL when there is one */
	struct kernel_table *tables;
	size_t table_count;
};

/*
 * Make *shadow for `device`, in the context of the application's program `original`. Runs the
 * instrumenter and the driver's compiler in the calling thread. Never fails: the reason tells.
 * Release with shadow_program_release().
 */
void shadow_program_init(struct shadow_program *shadow, struct session *s, cl_program original,
                         cl_device_id device, const struct shadow_source *source);

/* Release the driver's program and what is on the heap. Accepts a zeroed struct. */
void shadow_program_release(struct shadow_program *shadow);

#endif
