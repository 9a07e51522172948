/*
 * program_notify - stands between the driver's compiler and the application's callback, so that we
 * know a linked program before its callback makes kernels, and compile nothing inside a callback.
 */
#ifndef PROGRAM_NOTIFY_H
#define PROGRAM_NOTIFY_H

#include "opencl.h"

#include <stdbool.h>

struct program_notify;

typedef void(CL_CALLBACK *program_callback)(cl_program program, void *user_data);

/* Called once: before the application's callback, or with NULL when that will not be called. */
typedef void (*program_notify_before)(cl_program program, void *data);

/*
 * A notification that calls `callback` with `user_data`, and before that `before` with `data`,
 * which may be NULL. For the driver: program_notify_call and the notification as its user data.
 * NULL when out of memory: then the driver gets the application's own.
 */
struct program_notify *program_notify_create(program_callback callback, void *user_data,
                                             program_notify_before before, void *data);
void CL_CALLBACK program_notify_call(cl_program program, void *notify);

/*
 * After the driver's call: `code` is what it returned. Frees the notification where the driver
 * cannot call it (any more); otherwise its call frees it. NULL is allowed.
 */
void program_notify_settle(struct program_notify *n, cl_int code);

/* Whether this thread is inside an application's callback. */
bool program_notify_is_running(void);

#endif
