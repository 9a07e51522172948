/*
 * program_build - one build of a program: its lines in the recording, and for each device an
 * instrumented shadow of it or the reason why it has none.
 *
 * Made once, by the first kernel, and never changed. The application's program is only asked for
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
 * program_lines - the lines that a build's codes have in the recording: of a linked program one for
 * each part, with its text, and one for the whole.
 */

/* An instrumented kernel on a device, or why not. Borrowed from the build. */
struct shadow_kernel {
	cl_program program;               /* instrumented; NULL: see reason */
	const struct kernel_table *table; /* of the kernel; NULL when program is NULL */
	const struct kernel_table *facts; /* of the code as it was before; NULL: not known */
	const char *reason;
	size_t most_items;          /* in a group, of the instrumented kernel; 0: not known */
	uint32_t kernel_id;         /* in the recording */
	bool is_selected;           /* the user wants kernels of this name */
	struct launch_tally *tally; /* of its launches without a line; NULL: there was no memory */
};

/* Whether the instrumented kernel takes groups of this size, as far as is known. */
bool shadow_kernel_takes(const struct shadow_kernel *shadow, const uint64_t local[3]);

/* A build that is not made yet, with one reference; copies the codes. NULL when out of memory. */
struct program_build *program_build_create(const struct program_state *program);

/* References. The last release frees, driver objects included: no lock may be held. */
struct program_build *program_build_retain(struct program_build *b);

void program_build_release(struct program_build *b);

/*
 * Make it, or wait until the thread that does so is done. The application's program must have been
 * built. Never fails: what goes wrong becomes the reason of its kernels.
 */
void program_build_make(struct program_build *b, struct session *s);

/*
 * Look up kernel `name` on `device` and give it its line in the recording if it has none yet.
 * Returns false when the recording is closed, or when the build has not been made and must not be
 * made here, inside a callback of the driver's compiler.
 */
bool program_build_kernel(struct program_build *b, struct session *s, const char *name,
                          cl_device_id device, struct shadow_kernel *out);

/* The kits of its kernels. */
struct launch_kits *program_build_kits(struct program_build *b);

/*
 * Most work-items that a group of kernel `name` may have on `device` when it is instrumented; 0: it
 * is not, or that is not known (yet).
 */
size_t program_build_most_items(struct program_build *b, const struct session *s, const char *name,
                                cl_device_id device);

#endif
