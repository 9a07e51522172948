/*
 * import - a recording from a trace of another tool: one function for each format, in
 * import_NAME.c.
 *
 * Each makes the recording `dir` of `file`, "-" for standard input. Returns 0; ERR_FORMAT with
 * "FILE:LINE: expected ..." or "FILE: ..."; ERR_IO, ERR_LIMIT; or as import_recording_make().
 */
#ifndef IMPORT_H
#define IMPORT_H

#include "address_file.h"

struct err;

/* Accesses of each work-group, except the last, of an imported list of addresses. */
enum { IMPORT_GROUP_ACCESSES = 1 << 14 };

/* Import the first `most` addresses of a list. An empty list is an error. */
int import_addresses(const char *file, enum address_format format, uint64_t most, const char *dir,
                     struct err *err);

/* The text of the 2014 tool (ancestor.h). */
int import_ancestor(const char *file, const char *dir, struct err *err);

/* Accel-Sim's trace of a kernel, or its list of such; plain or .xz (text_lines.h). */
int import_traceg(const char *file, const char *dir, struct err *err);

/* The text of NVBit's tool mem_trace; plain or .xz. */
int import_nvbit(const char *file, const char *dir, struct err *err);

#endif
