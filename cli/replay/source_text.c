/* SPDX-License-Identifier: Apache-2.0 */
#include "source_text.h"

#include "file.h"
#include "recording.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_LIMIT_BYTES = 1 << 16, LINE_SHOWN_BYTES = 60 };

/* No other file of the reader's is shown, whatever a recording says. */
static bool is_cuda(const char *file)
{
	const char *dot = file ? strrchr(file, '.') : NULL;

	return dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".cuh"));
}

/* The file that a program's first site names; NULL: none of CUDA's. */
static const char *file_of_sites(const struct recording *r, uint32_t program)
{
	for (size_t k = 0; k < r->kernel_count; k++) {
		const struct kernel_table *t = &r->kernels[k].table;

		if (r->kernels[k].program == program && t->site_count)
			return is_cuda(t->sites[0].place.file) ? t->sites[0].place.file : NULL;
	}
	return NULL;
}

/* Read a file where it says that it is, or else from the folder that the recording lies in. */
static bool read_beside(const char *dir, const char *file, struct str *text)
{
	struct str beside;
	size_t folder = strlen(dir);
	bool is_read = !file_read(file, text, NULL);

	while (folder && dir[folder - 1] == '/')
		folder--;
	while (folder && dir[folder - 1] != '/')
		folder--;
	str_init(&beside, PATH_LIMIT_BYTES);
	if (!is_read && folder && *file != '/' &&
	    !str_printf(&beside, NULL, "%.*s%s", (int)folder, dir, file))
		is_read = !file_read(beside.text, text, NULL);
	str_release(&beside);
	return is_read;
}

void source_text_load(struct source_text *s, const struct recording *r, uint32_t program)
{
	const struct recorded_program *p;
	const char *file;

	*s = (struct source_text){ 0 };
	str_init(&s->text, RECORDING_TEXT_BYTES_MAX);
	if (program >= r->program_count)
		return;
	if (!r->programs[program].source_file) {
		file = file_of_sites(r, program);
		if (file && read_beside(r->dir, file, &s->text))
			s->file = file;
		return;
	}
	p = &r->programs[program];
	if (!recording_read_text(r, p->source_file, &p->source_sum, &s->text, NULL))
		s->file = p->source_file;
	else
		str_release(&s->text);
}

void source_text_release(struct source_text *s)
{
	str_release(&s->text);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *source_text_line(const struct source_text *s, const struct place *place, int *length)
{
	const char *line = s->text.text, *newline;

	if (!s->file || !line || !place->file || !place->line ||
	    strcmp(base_name(s->file), base_name(place->file)) != 0)
		return NULL;
	for (uint32_t i = 1; i < place->line; i++) {
		newline = strchr(line, '\n');
		if (!newline)
			return NULL;
		line = newline + 1;
	}
	while (*line == ' ' || *line == '\t')
		line++;
	*length = (int)strcspn(line, "\r\n");
	while (*length && isspace((unsigned char)line[*length - 1]))
		--*length;
	if (*length > LINE_SHOWN_BYTES)
		*length = LINE_SHOWN_BYTES;
	return line;
}
