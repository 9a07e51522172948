/*
 * words - lists of words written "a|b|c".
 */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

/* Index of `word` in the list, or -1. */
int words_find(const char *words, const char *word);

/* "a, b, c" in `text` (cut off when it does not fit); returns `text`. */
const char *words_list(const char *words, char *text, size_t text_bytes);

#endif
