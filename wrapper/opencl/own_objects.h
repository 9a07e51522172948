/*
 * own_objects - the references that the recorder's objects hold to the application's context, so
 * that its reference count is reported without them.
 *
 * Only objects that outlive a call are counted. How many references an object holds depends on the
 * driver and is measured in a context of the recorder's own.
 */
#ifndef OWN_OBJECTS_H
#define OWN_OBJECTS_H

#include "opencl.h"

#include <stdbool.h>

enum own_sort { OWN_QUEUE, OWN_PROGRAM, OWN_KERNEL, OWN_BUFFER, OWN_EVENT, OWN_SHARED, OWN_SORTS };

/* The objects in a context. Guarded by the session's lock. */
struct own_objects {
	int count[OWN_SORTS];    /* that are alive */
	cl_uint held[OWN_SORTS]; /* references to the context that one of them holds */
	bool is_known;           /* held[] is known */
};

/* Count `more` (negative: fewer) live objects of a sort in a context of the application. */
void own_objects_change(cl_context context, enum own_sort sort, int more);

/* Count `more` live programs in the program's context; `program` must be alive. */
void own_objects_change_program(cl_program program, int more);

/* Create and release a user event of ours, never while a count is being taken. */
cl_event own_objects_create_event(cl_context context);
void own_objects_release_event(cl_context context, cl_event event);

/* Returns the context's reference count without those of our objects; `count`, the driver's answer,
 * if that cannot be found out. No lock may be held. */
cl_uint own_objects_count(cl_context context, cl_uint count);

#endif
