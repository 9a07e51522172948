/*
 * pager - shows a command's text in a pager when it is longer than the terminal.
 *
 * The text is gathered in memory while the command runs, so that a short one goes to the terminal
 * as it is, whatever the pager does. $WARPLINE_PAGER, else $PAGER, else less; the empty text and
 * "cat" are none. less is told to show colours (LESS=FRX), unless LESS says what to do.
 */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>
#include <stddef.h>

struct pager {
	int terminal; /* what stdout was, while text is gathered; else -1 */
	int text;     /* in memory */
};

/* Begin to gather what goes to stdout, if it is a terminal and there is a pager. */
void pager_begin(struct pager *p);

/* Show what there is. Accepts one that has not begun. */
void pager_end(struct pager *p);

/* Rows that a text takes on a terminal of so many columns; sequences of colours take none. */
size_t pager_rows(const char *text, size_t length, size_t columns);

#endif
