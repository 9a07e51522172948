/*
 * program_scene - a session over the mock driver in which programs are made, and what the
 * instrumenter was asked to make of them.
 *
 * The instrumenter is a script that writes a line for each request, a part of the program after the
 * other: <SUFFIX TEXT +HEADER=TEXT OPTIONS>. Functions fail the running test.
 */
#ifndef PROGRAM_SCENE_H
#define PROGRAM_SCENE_H

#include "opencl.h"
#include "recording.h"

#include <stdbool.h>
#include <stddef.h>

#define SCENE_ITEMS 32
#define SCENE_SMALL_ITEMS                                                                          \
	((size_t)16) /* most in a group of an instrumented kernel, where that is less */

/* What the driver answers otherwise than the mock. */
struct scene_driver {
	cl_int next_build;      /* what the next build comes to, if not 0 */
	unsigned device_count;  /* of a program: 1 or 2 */
	const char *binary;     /* of every program */
	cl_program next_source; /* the handle that the next program from source has */
	bool has_small_groups;
	bool leaves_objects; /* a release has failed */
};

extern struct scene_driver scene_driver;
extern cl_context scene_context;
extern cl_command_queue scene_queue;

/* Make, and remove, the folder of all scenes. False: it cannot be. */
bool scene_open(void);
bool scene_close(void);

/* Begin a scene of this name, with a cache folder or without. */
void scene_begin(const char *name, bool has_cache);

/* End it; nothing may be alive. The caller closes its recording. */
struct recording *scene_end(void);

/* What the instrumenter was asked since the last time, its lines joined by " | ". */
void scene_expect_asked(const char *want);

/* A program; a compilation without headers; a link of one program or two (NULL). */
cl_program scene_source(const char *text);
void scene_compile(cl_program program, const char *options);
cl_program scene_link(cl_program one, cl_program two, const char *options);

/* A kernel, which does nothing; launch it with groups of `local` work-items, and release it. */
cl_kernel scene_kernel(cl_program program);
void scene_launch(cl_kernel kernel, size_t local);

/* Release programs; NULL is allowed. */
void scene_release(cl_program one, cl_program two, cl_program three);

/* Each launch's fate: t traced, s not. */
void scene_expect_fates(const struct recording *r, const char *want);

#endif
