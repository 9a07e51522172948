/*
 * query_value - cells of the tables of `warpline query`, compared with each other and with what a
 * user writes.
 */
#ifndef QUERY_VALUE_H
#define QUERY_VALUE_H

#include "cell.h"

#include <stddef.h>

/* "number", "decimal", "text": what a column holds. Static storage. */
const char *query_type_name(enum cell_type type);

/*
 * Which of two values comes first: < 0, 0, > 0. Numbers and reals compare exactly with each other,
 * texts byte by byte; nothing comes before everything. Both are texts, or neither is.
 */
int query_value_compare(const struct cell *a, enum cell_type of_a, const struct cell *b,
                        enum cell_type of_b);

/*
 * Read all of text[0..length-1] as a number: decimal with or without a point, or 0x hexadecimal,
 * and one of the suffixes k M G T (1000^n), Ki Mi Gi Ti (1024^n), % (1/100). *type becomes
 * CELL_NUMBER or, with a point or %, CELL_REAL. False: it is none, or above 2^64 - 1, or has more
 * than 15 digits and a point or %.
 */
bool query_value_parse(const char *text, size_t length, struct cell *out, enum cell_type *type);

#endif
