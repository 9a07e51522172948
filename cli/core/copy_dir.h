/*
 * copy_dir - a new recording directory with what others hold (recording_copy.h).
 */
#ifndef COPY_DIR_H
#define COPY_DIR_H

#include "recording_copy.h"

#include <stddef.h>

struct err;

struct copy_dir {
	const struct recording *const *inputs; /* behind each other */
	size_t count;                          /* at least 1 */
	struct recording_copy_choice choice;
	/* Set by copy_dir_make(). */
	uint64_t left_out, left_out_bytes;
};

/*
 * Make the recording `dir`.`suffix`, which is then all on the disk; one of that name is removed
 * first. *made gets the name, the caller's to free. On failure nothing is left. Returns 0, what
 * recording_copy_add() returns, ERR_USAGE, ERR_IO, ERR_NOMEM.
 */
int copy_dir_make(struct copy_dir *c, const char *dir, const char *suffix, char **made,
                  struct err *err);

/* Put the recording `made` in the place of `dir`, which is gone afterwards; at every moment one of
 * them is there. Where the file system cannot do that, `dir` stays as DIR.old. Returns 0, ERR_USAGE
 * (`dir` holds what no recording has, or is being written), ERR_IO, ERR_NOMEM. */
int copy_dir_exchange(const char *made, const char *dir, struct err *err);

#endif
