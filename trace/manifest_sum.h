/*
 * manifest_sum - the checksum at the end of each line of a manifest; private to trace/.
 *
 * A line's object ends with the member "sum": XXH64 of the line's bytes before the comma in
 * front of it, as 16 hexadecimal digits. It does not tell whether whole lines are missing.
 */
#ifndef MANIFEST_SUM_H
#define MANIFEST_SUM_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

/* Put the sum into `line`, a JSON object with a member and without a newline. 0 or ERR_NOMEM. */
int manifest_sum_add(struct str *line, struct err *err);

/*
 * Check a line without its newline. A sum that is there must be right; with `is_needed` it must
 * be there. Returns 0 or ERR_FORMAT.
 */
int manifest_sum_check(const char *line, size_t length, bool is_needed, struct err *err);

#endif
