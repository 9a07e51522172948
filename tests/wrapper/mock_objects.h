/*
 * mock_objects - what is behind the mock driver's handles, and the device that runs its kernels.
 *
 * All functions need mock_lock held, unless they say otherwise.
 */
#ifndef MOCK_OBJECTS_H
#define MOCK_OBJECTS_H

#include "opencl.h"

#include <pthread.h>
#include <stdbool.h>

#define MOST_ARGUMENTS 4

enum sort { PLATFORM, DEVICE, CONTEXT, QUEUE, BUFFER, PROGRAM, KERNEL, EVENT };

/* A command that waits, or an object; one struct for all keeps the page short. */
struct object {
	enum sort sort;
	int refs;
	struct object *owner; /* retained: program of a kernel */
	unsigned char *bytes; /* of a buffer */
	size_t size;
	bool is_probed; /* program */
	bool is_wrong;  /* program: it does not build */
	char name[32];  /* kernel */
	unsigned char values[MOST_ARGUMENTS][8];
	/* events */
	cl_int status;
	struct object *waits_for, *before; /* retained */
	struct object *kernel;
	size_t offset, global, local;
	void(CL_CALLBACK *callback)(cl_event, cl_int, void *);
	void *callback_data;
	struct object *next_pending;
	/* queue */
	struct object *last;
	struct object *next_made; /* every object until the next reset */
};

/* The first dimension of a launch; NULLs as the application gave them. */
struct mock_range {
	const size_t *offset, *global, *local;
};

extern pthread_mutex_t mock_lock;

/* A new object with one reference; it retains `owner`, which may be NULL. */
struct object *mock_make(enum sort sort, struct object *owner);

/* Give a reference back. NULL is allowed. */
void mock_drop(struct object *o);

/* Whether a buffer of that size still fits the device; if so it is taken. */
bool mock_take_bytes(size_t size);

/* Put a kernel behind the queue's last command; runs what can run, callbacks without the lock. */
void mock_enqueue(struct object *queue, struct object *kernel, const struct mock_range *range,
                  const cl_event *wait, cl_event *out);

/* Run what can run now. */
void mock_pump(void);

/* Wait until the queue's last command is done. */
void mock_finish(struct object *queue);

#endif
