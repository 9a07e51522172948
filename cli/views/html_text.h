/*
 * html_text - text of unknown origin inside a page, as content, as an attribute in double quotes
 * and in the page's JSON; and numbers.
 *
 * Everything in a recording is hostile: names of kernels, sources, arguments. Whatever the bytes
 * are, the output is valid UTF-8, ends no element, attribute, string or comment, and does not
 * reverse text: a byte that is not UTF-8 becomes U+FFFD; control characters, and those that change
 * the direction of text or hide it (Boucher and Anderson 2021, "Trojan Source"), are written as
 * their numbers, such as <U+202E>. Tabs and newlines stay. Callers need not check for write
 * errors.
 */
#ifndef HTML_TEXT_H
#define HTML_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Write text as content of an element or in an attribute in double quotes. */
void html_text(FILE *out, const char *text, size_t length);

/* The same for a string; nothing for NULL. */
void html_string(FILE *out, const char *text);

/* Write a JSON string with its quotes that may stand in a <script> element: without <, > and &. */
void html_json_string(FILE *out, const char *text);

/* 1234567 as 1,234,567. */
void html_count(FILE *out, uint64_t count);

/* At most four characters: 999, 1.2k, 12k, 1.2M, ... rounded down. */
void html_short_count(FILE *out, uint64_t count);

/* 12.3%, part of whole; a dash if whole is 0. */
void html_share(FILE *out, uint64_t part, uint64_t whole);

/* part / whole with two decimals; a dash if whole is 0. */
void html_ratio(FILE *out, uint64_t part, uint64_t whole);

#endif
