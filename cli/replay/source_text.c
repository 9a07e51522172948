/* SPDX-License-Identifier: Apache-2.0 */
#include "source_text.h"

#include "recording.h"

#include <ctype.h>
#include <string.h>

enum { LINE_SHOWN_BYTES = 60 };

void source_text_load(struct source_text *s, const struct recording *r, uint32_t program)
{
	const struct recorded_program *p;

	*s = (struct source_text){ 0 };
	str_init(&s->text, RECORDING_TEXT_BYTES_MAX);
	if (program >= r->program_count || !r->programs[program].source_file)
		return;
	p = &r->programs[program];
	if (!recording_read_text(r, p->source_file, &p->source_sum, &s->text, NULL))
		s->file = p->source_name ? p->source_name : p->source_file;
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
