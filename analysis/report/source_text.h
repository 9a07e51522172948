/*
 * source_text - a recorded program's source, and the line that a place names.
 *
 * A place has the file and line of the compiler's messages: those of the source itself, or those of
 * its
 * `#line` directives. `#if` is not evaluated: after a directive inside one, line numbers are
 * unknown until the next directive outside.
 *
 * A source of more than SOURCE_TEXT_BYTES or SOURCE_TEXT_LINES counts as missing.
 */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include "array.h"
#include "line_walk.h"
#include "str.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct place;
struct recording;

enum { SOURCE_TEXT_BYTES = 16 << 20, SOURCE_TEXT_LINES = 1 << 22 };

struct source_text {
	const char *file; /* the name in the program's sites; borrowed; NULL: there is none */
	struct str text;
	uint32_t *starts; /* where each line begins in the text */
	uint32_t line_count;
	struct array parts; /* of struct source_part, by `first`; the first begins with line 0 */
};

/* From line `first` on, lines have the numbers from `number` on, until the next part. */
struct source_part {
	uint32_t first;   /* index of a line */
	uint32_t number;  /* 0: not known */
	const char *file; /* of the compiler's messages; borrowed */
	char *name;       /* from a directive, owned; or NULL */
};

/*
 * Load the source of program `program` from the recording. No other file is read, since a recording
 * may come from anybody and could name any of the reader's files. If the text is damaged, missing
 * or too large, or memory runs out, the result is empty: reports work without it, and the
 * recording's verdict says that it is missing. Release with source_text_release().
 */
void source_text_load(struct source_text *s, const struct recording *r, uint32_t program);

/* Make it from a copy of `length` bytes of text, with the name `file`, borrowed. */
void source_text_make(struct source_text *s, const char *file, const char *text, size_t length);

/* Free what it owns. Accepts a zeroed struct. */
void source_text_release(struct source_text *s);

/* Returns line `index` (< line_count), from 0, without its line end; borrowed. */
struct line source_text_line(const struct source_text *s, uint32_t index);

/* Returns the compiler's number of that line; 0: not known. */
uint32_t source_text_number(const struct source_text *s, uint32_t index);

/* Find the index of line `line` of `file`, as in a place. False when it is in another file or past
 * the end, or several lines have this number. */
bool source_text_find(const struct source_text *s, const char *file, uint32_t line,
                      uint32_t *index);

/*
 * Returns a copy of the line of a place for printing: without blanks around it, with tabs and NULs
 * as blanks, at most `limit_bytes`, with "..." if it was cut. NULL: there is none, or no memory.
 * Control characters are unchanged (str_visible()).
 */
char *source_text_copy(const struct source_text *s, const struct place *place, size_t limit_bytes);

/* Copy a line in the same way, with its indentation unchanged. */
char *source_text_copy_line(struct line line, size_t limit_bytes);

#endif
