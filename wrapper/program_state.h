/*
 * program_state - what we know of a cl_program, and of its present build.
 */
#ifndef PROGRAM_STATE_H
#define PROGRAM_STATE_H

#include "opencl.h"

#include <stddef.h>
#include <stdint.h>

struct program_build;
struct session;

/* Lives while the application holds the program or one of its kernels. The session's lock guards
 * it. */
struct program_state {
	cl_program handle;
	uint32_t app_refs;    /* the application's own references */
	uint32_t kernel_refs; /* kernels that we know */
	const char *origin;   /* "source", "binary", ...: static */
	char *text;           /* of a program from source, else NULL; never changes */
	size_t length;
	char *options;               /* of the last clBuildProgram; NULL before */
	struct program_build *build; /* of these options, once a kernel asked for it */
};

/*
 * The present build of the program `handle`, with a reference for the caller and one more kernel
 * in the program's count (given back with program_state_drop_kernel()); made if it is not yet,
 * which takes as long as a compilation. NULL when the program is not known.
 */
struct program_build *program_state_build(struct session *s, cl_program handle);

/* Free a state that no map names, with its build. NULL is allowed. No lock may be held. */
void program_state_free(void *program_state);

/* A kernel of this program is gone. The session's lock must not be held. */
void program_state_drop_kernel(struct session *s, cl_program handle);

#endif
