/*
 * info - what a recording holds, as text and as JSON (docs/json.md).
 */
#ifndef INFO_H
#define INFO_H

#include <stdio.h>

struct completeness;
struct err;
struct launch_summary;
struct recording;

/* Print as text. */
void info_print_text(FILE *out, const struct recording *r, const struct launch_summary *s,
                     const struct completeness *c);

/* Print as JSON on stdout. Returns 0, ERR_IO, ERR_NOMEM. */
int info_print_json(const struct recording *r, const struct launch_summary *s,
                    const struct completeness *c, const char *file, struct err *err);

#endif
