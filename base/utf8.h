/*
 * utf8 - one character of UTF-8 (RFC 3629): no overlong forms, no surrogates.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decode the character at `text`, of which `left` (>= 1) bytes may be read. Returns its length, 1
 * to 4, and the code point in *code; 0 when no character begins there. */
size_t utf8_decode(const char *text, size_t left, uint32_t *code);

/* The same of a NUL-terminated string that has not ended. */
size_t utf8_decode_string(const char *text, uint32_t *code);

/* Whether a code point is a control character: C0, DEL or C1. */
bool utf8_is_control(uint32_t code);

#endif
