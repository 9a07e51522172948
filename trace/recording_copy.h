/*
 * recording_copy - copies recordings into a new one: a single one, or several one after another.
 *
 * The launches of a recording keep their numbers, plus the number of launches in all recordings
 * before it. Equal devices become one; if both recordings have the same programs, these and equal
 * kernels do too. Buffers stay separate: each recording is of its own process. Files of launches
 * are copied unchanged; one that is copied rather than linked has its checksums verified first.
 * Small launches are bundled anew.
 */
#ifndef RECORDING_COPY_H
#define RECORDING_COPY_H

#include "recording_writer.h"

struct recording_copy;

/* What to take. */
struct recording_copy_choice {
	/* Whether to keep what is recorded of a launch; else it becomes one that was not selected.
	   NULL: of all. */
	bool (*keeps)(const void *context, const struct recording *r,
	              const struct recorded_launch *l);
	const void *context;
	bool may_link; /* a launch's file may be the same file in both recordings */
};

/* Begin; `w` is borrowed, as are the recordings that are added, until it is freed; `w` has no line
 * but its first. Free with recording_copy_free(). */
int recording_copy_create(struct recording_copy **out, struct recording_writer *w, struct err *err);
void recording_copy_free(struct recording_copy *c);

/*
 * Add a recording. Returns 0; ERR_UNSUPPORTED when it cannot stand behind those before: one of them
 * keeps bypass lists, or they have shared virtual memory at the same addresses; ERR_LIMIT, ERR_IO,
 * ERR_NOMEM.
 */
int recording_copy_add(struct recording_copy *c, const struct recording *r,
                       const struct recording_copy_choice *choice, struct err *err);

/* Write what they say together of their end: the recorder's time, and the end if all have one. */
int recording_copy_end(struct recording_copy *c, struct err *err);

/* What they say together of the program: its status, that of the first that failed, or -1 when one
 * is not known; and the longest time. */
int recording_copy_status(const struct recording_copy *c, uint64_t *program_ns);

/* Launches whose contents were left out, so far, and the bytes of their files. */
uint64_t recording_copy_left_out(const struct recording_copy *c, uint64_t *bytes);

#endif
