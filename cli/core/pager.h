/*
 * pager - shows a command's text in a pager when it is longer than the terminal.
 *
 * The text is collected in memory while the command runs; a short one goes to the terminal
 * directly. The pager is $WARPLINE_PAGER, else $PAGER, else less; an empty value or "cat" means no
 * pager. less is started with LESS=FRX, which shows colours, unless LESS is set.
 */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>
#include <stddef.h>

struct pager {
	int terminal; /* the old stdout while text is collected; else -1 */
	int text;     /* in memory */
};

/* Begin to collect what goes to stdout, if it is a terminal and there is a pager. */
void pager_begin(struct pager *p);

/* Show the text. Accepts a pager that has not begun. */
void pager_end(struct pager *p);

/* Rows that the text takes on a terminal with that many columns; colour sequences take none. */
size_t pager_rows(const char *text, size_t length, size_t columns);

#endif
