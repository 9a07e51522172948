/*
 * shape_text - sizes, counts, amounts and shares as people read them.
 */
#ifndef SHAPE_TEXT_H
#define SHAPE_TEXT_H

#include <stdint.h>

enum { SHAPE_TEXT_BYTES = 72, COUNT_TEXT_BYTES = 32 };

/* "64x16x1" without trailing ones ("64"); returns `text`. */
const char *shape_text(char text[SHAPE_TEXT_BYTES], const uint64_t size[3]);

/* "1,234,567"; returns `text`. */
const char *count_text(char text[COUNT_TEXT_BYTES], uint64_t count);

/* "1 loop", "1,234 loops"; `one` is at most 32 bytes; returns `text`. */
const char *amount_text(char text[SHAPE_TEXT_BYTES], uint64_t count, const char *one);

/* "12.34%" of part in whole, "-" when the whole is 0; returns `text`. */
const char *share_text(char text[COUNT_TEXT_BYTES], uint64_t part, uint64_t whole);

#endif
