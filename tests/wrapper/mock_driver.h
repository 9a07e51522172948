/*
 * mock_driver - an OpenCL driver: kernels written in C, reference counts, and failures on request.
 *
 * Two platforms with a device each. It has every call of opencl_api.def; those that the recorder's
 * tests do not need refuse. Commands run as soon as what they wait for is complete, in the thread
 * that makes it so. Kernels:
 *
 *   update  for each work-item i, counts(i) times: a[i] = a[i] * 3 + i. From a program with a
 *           binary, or a text that begins with MOCK_PROBED, it also writes words: site 0 (read)
 *           and 1 (write) each time, in a loop.
 *   warpline_keep  writes its second argument, 8 bytes, into its first.
 *
 * Any other name does nothing.
 */
#ifndef MOCK_DRIVER_H
#define MOCK_DRIVER_H

#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

#define MOCK_KERNELS "update;other" /* what every program says it has */
#define MOCK_PROBED  "// options:"
#define MOCK_WRONG   "wrong" /* a text that has this does not build */

#define MOCK_DEVICE_BYTES (UINT64_C(1) << 22)

/* Local memory that every kernel says it needs, and what one that writes words needs besides. */
#define MOCK_LOCAL_BYTES        192
#define MOCK_PROBED_LOCAL_BYTES 16536

/* The driver's calls. Reset before use; objects of an earlier use are invalid then. */
const struct opencl_real *mock_driver(void);
void mock_driver_reset(void);

/* Work-items that share a chunk from now on: 1, or 32 as on a GPU. */
void mock_driver_set_lanes(uint32_t lanes);

/* Of which types the two devices are from now on: all, until then. */
void mock_driver_set_types(cl_device_type first, cl_device_type second);

/* From now on command buffers take the arguments that a kernel has when they are enqueued. */
void mock_driver_set_late(bool takes_arguments_late);

/* Times the kernel's loop runs in work-item i. */
unsigned mock_driver_count(uint64_t i);

/* From now on calls are numbered from 0, and call `number` fails once (SIZE_MAX: none). */
void mock_driver_fail(size_t number);

/* Calls made since then, and the name of the one that failed; NULL: none did. */
size_t mock_driver_calls(void);
const char *mock_driver_failed(void);

/* The options of the last build of a program that writes events. */
const char *mock_driver_built_with(void);

/* Objects that are alive: after everything is released, 0. */
int mock_driver_alive(void);

/* Handles given to a call whose objects were dead by then, or of another sort. */
int mock_driver_misuses(void);

#endif
