/*
 * text - decodes UTF-8 (RFC 3629: no overlong forms, no surrogates), and writes strings for CSV and
 * JSON.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Decode the character at `text`, where `left` (>= 1) bytes may be read. Returns its length, 1 to
 * 4, with the code point in *code; 0 if no character begins there. */
size_t text_decode(const char *text, size_t left, uint32_t *code);

/* The same for a NUL-terminated string that is not empty. */
size_t text_decode_string(const char *text, uint32_t *code);

/* Whether a code point is a control character: C0, DEL or C1. */
bool text_is_control(uint32_t code);

/* Whether a byte continues a character. */
static inline bool text_is_tail(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The characters of a string, which a terminal shows as that many columns. */
size_t text_width(const char *text);

/* Write a string as a CSV field (RFC 4180): in quotes, with its own doubled, only if it holds a
 * comma, a quote or a line break. Callers need not check for write errors. */
void text_write_csv(FILE *out, const char *text);

/* Write a string as a JSON string, with its quotes: control characters are escaped, a byte that is
 * not UTF-8 becomes U+FFFD. */
void text_write_json(FILE *out, const char *text);

#endif
