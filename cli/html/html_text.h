/*
 * html_text - text of unknown origin inside a page: as content, as an attribute in double quotes,
 * and in the page's JSON.
 *
 * Everything that a recording holds is hostile: names of kernels, sources, arguments. Whatever the
 * bytes are, what is written is valid UTF-8, ends no element, attribute, string or comment, and
 * turns nothing around: a byte that is no UTF-8 is U+FFFD; control characters, and those that
 * change the direction of text or hide it (Boucher and Anderson 2021, "Trojan Source"), are written
 * as their numbers, such as <U+202E>. Tabs and newlines stay. Who calls need not look for errors of
 * writing.
 */
#ifndef HTML_TEXT_H
#define HTML_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* As content of an element, or in an attribute in double quotes. */
void html_text(FILE *out, const char *text, size_t length);

/* The same of a text that ends with NUL; nothing for NULL. */
void html_string(FILE *out, const char *text);

/* As a JSON string, quotes included, that may stand in a <script> element: no <, > or & in it. */
void html_json_string(FILE *out, const char *text);

/* 1234567 as 1,234,567. */
void html_count(FILE *out, uint64_t count);

/* At most four characters: 999, 1.2k, 12k, 1.2M, ... rounded down. */
void html_short_count(FILE *out, uint64_t count);

/* part / whole as 12.3 with a per cent sign; a dash where whole is 0. */
void html_share(FILE *out, uint64_t part, uint64_t whole);

/* part / whole with two digits; a dash where whole is 0. */
void html_ratio(FILE *out, uint64_t part, uint64_t whole);

#endif
