/*
 * line_walk - walks over the lines of a string: a source, a list, a log, a description.
 *
 * The string is bounded by its length: it may hold NULs and need not end with one. A line ends with
 * LF, CR LF or CR alone; clang counts the lines of a source in the same way. Bytes after the last
 * end are a line too; an empty string has no line.
 */
#ifndef LINE_WALK_H
#define LINE_WALK_H

#include <stdbool.h>
#include <stddef.h>

/* A line without its end; borrowed, and not NUL-terminated. */
struct line {
	const char *text;
	size_t length;
};

struct line_walk {
	const char *at, *end;
	size_t number; /* of the line returned last, from 1 */
};

/* A walk over `length` bytes of `text`, which is borrowed; NULL is empty. */
struct line_walk line_walk_begin(const char *text, size_t length);

/* A walk over a NUL-terminated string. */
struct line_walk line_walk_string(const char *text);

/* The next line. Returns false at the end; *line is unchanged then. */
bool line_walk_next(struct line_walk *w, struct line *line);

/* Remove spaces and tabs from both ends. */
void line_trim(struct line *line);

#endif
