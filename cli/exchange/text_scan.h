/*
 * text_scan - parses a line from left to right: words, numbers, fixed strings.
 *
 * Each returns false, and leaves *at where it was, when what it looks for is not there. Numbers are
 * those of C without signs, unless said otherwise, and must fit.
 */
#ifndef TEXT_SCAN_H
#define TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exactly `text`. */
bool text_scan_fixed(const char **at, const char *text);

/* Blanks, if there are any. */
void text_scan_blanks(const char **at);

/* A decimal number. */
bool text_scan_decimal(const char **at, uint64_t max, uint64_t *out);

/* A decimal number from -(2^63 - 1) to 2^63 - 1. *out is modulo 2^64. */
bool text_scan_signed(const char **at, uint64_t *out);

/* A hexadecimal number, with or without 0x before it. */
bool text_scan_hex(const char **at, uint64_t max, uint64_t *out);

/* Characters up to the next blank, at least one and fewer than `bytes`. */
bool text_scan_word(const char **at, char *word, size_t bytes);

/* Three comma-separated decimal numbers, each from `min` to 2^32 - 1. */
bool text_scan_triple(const char **at, uint64_t min, uint64_t out[3]);

#endif
