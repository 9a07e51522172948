/* SPDX-License-Identifier: Apache-2.0 */
#include "line_walk.h"

#include <string.h>

struct line_walk line_walk_begin(const char *text, size_t length)
{
	return (struct line_walk){ .at = text, .end = text ? text + length : NULL };
}

struct line_walk line_walk_string(const char *text)
{
	return line_walk_begin(text, text ? strlen(text) : 0);
}

bool line_walk_next(struct line_walk *w, struct line *line)
{
	const char *stop = w->at;

	if (stop == w->end)
		return false;
	while (stop < w->end && *stop != '\n' && *stop != '\r')
		stop++;
	*line = (struct line){ w->at, (size_t)(stop - w->at) };
	if (w->end - stop >= 2 && stop[0] == '\r' && stop[1] == '\n')
		stop++;
	w->at = stop < w->end ? stop + 1 : stop;
	w->number++;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void line_trim(struct line *line)
{
	for (; line->length && is_blank(*line->text); line->length--)
		line->text++;
	while (line->length && is_blank(line->text[line->length - 1]))
		line->length--;
}
