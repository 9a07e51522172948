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
	static const char *const begins[] = {
#define COLOUR(ROLE, sgr) "\033[" sgr "m",
#include "colours.def"
#undef COLOUR
	};

	return c->is_on ? begins[role] : "";
}

const char *colour_off(const struct colour *c)
{
	return c->is_on ? "\033[0m" : "";
}
