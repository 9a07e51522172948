/*
 * stats_row_text - which line, argument, buffer, set, group or window a row of statistics
 * describes.
 */
#ifndef STATS_ROW_TEXT_H
#define STATS_ROW_TEXT_H

#include <stdio.h>

struct source_text;
struct stats_source;
struct sum_row;
struct sum_rows;

/* Print that without a newline. */
void stats_row_text_print(const struct stats_source *from, const struct sum_rows *rows,
                          const struct sum_row *row, const struct source_text *source, FILE *out);

#endif
