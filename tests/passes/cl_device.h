/*
 * cl_device - the first OpenCL device there is, for tests; fails the running test
 * when a call does.
 */
#ifndef CL_DEVICE_H
#define CL_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

struct cl_device {
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;
};

/* Open it; false when there is no platform or device. Release with cl_device_release(). */
bool cl_device_init(struct cl_device *d);
void cl_device_release(struct cl_device *d);

/* Whether the device's name has `part` in it. */
bool cl_device_is_named(const struct cl_device *d, const char *part);

/* Whether the device's version begins so ("OpenCL 3."). */
bool cl_device_has_version(const struct cl_device *d, const char *begin);

/* A built program; the build log goes to stderr when it fails. */
cl_program cl_device_build_source(const struct cl_device *d, const char *text, const char *options);

/* A buffer with `bytes` bytes, filled from `from` (NULL: zeros). */
cl_mem cl_device_buffer(const struct cl_device *d, const void *from, size_t bytes);

/* Read, and wait for it, of a whole buffer. */
void cl_device_read(const struct cl_device *d, cl_mem buffer, void *to, size_t bytes);

/* Launch over two dimensions, from an offset, and wait. */
void cl_device_launch(const struct cl_device *d, cl_kernel kernel, const size_t offset[2],
                      const size_t global[2], const size_t local[2]);

#endif
