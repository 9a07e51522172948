/*
 * recording_copy - copies one recording, or several one after another, into a new one.
 *
 * The launches of a recording keep their numbers, plus the number of launches in all recordings
 * before it. Equal devices are merged; if both recordings have the same programs, these and equal
 * kernels are merged too. Buffers stay separate, because each recording is of another process.
 * Files of launches are copied unchanged; one that is copied rather than linked has its checksums
 * verified first. Small launches are bundled again.
 */
#ifndef RECORDING_COPY_H
#define RECORDING_COPY_H

#include "recording_writer.h"

struct recording_copy;

/* What to copy. */
struct recording_copy_choice {
	/* Whether to keep the contents of a launch; otherwise it becomes unselected. NULL: keep
	 * all. */
	bool (*keeps)(const void *context, const struct recording *r,
	              const struct recorded_launch *l);
	const void *context;
	bool may_link; /* a launch's file may be the same file in both recordings */
};

/* Begin. `w`, which must have only its first line, and the added recordings are borrowed until the
 * copy is freed. Free with recording_copy_free(). */
int recording_copy_create(struct recording_copy **out, struct recording_writer *w, struct err *err);
void recording_copy_free(struct recording_copy *c);

/*
 * Add a recording. Returns 0; ERR_UNSUPPORTED when it cannot follow the earlier ones: one of
 * them has bypass lists, or they have shared virtual memory at the same addresses; ERR_LIMIT,
 * ERR_IO, ERR_NOMEM.
 */
int recording_copy_add(struct recording_copy *c, const struct recording *r,
                       const struct recording_copy_choice *choice, struct err *err);

/* Write the recordings' total recorder time and, if all have one, the end. */
int recording_copy_end(struct recording_copy *c, struct err *err);

/* Get the combined exit status, that of the first program that failed, or -1 when one is not known;
 * and the longest running time. */
int recording_copy_status(const struct recording_copy *c, uint64_t *program_ns);

/* Get the number of launches whose contents were left out so far, and the bytes of their files. */
uint64_t recording_copy_left_out(const struct recording_copy *c, uint64_t *bytes);

#endif
