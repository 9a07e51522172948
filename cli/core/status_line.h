/*
 * status_line - one line at the bottom of a terminal on which others write too.
 *
 * The terminal's scrolling region is made one row shorter, so that what other programs write
 * scrolls above the line as it would on a terminal of one row less: their text is never written
 * over, and neither is the line, but by programs that take the whole screen. Each change is one
 * write(2) that leaves the cursor and the colours as they were. Nothing is written to what is no
 * terminal, to one that is too small or knows no such commands (TERM), or from the background.
 */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

#include <stdbool.h>

struct status_line {
	int fd;
	bool is_possible;
	unsigned rows, columns; /* of the terminal, while the line is up; else 0 */
};

/* A line that is not up yet, for the terminal `fd`; `term` is what TERM says, or NULL. */
void status_line_init(struct status_line *l, int fd, const char *term);

/* Show a text, of which as much is shown as there is room for. No control characters. */
void status_line_show(struct status_line *l, const char *text);

/* What takes a line away, whatever the terminal's size is: for a signal's handler. */
#define STATUS_LINE_REMOVE "\0337\033[r\033[999;1H\033[2K\0338"

/* Take the line away and give its row back. */
void status_line_remove(struct status_line *l);

#endif
