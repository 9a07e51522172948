/*
 * terminal - a small screen, for tests: what a terminal shows after some bytes.
 *
 * Knows letters, carriage return, line feed, and of the VT100 save, restore, index, cursor up,
 * cursor position, erase line and the scrolling region; anything else is a failure of the test.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum { TERMINAL_ROWS = 12, TERMINAL_COLUMNS = 40 };

struct terminal_cursor {
	int row, column; /* from 0 */
	bool wraps;      /* the next letter goes to the next row */
};

struct terminal {
	int rows, columns, bottom;                       /* bottom: the last row that scrolls */
	char cells[TERMINAL_ROWS][TERMINAL_COLUMNS + 1]; /* each row a text */
	struct terminal_cursor at, saved;
};

/* An empty screen of so many rows and columns. */
void terminal_init(struct terminal *t, int rows, int columns);

/* What the screen shows after these bytes too. */
void terminal_write(struct terminal *t, const char *bytes, size_t length);

#endif
