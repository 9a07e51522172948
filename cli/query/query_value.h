/*
 * query_value - cells compared with each other, and with the numbers that users write.
 */
#ifndef QUERY_VALUE_H
#define QUERY_VALUE_H

#include "cell.h"

#include <stddef.h>

/*
 * Which of two values comes first: < 0, 0 or > 0. Numbers and reals compare exactly with each
 * other, strings byte by byte; an empty cell comes before all others. Both are strings, or neither
 * is.
 */
int query_value_compare(const struct cell *a, enum cell_type of_a, const struct cell *b,
                        enum cell_type of_b);

/*
 * Read all of text[0..length-1] as a number: decimal with or without a point, or 0x hexadecimal,
 * and one of the suffixes k M G T (1000^n), Ki Mi Gi Ti (1024^n), % (1/100). *type becomes
 * CELL_NUMBER or, with a point or %, CELL_REAL. False: it is not a number, or is above 2^64 - 1, or
 * has a point or % and more than 15 digits.
 */
bool query_value_parse(const char *text, size_t length, struct cell *out, enum cell_type *type);

#endif
