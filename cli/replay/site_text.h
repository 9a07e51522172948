/*
 * site_text - a site, as the rows of reports end: its kind, its place, and what it accesses.
 */
#ifndef SITE_TEXT_H
#define SITE_TEXT_H

#include <stddef.h>
#include <stdio.h>

struct place;
struct site;
struct source_text;

/*
 * Print "read   mm.cl:9:12  B[k * n + j]" and a newline: the expression or, if it is not known, the
 * source line after a bar. A site without a place is "site 3", by its number.
 */
void site_text_print(FILE *out, const struct site *site, size_t number,
                     const struct source_text *source);

/* Print the source line of a place after `before`, control characters made visible; nothing if it
 * is not known. */
void site_text_print_line(const struct source_text *s, const struct place *place,
                          const char *before, FILE *out);

#endif
