/*
 * source_text - the lines of a recorded program's source, for reports.
 */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include "str.h"

#include <stdint.h>

struct err;
struct place;
struct recording;

struct source_text {
	const char *file; /* as the program's sites call it; borrowed; NULL: there is none */
	struct str text;
};

/*
 * Load the source of program `program`, as the recording keeps it. No other file is looked at: a
 * recording may come from anybody and name any file of the reader's. A text that is damaged, or not
 * there, is an empty one: reports do without, and the recording's verdict says that it is missing.
 * Release with source_text_release().
 */
void source_text_load(struct source_text *s, const struct recording *r, uint32_t program);

/* Free what it owns. Accepts a zeroed struct. */
void source_text_release(struct source_text *s);

/*
 * The line of a place, without the blanks around it, and its *length; borrowed. NULL when the place
 * is in another file or past the end.
 */
const char *source_text_line(const struct source_text *s, const struct place *place, int *length);

#endif
