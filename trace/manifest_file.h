/*
 * manifest_file - appends whole lines to a manifest, each with its checksum; private to trace/.
 *
 * A line's object ends with the member "sum": XXH64 of the line's bytes before the comma in
 * front of it, as 16 hexadecimal digits. It cannot show that whole lines are missing.
 */
#ifndef MANIFEST_FILE_H
#define MANIFEST_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

/*
 * Check a line, given without its newline. Its sum must be right; only if not `is_needed` may it be
 * absent. Returns 0 or ERR_FORMAT.
 */
int manifest_sum_check(const char *line, size_t length, bool is_needed, struct err *err);

/*
 * Append `line` (borrowed; NULL stands for no memory) and its sum as one line, with one write(2).
 * The remains of a failed write are removed. Returns 0, ERR_IO or ERR_NOMEM.
 */
int manifest_append(int fd, const json_t *line, struct err *err);

/* Remove a last line without a newline, whose writer was killed. Returns 0 or ERR_IO. */
int manifest_trim(int fd, struct err *err);

#endif
