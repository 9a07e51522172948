/*
 * program_state - what the recorder knows of a cl_program: its code and its present build.
 */
#ifndef PROGRAM_STATE_H
#define PROGRAM_STATE_H

#include "opencl.h"
#include "sub_device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_build;
struct session;

/* Lives while the application holds the program or one of its kernels. Guarded by the session's
 * lock. */
struct program_state {
	cl_program handle;
	uint32_t app_refs;           /* the application's own references */
	uint32_t kernel_refs;        /* known kernels */
	bool is_named;               /* it is in the session's map; a reused handle removes it */
	struct device_codes made;    /* as it was created */
	struct device_codes now;     /* as it was last built or compiled; empty before */
	struct program_build *build; /* of these codes, once a kernel needs it */
};

/* What a build changes: swapped in, and back when the driver refuses the build. */
struct program_change {
	struct device_codes now;
	struct program_build *build;
};

/* Add a program with these codes, which are moved. */
void program_state_remember(struct session *s, cl_program handle, struct device_codes *made);

/* Returns the codes of the present build. */
const struct device_codes *program_state_codes(const struct program_state *state);

/* Which codes of a program: as created, as last built, or as built if it was and else as created.
 */
enum code_stage { CODES_MADE, CODES_BUILT, CODES_PRESENT };

/* Copy the codes. False, and *out empty, when the program is not known or memory ran out. */
bool program_state_copy_codes(struct session *s, cl_program handle, enum code_stage stage,
                              struct device_codes *out);

/* Exchange the program's present build and *change. False when the program is not known. */
bool program_state_swap(struct session *s, cl_program handle, struct program_change *change);

void program_change_release(struct program_change *change);

/*
 * Returns the present build of the program `handle` with a reference for the caller, and counts a
 * kernel of the program until program_state_drop_kernel(*owner). Makes the build if needed, which
 * takes as long as a compilation, unless inside a callback. NULL when the program is not known.
 */
struct program_build *program_state_build(struct session *s, cl_program handle,
                                          struct program_state **owner);

/*
 * Make the present build now if the program reads files, because the application may remove or
 * change them before it creates a kernel. Not allowed in a callback.
 */
void program_state_prepare(struct session *s, cl_program handle);

/* A kernel of this program was released. The session's lock must not be held. */
void program_state_drop_kernel(struct session *s, struct program_state *owner);

/* Free a state that is in no map, and release its build. NULL is allowed. No lock may be held. */
void program_state_free(void *program_state);

/*
 * hook_build - the hooks that build and link programs. They run before the application's callback,
 * so that a linked program is known before the callback creates kernels. Nothing is compiled inside
 * a callback.
 */

/* Whether this thread is inside an application's callback. */
bool program_notify_is_running(void);

#endif
