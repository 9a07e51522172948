/*
 * held_objects - the application's objects that a pending command keeps alive; the application may
 * release them at any time after the call.
 *
 * Objects of the driver are retained. Memory that host and device share has no
 * references: freeing it is deferred (svm_hold.h).
 */
#ifndef HELD_OBJECTS_H
#define HELD_OBJECTS_H

#include "array.h"
#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel_argument;
struct kernel_fact;
struct kernel_value;
struct session;

enum held_sort {
	HELD_NOTHING,
	HELD_MEMORY,
	HELD_SAMPLER,
	HELD_QUEUE,
	HELD_KERNEL,
	HELD_SHARED, /* an allocation, by any address in it */
};

struct held_objects {
	struct array list; /* of struct held_object */
};

void held_objects_init(struct held_objects *h);

/* Keep one alive; NULL and HELD_NOTHING are fine. False: the driver refuses, or memory ran out. */
bool held_objects_add(struct session *s, struct held_objects *h, enum held_sort sort, void *handle);

/*
 * Keep what the value of an argument names: an object whose creation the recorder has seen,
 * whatever type the kernel gives it, or else an object of the argument's type.
 */
bool held_objects_add_value(struct session *s, struct held_objects *h,
                            const struct kernel_argument *argument,
                            const struct kernel_value *value);

/* Keep the allocations that the kernel uses besides its arguments (clSetKernelExecInfo()). */
bool held_objects_add_fact(struct session *s, struct held_objects *h,
                           const struct kernel_fact *fact);

/* Release all of them, and free the list. No lock may be held. */
void held_objects_release(struct session *s, struct held_objects *h);

/*
 * memory_state - what we know of a cl_mem, and of a cl_sampler: of buffers all that a recording
 * says, of the others that they are there.
 */

/* Named by the session's map while the application holds the object. */
struct memory_state {
	enum held_sort sort;
	uint32_t app_refs; /* the application's own references */
	uint64_t serial;   /* no other of this session has it, whatever its handle */
	bool is_buffer;
	uint32_t buffer_id; /* in the recording, of a buffer */
	uint64_t bytes;     /* of a buffer */
};

/*
 * Keep an object in the map although the application releases it (false: it is not there), and stop
 * doing so: for command buffers, which retain objects. The serial shows whether it is still the
 * same object, in case a driver does not. No lock may be held.
 */
bool memory_state_retain(struct session *s, const void *handle, uint64_t *serial);

void memory_state_release(struct session *s, const void *handle, uint64_t serial);

#endif
