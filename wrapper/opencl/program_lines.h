/*
 * program_lines - the lines that a build's codes have in the recording: of a linked program one for
 * each part, with its text, and one for the whole.
 */
#ifndef PROGRAM_LINES_H
#define PROGRAM_LINES_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel_table;
struct program_code;
struct session;

struct program_line {
	const struct program_code *code; /* the build's */
	uint32_t program_id;
	uint32_t *part_ids; /* of its parts; of one part: program_id */
	bool lacks_text;    /* nobody gave its text, and it was not sought where its sites lie */
};

/* Of struct program_line. Release with program_lines_release(). */
struct program_lines {
	struct array list;
};

void program_lines_init(struct program_lines *lines);
void program_lines_release(struct program_lines *lines);

/* The line of a code, or NULL. NULL as code means any. Borrowed until the next is written. */
const struct program_line *program_lines_find(const struct program_lines *lines,
                                              const struct program_code *code);

/*
 * Keep the text of a program that came without one, as CUDA's do, for reports: the source of CUDA
 * or C++, a header too, in which most sites of its table lie, as it is now, where the table says or
 * beside the program that runs. Once for a code; what cannot be read is not kept.
 */
void program_lines_keep_source(struct program_lines *lines, struct session *s,
                               const struct program_code *code, const struct kernel_table *table);

/* The same, written if need be; NULL when that fails. */
const struct program_line *program_lines_write(struct program_lines *lines, struct session *s,
                                               const struct program_code *code);

#endif
