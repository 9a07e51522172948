/*
 * engine - what we need of our own on a device of a context: a queue, a buffer for events and
 * two tiny kernels.
 *
 * Shared by the launches of one context and device. The queue and the buffer
 * are for whoever runs a job: one at a time.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "launch_shape.h"
#include "opencl.h"

#include <stdatomic.h>
#include <stdbool.h>

struct err;
struct session;

/* A NULL local size, answered: what the device chose for this global size. */
struct chosen_local {
	uint32_t dimensions;
	uint64_t global[3], local[3];
};

#define ENGINE_CHOICES 64

struct engine {
	atomic_uint refs;
	struct engine *next; /* of the same context */
	cl_context context;
	cl_device_id device;
	bool is_inline;         /* runs commands inside the application's calls: runtimes.def */
	bool has_unit_local;    /* a NULL local size means 1x1x1 */
	cl_command_queue queue; /* profiling, in order */
	cl_program program;     /* of the two kernels */
	cl_kernel tail;         /* does nothing; stands for a launch in the application's queue */
	cl_mem buffer;          /* events; made by the first job */
	uint64_t buffer_bytes;
	uint64_t max_buffer_bytes; /* most that buffer may grow to */
	size_t choice_count;       /* of choices[], under the session's lock */
	struct chosen_local choices[ENGINE_CHOICES];
};

/*
 * The engine for a device of a context, with a reference for the caller; made if need be, which
 * compiles a program. NULL with *err set when the driver refuses.
 */
struct engine *engine_get(struct session *s, cl_context context, cl_device_id device,
                          struct err *err);

/* Give a reference back; the last one releases the driver's objects. No lock may be held. */
void engine_release(struct engine *e);

/* A buffer of at least `bytes` if possible; it may come out smaller. Returns 0, ERR_DEVICE. */
int engine_reserve(struct engine *e, uint64_t bytes, struct err *err);

/*
 * The local size that the device chooses for shape->global when the application gives none:
 * asked of the device with a kernel on our queue, which is waited for, once per global size.
 * Fills shape->local. Returns 0 or ERR_DEVICE.
 */
int engine_choose_local(struct engine *e, struct session *s, struct launch_shape *shape,
                        struct err *err);

/* Contexts that the application holds (app_refs) and their engines. */
struct context_state {
	uint32_t app_refs;
	struct engine *engines;
};

/* Free it and give back its engines. NULL is allowed. No lock may be held. */
void context_state_free(void *context_state);

#endif
