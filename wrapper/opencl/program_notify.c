/* SPDX-License-Identifier: Apache-2.0 */
#include "program_notify.h"

#include <stdatomic.h>
#include <stdlib.h>

struct program_notify {
	atomic_uint refs; /* the driver's call of it, and ours of the driver */
	bool is_called;
	program_callback callback;
	void *user_data;
	program_notify_before before;
	void *data;
};

static _Thread_local unsigned depth;

struct program_notify *program_notify_create(program_callback callback, void *user_data,
                                             program_notify_before before, void *data)
{
	struct program_notify *n = malloc(sizeof(*n));

	if (!n)
		return NULL;
	*n = (struct program_notify){
		.callback = callback, .user_data = user_data, .before = before, .data = data
	};
	atomic_init(&n->refs, 2);
	return n;
}

static void release(struct program_notify *n, unsigned refs)
{
	if (atomic_fetch_sub(&n->refs, refs) != refs)
		return;
	if (!n->is_called && n->before)
		n->before(NULL, n->data);
	free(n);
}

void CL_CALLBACK program_notify_call(cl_program program, void *notify)
{
	struct program_notify *n = notify;

	if (n->before)
		n->before(program, n->data);
	n->is_called = true;
	depth++;
	n->callback(program, n->user_data);
	depth--;
	release(n, 1);
}

void program_notify_settle(struct program_notify *n, cl_int code)
{
	bool is_over;

	if (!n)
		return;
	/* A call that was refused for its arguments is never followed by the callback. One that
	 * says that compiling failed may be: then it stays, and is lost if none follows. */
	is_over = code != CL_SUCCESS && code != CL_BUILD_PROGRAM_FAILURE &&
	          code != CL_COMPILE_PROGRAM_FAILURE && code != CL_LINK_PROGRAM_FAILURE;
	release(n, is_over && atomic_load(&n->refs) == 2 ? 2 : 1);
}

bool program_notify_is_running(void)
{
	return depth;
}
