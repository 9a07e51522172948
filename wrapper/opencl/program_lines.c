/* SPDX-License-Identifier: Apache-2.0 */
#include "program_lines.h"

#include "file.h"
#include "kernel_table.h"
#include "program_code.h"
#include "recorder.h"
#include "session.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_LINES 4096

enum { SOURCE_LIMIT_BYTES = 16 << 20 };

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
	line->lacks_text = code->part_count == 1 && code->parts->kind != CODE_SOURCE;
	if (write_lines(s, line))
		return line;
	free(line->part_ids);
	lines->list.count--;
	return NULL;
}

/* Whether a file is a source of CUDA by its name: kernels lie in headers of any name. */
static bool is_source(const char *file)
{
	static const char *const ends[] = { ".cu",  ".cuh", ".h",  ".hh",  ".hpp", ".hxx", ".inl",
		                            ".inc", ".ipp", ".cc", ".cpp", ".cxx", ".c" };
	const char *dot = file ? strrchr(file, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(dot, ends[i]))
			return true;
	return false;
}

/* The source in which most sites lie, the first of equals; NULL when there is none. */
static const char *main_file(const struct kernel_table *table)
{
	const char *best = NULL, *file;
	size_t most = 0, count;

	for (size_t i = 0; i + most < table->site_count; i++) {
		file = table->sites[i].place.file;
		if (!is_source(file))
			continue;
		count = 0;
		for (size_t k = i; k < table->site_count; k++)
			count += table->sites[k].place.file &&
			         !strcmp(table->sites[k].place.file, file);
		if (count > most) {
			best = file;
			most = count;
		}
	}
	return best;
}

/* Read a file where it says that it is, or else from the folder of the program that runs. */
static bool read_file(const char *file, struct str *text)
{
	char self[4096], *slash, *beside;
	ssize_t length;
	bool is_read = !file_read(file, text, NULL);

	if (is_read || *file == '/')
		return is_read;
	length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[length > 0 ? length : 0] = '\0';
	slash = strrchr(self, '/');
	beside = slash ? str_format(NULL, "%.*s/%s", (int)(slash - self), self, file) : NULL;
	is_read = beside && !file_read(beside, text, NULL);
	free(beside);
	return is_read;
}

void program_lines_keep_source(struct program_lines *lines, struct session *s,
                               const struct program_code *code, const struct kernel_table *table)
{
	struct program_line *list = lines->list.data, *line = NULL;
	const char *file = main_file(table);
	struct str text;

	for (size_t i = 0; !line && i < lines->list.count; i++)
		line = list[i].code == code ? &list[i] : NULL;
	if (!line || !line->lacks_text || !file)
		return;
	line->lacks_text = false;
	str_init(&text, SOURCE_LIMIT_BYTES);
	if (read_file(file, &text))
		recorder_source(s->recorder, line->program_id, file, text.text, text.length);
	str_release(&text);
}
