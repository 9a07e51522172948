/* SPDX-License-Identifier: Apache-2.0 */
#include "program_lines.h"

#include "program_code.h"
#include "recorder.h"
#include "session.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>

#define LIMIT_LINES 4096

void program_lines_init(struct program_lines *lines)
{
	array_init(&lines->list, sizeof(struct program_line), LIMIT_LINES, "programs");
}

void program_lines_release(struct program_lines *lines)
{
	struct program_line *list = lines->list.data;

	for (size_t i = 0; i < lines->list.count; i++)
		free(list[i].part_ids);
	array_release(&lines->list);
}

/* Write the line of a program, or of a part, with its text if it is one. */
static bool write_program(struct session *s, const char *origin, const char *options,
                          const struct code_part *part, uint32_t *id)
{
	bool has_text = part && part->kind == CODE_SOURCE;
	struct recorded_program line = { .options = str_copy(options, NULL),
		                         .origin = str_copy(origin, NULL) };
	bool is_written = line.options && line.origin &&
	                  recorder_program(s->recorder, &line, has_text ? part->text->bytes : NULL,
	                                   has_text ? part->text->length : 0, id);

	free(line.options);
	free(line.origin);
	return is_written;
}

/* The lines of a code: of one part only its own. */
static bool write_lines(struct session *s, struct program_line *line)
{
	static const char *const origins[CODE_KINDS] = { "source", "binary", "il", "binary" };
	const struct program_code *code = line->code;

	line->part_ids = array_alloc(code->part_count, sizeof(uint32_t), "parts", NULL);
	if (!line->part_ids)
		return false;
	for (size_t i = 0; code->part_count > 1 && i < code->part_count; i++) {
		const struct code_part *part = &code->parts[i];
		const char *options = part->options ? part->options : "";

		if (!write_program(s, origins[part->kind], options, part, &line->part_ids[i]))
			return false;
	}
	if (!write_program(s, code->origin, code->options,
	                   code->part_count == 1 ? code->parts : NULL, &line->program_id))
		return false;
	if (code->part_count == 1)
		line->part_ids[0] = line->program_id;
	return true;
}

const struct program_line *program_lines_find(const struct program_lines *lines,
                                              const struct program_code *code)
{
	const struct program_line *list = lines->list.data;

	for (size_t i = 0; i < lines->list.count; i++)
		if (list[i].code == code || !code)
			return &list[i];
	return NULL;
}

const struct program_line *program_lines_write(struct program_lines *lines, struct session *s,
                                               const struct program_code *code)
{
	const struct program_line *known = program_lines_find(lines, code);
	struct program_line *line = known ? NULL : array_push(&lines->list, 1, NULL);

	if (!line)
		return known;
	line->code = code;
	if (write_lines(s, line))
		return line;
	free(line->part_ids);
	lines->list.count--;
	return NULL;
}
