/*
 * status_line - one line at the bottom of a terminal on which others write too.
 *
 * The terminal's scrolling region is made one row shorter, so that the output of other programs
 * scrolls above the line, as on a terminal with one row less. Neither overwrites the other, except
 * for programs that use the whole screen. Each change is one write(2) that leaves the cursor and
 * the colours unchanged. Nothing is written to a file, to a terminal that is too small or does not
 * know these commands (TERM), or from the background.
 */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

#include <stdbool.h>

struct status_line {
	int fd;
	bool is_possible;
	unsigned rows, columns; /* of the terminal while the line is shown; else 0 */
};

/* A line that is not shown yet, for the terminal `fd`; `term` is the value of TERM, or NULL. */
void status_line_init(struct status_line *l, int fd, const char *term);

/* Show a string, cut off at the terminal's width. No control characters. */
void status_line_show(struct status_line *l, const char *text);

/* Written to a terminal of any size, removes the line: for a signal handler. */
#define STATUS_LINE_REMOVE "\0337\033[r\033[999;1H\033[2K\0338"

/* Remove the line and restore the scrolling region. */
void status_line_remove(struct status_line *l);

#endif
