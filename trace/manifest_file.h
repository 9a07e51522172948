/*
 * manifest_file - whole lines at the end of a manifest; private to trace/.
 */
#ifndef MANIFEST_FILE_H
#define MANIFEST_FILE_H

#include <jansson.h>

struct err;

/*
 * Append `line` (borrowed; NULL stands for no memory) with its sum as one line with one write(2).
 * What a failed write left of it is taken away again. Returns 0, ERR_IO or ERR_NOMEM.
 */
int manifest_append(int fd, const json_t *line, struct err *err);

/* Cut off a last line that has no newline: its writer was killed. Returns 0 or ERR_IO. */
int manifest_trim(int fd, struct err *err);

#endif
