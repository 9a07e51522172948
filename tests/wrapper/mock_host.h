/*
 * mock_host - an application on the mock driver that makes, counts, shares and releases an object
 * of each sort, and says what it saw.
 *
 * Three launches of `update` over one buffer, on two queues, with events,
 * wait lists, a callback, a clone and early releases.
 */
#ifndef MOCK_HOST_H
#define MOCK_HOST_H

#include "opencl.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define MOCK_HOST_ITEMS    64
#define MOCK_HOST_LAUNCHES 3

struct mock_host {
	const struct opencl_real *cl; /* the calls as the application reaches them */
	char log[8192];               /* every call's name and answer, every reference count */
	size_t length;
	int results[MOCK_HOST_ITEMS];
	bool tells_context;
	bool gave_up; /* a call of its own was the one to fail */
	cl_context context;
	cl_command_queue queue, other_queue;
	cl_program program;
	cl_kernel kernel, clone, both[2];
	cl_mem mem, part;
	cl_event first, second;
	atomic_int called_back; /* times */
};

/*
 * Run it from the beginning to the end, with what the driver gives it. The reference count of its
 * context is wanted only where no call fails: the recorder takes off what its own objects hold, and
 * may then not know all of them.
 */
void mock_host_run(struct mock_host *h, const struct opencl_real *cl, bool tells_context);

/* The driver's calls with the recorder's hooks in front of them, as layer and preload do it. */
const struct opencl_real *mock_host_hooked(void);

#endif
