/*
 * mock_objects - what is behind the mock driver's handles, and the device that runs its kernels.
 *
 * All functions need mock_hold(), unless they say otherwise.
 */
#ifndef MOCK_OBJECTS_H
#define MOCK_OBJECTS_H

#include "mock_sync.h"
#include "opencl.h"

#include <stdbool.h>

#define MOST_ARGUMENTS 4
#define MOST_WAITS     8
#define MOST_CALLBACKS 4

enum sort {
	PLATFORM,
	DEVICE,
	CONTEXT,
	QUEUE,
	BUFFER,
	SAMPLER,
	PROGRAM,
	KERNEL,
	EVENT,
	COMMANDS,
	SHARED, /* memory; its handle is its bytes */
};

struct mock_callback {
	void(CL_CALLBACK *run)(cl_event, cl_int, void *);
	void *data;
};

/* A command that waits, or an object; one struct for all keeps the page short. */
struct object {
	const void *dispatch; /* first, as the loader wants it: the platform's own address */
	enum sort sort;
	int handles;          /* references through calls, which is what a program is told */
	int refs;             /* these and those of other objects */
	cl_command_type type; /* of an event */
	struct object *owner; /* retained: program of a kernel, buffer of a part of it */
	unsigned char *bytes; /* of a buffer; of a part of one, in its owner's */
	size_t size;
	bool is_probed; /* program */
	bool is_wrong;  /* program: it does not build */
	char name[32];  /* kernel */
	unsigned char values[MOST_ARGUMENTS][8];
	/* events */
	cl_int status;
	/* retained; of a command buffer all that it holds, and the last event */
	struct object *waits_for[MOST_WAITS], *before;
	struct object *kernel, *queue;            /* the kernel is retained */
	struct object *arguments[MOST_ARGUMENTS]; /* or a copy's buffers; retained, but for SVM */
	size_t offset, global, local;
	void *to; /* of a copy */
	const void *from;
	const void *ends; /* shared memory */
	struct mock_callback callbacks[MOST_CALLBACKS];
	struct object *next_pending;
	/* queue */
	bool is_unordered;
	cl_command_queue_properties properties;
	struct object *last;
	struct object *next_made; /* every object until the next reset */
};

/* The first dimension of a launch; NULLs as the application gave them. */
struct mock_range {
	const size_t *offset, *global, *local;
};

/* What goes into a queue: a kernel, a copy, or nothing but an event. */
struct mock_command {
	struct object *kernel;
	struct mock_range range;
	void *to;
	const void *from;
	struct object *buffers[2]; /* that are copied from or to, or NULL */
	const void *ends;
	size_t bytes;
	cl_uint wait_count;
	const cl_event *wait_list;
	cl_event *out;
	bool is_blocking;
};

/* A new object with one reference; it retains `owner`, which may be NULL. */
struct object *mock_make(enum sort sort, struct object *owner);

/* Give a reference back. NULL is allowed. */
void mock_drop(struct object *o);

/* The object that a kernel's value names, alive or not, or NULL. */
struct object *mock_named(const unsigned char value[8]);

/* Memory of a context that host and device share, and its end. */
void *mock_share(struct object *context, size_t size);
void mock_unshare(const void *memory);

/* Whether a buffer of that size still fits the device; if so it is taken. */
bool mock_take_bytes(size_t size);

/* Count a misuse when a handle's object is dead or of another sort. */
void mock_check(const void *handle, enum sort sort);

/* Put a command behind the queue's last; runs what can run, callbacks without the lock. */
void mock_enqueue(struct object *queue, const struct mock_command *command);

/* Call back when the event is complete, perhaps now: then without the lock. */
void mock_call_back(struct object *event, struct mock_callback callback);

/* Run what can run now. */
void mock_pump(void);

/* Wait until all that is in the queue is done. */
void mock_finish(const struct object *queue);

/* Wait until an event is complete. */
void mock_wait(const struct object *event);

/* Memory that no test makes scarce; free() takes it. */
void *mock_alloc(size_t bytes);

#endif
