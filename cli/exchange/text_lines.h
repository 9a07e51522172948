/*
 * text_lines - the lines of a text that another tool wrote, with their numbers.
 *
 * The text is a plain file, "-" for standard input, or a file whose name ends in ".xz", which the
 * program xz decompresses while it is read. Memory does not grow with the text. Lines end with a
 * newline, the last one with the text; a carriage return before it is dropped.
 */
#ifndef TEXT_LINES_H
#define TEXT_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct err;

enum { TEXT_LINE_BYTES = 1 << 16 };

struct text_lines {
	FILE *in;
	const char *path; /* for messages; borrowed */
	pid_t child;      /* xz, or 0 */
	uint64_t line;    /* number of the current line, from 1 */
	bool is_cut;      /* the current line was longer than its room, or holds a NUL */
	bool is_again;    /* text_lines_back() */
	char text[TEXT_LINE_BYTES];
};

/* Returns 0, or ERR_IO, also when xz is needed and not installed. Close it in every case. */
int text_lines_open(struct text_lines *t, const char *path, struct err *err);

/* Close. Returns 0, ERR_IO, or ERR_FORMAT when xz could not decompress all of the file. */
int text_lines_close(struct text_lines *t, struct err *err);

/* Read the next line into t->text: 1, or 0 at the end, ERR_IO, or ERR_FORMAT (text_lines_close()).
 * What does not fit is dropped. */
int text_lines_next(struct text_lines *t, struct err *err);

/* The current line is the next one once more. */
void text_lines_back(struct text_lines *t);

/* ERR_FORMAT with "FILE:LINE: expected WHAT". */
int text_lines_expected(const struct text_lines *t, const char *what, struct err *err);

#endif
