/*
 * program_code_file - a program_code as bytes, for a file of the cache. In the order of bytes of
 * this machine: such a file stays on it.
 */
#ifndef PROGRAM_CODE_FILE_H
#define PROGRAM_CODE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct program_code;
struct str;

/* Append it. False when memory ran out or the text's limit is reached. */
bool program_code_write(const struct program_code *code, struct str *out);

/*
 * Read one, of origin "binary", from exactly `length` bytes. NULL when they are not whole, or
 * memory ran out; any bytes may come.
 */
struct program_code *program_code_read(const char *bytes, size_t length);

#endif
