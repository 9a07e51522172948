/*
 * host_calls - what strange_host does again and again; ends the program when a call fails.
 */
#ifndef HOST_CALLS_H
#define HOST_CALLS_H

#define CL_TARGET_OPENCL_VERSION 220
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>

/* What every part of the program uses. */
struct host {
	cl_device_id device;
	cl_context context;
	cl_command_queue in_order, out_of_order;
	cl_program a, b;
};

/* Print and exit when rc is an error. */
void check(cl_int rc, const char *what);

/* A buffer of `ints` ints that begin with `first`. */
cl_mem make_buffer(const struct host *h, size_t ints, int first);

/* One number that depends on every int of a buffer and on its place; waits for the queue. */
unsigned hash_buffer(cl_command_queue queue, cl_mem mem, size_t ints);

cl_kernel make_kernel(cl_program program, const char *name);

#endif
