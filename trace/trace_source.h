/*
 * trace_source - the source of a recording's bytes: a file or memory.
 *
 * Readers take a source, so that every kind of damage can be tested in memory.
 */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct trace_source;

/* Open a regular file for reading at any offset. Returns 0, ERR_IO or ERR_NOMEM. */
int trace_source_open(struct trace_source **out, const char *path, struct err *err);

/* Open `path` below the folder `dir`: see file_open_below(). Returns as above. */
int trace_source_open_below(struct trace_source **out, const char *dir, const char *path,
                            struct err *err);

/* Make a source of `length` bytes that the caller owns; `name` is for messages and is copied. */
int trace_source_memory(struct trace_source **out, const char *name, const void *bytes,
                        size_t length, struct err *err);

/* Close and free. NULL is allowed. */
void trace_source_close(struct trace_source *s);

/* Return the bytes in the source, and its name for messages (borrowed). */
uint64_t trace_source_length(const struct trace_source *s);
const char *trace_source_name(const struct trace_source *s);

/*
 * Read exactly `length` bytes at `offset`. Returns 0; ERR_FORMAT "NAME: offset N: truncated:
 * expected ..." past the end; ERR_IO.
 */
int trace_source_read(struct trace_source *s, uint64_t offset, void *bytes, size_t length,
                      struct err *err);

#endif
