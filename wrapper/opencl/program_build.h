/*
 * program_build - one build of a program: its lines in the recording and, for each device, its
 * instrumented shadow or the reason why there is none.
 *
 * Made once, for the first kernel, and never changed. The application's program is only queried for
 * its devices and kernels; it must be alive until the build is made, which its kernels ensure.
 */
#ifndef PROGRAM_BUILD_H
#define PROGRAM_BUILD_H

#include "array.h"
#include "kernel_table.h"
#include "opencl.h"
#include "shadow_program.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel_table;
struct launch_kits;
struct launch_tally;
struct program_build;
struct program_state;
struct session;

/*
 * program_lines - the lines of a build's codes in the recording: for a linked program one for each
 * part, with its text, and one for the whole.
 */

/* An instrumented kernel on a device, or why there is none. Borrowed from the build. */
struct shadow_kernel {
	cl_program program;               /* instrumented; NULL: see reason */
	const struct kernel_table *table; /* of the kernel; NULL when program is NULL */
	const struct kernel_table *facts; /* of the code before instrumentation; NULL: not known */
	const char *reason;
	size_t most_items;  /* maximum in a group of the instrumented kernel; 0: not known */
	uint32_t kernel_id; /* in the recording */
	bool is_selected;   /* by --kernel */
	struct launch_tally *tally; /* of its launches without a line; NULL: out of memory */
};

/* Whether the instrumented kernel takes groups of this size, as far as is known. */
bool shadow_kernel_takes(const struct shadow_kernel *shadow, const uint64_t local[3]);

/* Create a build that is not made yet, with one reference; copies the codes. NULL when out of
 * memory. */
struct program_build *program_build_create(const struct program_state *program);

/* Count references. The last release frees the build and its driver objects: no lock may be held.
 */
struct program_build *program_build_retain(struct program_build *b);

void program_build_release(struct program_build *b);

/*
 * Make the build, or wait for the thread that does. The application's program must have been built.
 * Never fails: a failure becomes the reason of its kernels.
 */
void program_build_make(struct program_build *b, struct session *s);

/*
 * Look up kernel `name` on `device` and write its line in the recording if it has none yet. Returns
 * false when the recording is closed, or when the build is not made and cannot be made here, inside
 * a callback of the driver's compiler.
 */
bool program_build_kernel(struct program_build *b, struct session *s, const char *name,
                          cl_device_id device, struct shadow_kernel *out);

/* Returns the kits of its kernels. */
struct launch_kits *program_build_kits(struct program_build *b);

/*
 * Returns the maximum number of work-items in a group of the instrumented kernel `name` on
 * `device`; 0: it is not instrumented, or that is not known (yet).
 */
size_t program_build_most_items(struct program_build *b, const struct session *s, const char *name,
                                cl_device_id device);

#endif
