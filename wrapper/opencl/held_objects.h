/*
 * held_objects - objects of the application that a pending command keeps alive. The application may
 * release them at any time after its call.
 *
 * The driver's objects are retained. Memory that host and device share has no reference count:
 * freeing it is deferred (svm_hold.h).
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

/* Keep an object alive; NULL and HELD_NOTHING are allowed. False: the driver refuses, or memory ran
 * out. */
bool held_objects_add(struct session *s, struct held_objects *h, enum held_sort sort, void *handle);

/*
 * Keep the object that an argument names. Its sort is the one seen at its creation or, if that was
 * not seen, the one of the argument's type.
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
 * memory_state - what the recorder knows of a cl_mem or cl_sampler: of a buffer everything that a
 * recording says, of other objects that they exist.
 */

/* In the session's map while the application holds the object. */
struct memory_state {
	enum held_sort sort;
	uint32_t app_refs; /* the application's own references */
	uint64_t serial;   /* unique in this session, even if the handle is reused */
	bool is_buffer;
	uint32_t buffer_id; /* in the recording, of a buffer */
	uint64_t bytes;     /* of a buffer */
};

/*
 * For command buffers, which retain objects: keep an object in the map although the application
 * releases it (false: it is not in the map), until memory_state_release(). The serial identifies
 * the object in case a driver does not retain it and reuses the handle. No lock may be held.
 */
bool memory_state_retain(struct session *s, const void *handle, uint64_t *serial);

void memory_state_release(struct session *s, const void *handle, uint64_t serial);

#endif
