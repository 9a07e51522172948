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
	const char
		*file; /* source_file of the program, or of a site; borrowed; NULL: there is none */
	struct str text;
};

/*
 * Load the source of program `program`. Of one without, as CUDA's are, it is the .cu or .cuh file
 * that its first site names, as that is now: where it says, or beside the recording. A program
 * whose file cannot be read gives an empty text: reports do without. Release with
 * source_text_release().
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
