/*
 * program_state - what we know of a cl_program: what it is made of, and its present build.
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

/* Lives while the application holds the program or one of its kernels. The session's lock guards
 * it. */
struct program_state {
	cl_program handle;
	uint32_t app_refs;        /* the application's own references */
	uint32_t kernel_refs;     /* kernels that we know */
	bool is_named;            /* the session's map names it; a handle used again takes it out */
	struct device_codes made; /* as it was created */
	struct device_codes now;  /* as it was last built or compiled; empty before */
	struct program_build *build; /* of these, once a kernel asked for it */
};

/* What a build changes: swapped in, and out again when the driver refuses the build. */
struct program_change {
	struct device_codes now;
	struct program_build *build;
};

/* Begin to know a program of these codes, which are taken. */
void program_state_remember(struct session *s, cl_program handle, struct device_codes *made);

/* The codes of the present build. */
const struct device_codes *program_state_codes(const struct program_state *state);

/* Which codes of a program: as it was created, as it was last built, or the latter if it was. */
enum code_stage { CODES_MADE, CODES_BUILT, CODES_PRESENT };

/* Copy them. False, and *out empty, when the program is not known or memory ran out. */
bool program_state_copy_codes(struct session *s, cl_program handle, enum code_stage stage,
                              struct device_codes *out);

/* Exchange the program's present build and *change. False when it is not known. */
bool program_state_swap(struct session *s, cl_program handle, struct program_change *change);

void program_change_release(struct program_change *change);

/*
 * The present build of the program `handle`, with a reference for the caller and one more kernel
 * in the program's count, for program_state_drop_kernel(*owner); made if it is not yet, which takes
 * as long as a compilation, unless we are in a callback. NULL when the program is not known.
 */
struct program_build *program_state_build(struct session *s, cl_program handle,
                                          struct program_state **owner);

/*
 * Make the present build now if the program reads files, which the application may remove or write
 * anew before it makes a kernel. Not in a callback.
 */
void program_state_prepare(struct session *s, cl_program handle);

/* A kernel of this program is gone. The session's lock must not be held. */
void program_state_drop_kernel(struct session *s, struct program_state *owner);

/* Free a state that no map names, with its build. NULL is allowed. No lock may be held. */
void program_state_free(void *program_state);

/*
 * hook_build - the hooks that build and link programs. They stand between the driver's compiler and
 * the application's callback, so that a linked program is known before its callback makes kernels,
 * and nothing is compiled inside a callback.
 */

/* Whether this thread is inside an application's callback. */
bool program_notify_is_running(void);

#endif
