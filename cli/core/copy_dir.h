/*
 * copy_dir - makes a recording from parts of others, on disk (recording_copy.h).
 */
#ifndef COPY_DIR_H
#define COPY_DIR_H

#include "recording_copy.h"

#include <stddef.h>

struct err;

struct copy_dir {
	const struct recording *const *inputs; /* whose launches follow one another */
	size_t count;                          /* at least 1 */
	struct recording_copy_choice choice;
	/* Set by copy_dir_make(). */
	uint64_t left_out, left_out_bytes;
};

/*
 * Make the recording `dir`.`suffix`, and wait until it is on disk; an older one of that name is
 * removed first. *made gets the name, which the caller frees. On failure nothing is left. Returns
 * 0, an error of recording_copy_add(), ERR_USAGE, ERR_IO, ERR_NOMEM.
 */
int copy_dir_make(struct copy_dir *c, const char *dir, const char *suffix, char **made,
                  struct err *err);

/* Replace `dir` by the recording `made` in one step and remove the old one; where the file system
 * cannot do that, the old one stays as DIR.old. Returns 0, ERR_USAGE (`dir` holds something else,
 * or is being written), ERR_IO, ERR_NOMEM. */
int copy_dir_exchange(const char *made, const char *dir, struct err *err);

#endif
