/*
 * source_text - a recorded program's source, its lines, and which of them a place names.
 *
 * A place has the file and the line that the compiler's messages would have: those of the source
 * itself, or those that its `#line` directives give. Directives inside `#if` may not count and are
 * not evaluated: from one of them on no line is known by number, until the next directive outside.
 *
 * Bounded: a source of more than SOURCE_TEXT_BYTES or SOURCE_TEXT_LINES is one that is not there.
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
	const char *file; /* as the program's sites call it; borrowed; NULL: there is none */
	struct str text;
	uint32_t *starts; /* where each line begins in the text */
	uint32_t line_count;
	struct array parts; /* of struct source_part, by `first`; the first begins with line 0 */
};

/* Lines from `first` on have the numbers from `number` on, until the next part. */
struct source_part {
	uint32_t first;   /* index of a line */
	uint32_t number;  /* 0: not known */
	const char *file; /* of the compiler's messages; borrowed */
	char *name;       /* what a directive gives, owned; or NULL */
};

/*
 * Load the source of program `program`, as the recording keeps it. No other file is looked at: a
 * recording may come from anybody and name any file of the reader's. A text that is damaged, not
 * there or larger than the limits, or for whose lines there is no memory, is an empty one: reports
 * do without, and the recording's verdict says that it is missing. Release with
 * source_text_release().
 */
void source_text_load(struct source_text *s, const struct recording *r, uint32_t program);

/* The same of `length` bytes of text, copied, which are said to be of `file`, borrowed. */
void source_text_make(struct source_text *s, const char *file, const char *text, size_t length);

/* Free what it owns. Accepts a zeroed struct. */
void source_text_release(struct source_text *s);

/* Line number `index` (< line_count), from 0, without its end; borrowed. */
struct line source_text_line(const struct source_text *s, uint32_t index);

/* The number that the compiler gives that line; 0: not known. */
uint32_t source_text_number(const struct source_text *s, uint32_t index);

/* The index of line `line` of `file`, as a place has them. False when that is in another file, past
 * the end, or the number of several lines. */
bool source_text_find(const struct source_text *s, const char *file, uint32_t line,
                      uint32_t *index);

/*
 * A copy of the line of a place, to be printed: without the blanks around it, tabs and NULs as
 * blanks, at most `limit_bytes` of it, "..." where it was cut. NULL: there is none, or no memory.
 * Control characters are in it as they are (str_visible()).
 */
char *source_text_copy(const struct source_text *s, const struct place *place, size_t limit_bytes);

/* Copy a line in the same way, its indentation as it is. */
char *source_text_copy_line(struct line line, size_t limit_bytes);

#endif
