/* SPDX-License-Identifier: Apache-2.0 */
#include "colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_wanted(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no_color && *no_color) && term && *term && strcmp(term, "dumb") != 0 && isatty(fd);
}

struct colour colour_make(enum colour_when when, int fd)
{
	return (struct colour){ when == COLOUR_ALWAYS || (when == COLOUR_AUTO && is_wanted(fd)) };
}

const char *colour_on(const struct colour *c, enum colour_role role)
{
	/* ECMA-48 SGR */
	static const char *const begins[] = {
		[COLOUR_HEAD] = "\033[1m",  [COLOUR_HOT] = "\033[1;31m", [COLOUR_WARM] = "\033[33m",
		[COLOUR_GOOD] = "\033[32m", [COLOUR_BAD] = "\033[31m",   [COLOUR_FAINT] = "\033[2m",
	};

	return c->is_on ? begins[role] : "";
}

const char *colour_off(const struct colour *c)
{
	return c->is_on ? "\033[0m" : "";
}
