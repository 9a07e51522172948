/*
 * own_objects - the references that objects of ours hold to the application's context, so that its
 * reference count is reported without them.
 *
 * Only objects that outlive a call are counted. How many references an object holds depends on the
 * driver and is measured in a context of our own.
 */
#ifndef OWN_OBJECTS_H
#define OWN_OBJECTS_H

#include "opencl.h"

#include <stdbool.h>

enum own_sort { OWN_QUEUE, OWN_PROGRAM, OWN_KERNEL, OWN_BUFFER, OWN_EVENT, OWN_SHARED, OWN_SORTS };

/* Of a context, guarded by the session's lock. */
struct own_objects {
	int count[OWN_SORTS];    /* that are alive */
	cl_uint held[OWN_SORTS]; /* references to the context that one of them holds */
	bool is_known;           /* held is */
};

/* `more` objects (or, if negative, fewer) of a sort are alive in a context of the application. */
void own_objects_change(cl_context context, enum own_sort sort, int more);

/* Count a program of ours, which is alive, in its own context. */
void own_objects_change_program(cl_program program, int more);

/* A user event of ours: made, and released, while no count is asked for. */
cl_event own_objects_create_event(cl_context context);
void own_objects_release_event(cl_context context, cl_event event);

/* The context's reference count without what ours hold; `count` is the driver's answer if all else
 * fails. No lock may be held. */
cl_uint own_objects_count(cl_context context, cl_uint count);

#endif
