/* SPDX-License-Identifier: Apache-2.0 */
#include "status_line.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MIN_ROWS = 4, MIN_COLUMNS = 20, MAX_COLUMNS = 200, TEXT_BYTES = 320 };

/* ECMA-48 sequences, with the VT100's save, restore and index. */
#define SAVE    "\0337"
#define RESTORE "\0338"
#define INDEX   "\033D" /* one row down, the column stays; the screen scrolls at its end */
#define UP      "\033[A"
#define PLAIN   "\033[0m"
#define ERASE   "\033[2K"

void status_line_init(struct status_line *l, int fd, const char *term)
{
	*l = (struct status_line){ .fd = fd };
	l->is_possible = isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

static void put(const struct status_line *l, const char *bytes)
{
	/* failure to show the line is harmless */
	if (write(l->fd, bytes, strlen(bytes)) < 0)
		return;
}

/* Get the terminal's size; false if it is too small, or if this process is in the background. */
static bool measure(const struct status_line *l, unsigned *rows, unsigned *columns)
{
	struct winsize size;

	if (!l->is_possible || ioctl(l->fd, TIOCGWINSZ, &size) || tcgetpgrp(l->fd) != getpgrp())
		return false;
	*rows = size.ws_row;
	*columns = size.ws_col;
	return *rows >= MIN_ROWS && *columns >= MIN_COLUMNS;
}

void status_line_show(struct status_line *l, const char *text)
{
	char bytes[TEXT_BYTES], begin[64] = "";
	unsigned rows, columns;

	if (!measure(l, &rows, &columns))
		return;
	/* make room below the cursor first: it must not be in the row of the line */
	if (rows != l->rows)
		snprintf(begin, sizeof(begin), INDEX SAVE "\033[1;%ur" RESTORE UP, rows - 1);
	l->rows = rows;
	l->columns = columns;
	snprintf(bytes, sizeof(bytes), "%s" SAVE "\033[%u;1H" PLAIN ERASE "%.*s" RESTORE, begin,
	         rows, (int)(columns - 1 < MAX_COLUMNS ? columns - 1 : MAX_COLUMNS), text);
	put(l, bytes);
}

void status_line_remove(struct status_line *l)
{
	char bytes[64];

	if (!l->rows)
		return;
	snprintf(bytes, sizeof(bytes), SAVE "\033[r\033[%u;1H" ERASE RESTORE, l->rows);
	put(l, bytes);
	l->rows = l->columns = 0;
}
