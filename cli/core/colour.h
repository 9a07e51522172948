/*
 * colour - whether text on stdout has colours, and which.
 *
 * Decided once for a command, before anything is printed, by --colour always, never or auto. auto
 * (the default) colours what goes to a terminal, unless NO_COLOR is set and not empty
 * (no-color.org) or TERM is unset or "dumb". A pager that this program starts shows the same
 * colours as the terminal. Colour never carries a meaning alone: the text says everything without
 * it.
 *
 *	const struct colour *c = &operands->common.colour;
 *
 *	printf("%s%s%s\n", colour_on(c, COLOUR_HOT), text, colour_off(c));
 */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
#define COLOUR_WORDS "auto|always|never" /* in that order */

/* What a string is for. */
enum colour_role {
	COLOUR_HEAD,
	COLOUR_HOT,
	COLOUR_WARM,
	COLOUR_GOOD,
	COLOUR_BAD,
	COLOUR_FAINT,
};

struct colour {
	bool is_on; /* zeroed: no colours */
};

/* Whether text for `fd` is coloured. */
struct colour colour_make(enum colour_when when, int fd);

/* What to print before and after a string; "" without colours. Static storage. */
const char *colour_on(const struct colour *c, enum colour_role role);
const char *colour_off(const struct colour *c);

#endif
