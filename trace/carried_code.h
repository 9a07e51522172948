/*
 * carried_code - OpenCL C that carries the code it was made from.
 *
 * Warpline's CUDA libraries pass finished code to OpenCL: linked, lowered, without source places.
 * The recorder needs the code before these steps. The text has it in a comment after its first
 * line, as lines of base64.
 */
#ifndef CARRIED_CODE_H
#define CARRIED_CODE_H

#include <stddef.h>

struct err;
struct str;

/* Append the comment to *text, which ends with a line break. Returns 0, ERR_LIMIT, ERR_NOMEM. */
int carried_code_append(struct str *text, const void *code, size_t length, struct err *err);

/* Append the code that a text carries to *code. Returns 1, or 0 if it carries none; ERR_FORMAT when
 * the comment is damaged, ERR_LIMIT, ERR_NOMEM. */
int carried_code_find(const char *text, size_t length, struct str *code, struct err *err);

#endif
