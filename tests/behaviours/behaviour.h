/*
 * behaviour - what the behaviour programs do again and again.
 *
 * Each program, NAME.c, does one thing that real OpenCL programs do, knows nothing of Warpline and
 * prints what it sees. behaviours.sh runs it by itself and recorded: its output and status must
 * be the same, and the recording must hold what NAME's row in behaviours.table says. So a
 * program prints nothing that differs from run to run: no address, no time, no name of a device.
 *
 * Every call below ends the program with status 1 and a sentence on stderr when OpenCL refuses
 * something; host_skip() ends it with 77. Buffers hold cl_uint. Not for several threads.
 */
#ifndef BEHAVIOUR_H
#define BEHAVIOUR_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stddef.h>

/* The device: the loader's first platform, its first device, an in-order queue. */
struct host {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

/* Adds 1 to each value: `kernel void add_one(global uint *values)`. 2 accesses a work-item. */
#define HOST_ADD_ONE                                                                               \
	"kernel void add_one(global uint *values)\n"                                               \
	"{\n"                                                                                      \
	"	values[get_global_id(0)] += 1;\n"                                                        \
	"}\n"

/* Open the device, and release what host_open() made; queue->context may have other users. */
void host_open(struct host *h);
void host_close(struct host *h);

/* Whether the device is of OpenCL major.minor or later, or has the extension. */
bool host_has_version(const struct host *h, unsigned major, unsigned minor);
bool host_has_extension(const struct host *h, const char *name);

/* A program from one text, built for the device; options may be NULL. The caller releases it. */
cl_program host_build(const struct host *h, const char *source, const char *options);

/* A kernel, or a buffer with values first, first + 1, ... The caller releases them. */
cl_kernel host_kernel(cl_program program, const char *name);
cl_mem host_buffer(const struct host *h, size_t count, cl_uint first);

/* Set argument `index`: a buffer, a number. */
void host_set_mem(cl_kernel kernel, cl_uint index, cl_mem buffer);
void host_set_uint(cl_kernel kernel, cl_uint index, cl_uint value);

/* Launch over `items` in groups of `group` (0: NULL is passed) in the host's queue; no waiting. */
void host_launch(const struct host *h, cl_kernel kernel, size_t items, size_t group);

/* Wait for the queue, then print "NAME: first last hash" of the buffer's values. */
void host_print(const struct host *h, const char *name, cl_mem buffer, size_t count);

/* Print "NAME: TEXT", NAME being what of OpenCL was called; errors by their name or number. */
void host_print_status(const char *name, cl_int status);

/* End with status 1 unless `status` is CL_SUCCESS; end with 77, for want of something. */
void host_check(cl_int status, const char *call);
_Noreturn void host_skip(const char *why);

#endif
