/*
 * stats_row_text - which line, argument, buffer, set, group or window a row of statistics
 * describes.
 */
#ifndef STATS_ROW_TEXT_H
#define STATS_ROW_TEXT_H

#include <stdio.h>

struct source_text;
struct stats_row;
struct stats_rows;

/* Print that without a newline. */
void stats_row_text_print(const struct stats_rows *rows, const struct stats_row *row,
                          const struct source_text *source, FILE *out);

#endif
