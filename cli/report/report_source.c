/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "err.h"
#include "recording.h"
#include "report_rows.h"
#include "source_text.h"

#include <string.h>

static int find_lines(struct report_source *s, struct err *err)
{
	size_t count = 1;

	for (const char *at = s->text; (at = strchr(at, '\n')); at++)
		count++;
	s->line_starts = array_alloc(count, sizeof(*s->line_starts), "lines of a source", err);
	if (!s->line_starts)
		return ERR_NOMEM;
	for (const char *at = s->text; at; at = strchr(at, '\n')) {
		at += at != s->text;
		s->line_starts[s->line_count++] = (size_t)(at - s->text);
	}
	if (s->line_starts[s->line_count - 1] == s->bytes)
		s->line_count--; /* the text ends with its last line */
	return 0;
}

int report_rows_sources(struct report_data *d, struct err *err)
{
	const struct recording *r = d->recording;
	int ret = 0;

	d->sources = array_alloc(r->program_count, sizeof(*d->sources), "sources", err);
	if (!d->sources)
		return ERR_NOMEM;
	d->source_count = r->program_count;
	for (size_t i = 0; i < r->program_count && !ret; i++) {
		struct report_source *s = &d->sources[i];
		struct source_text text;

		s->program = (uint32_t)i;
		s->file = r->programs[i].source_file;
		source_text_load(&text, r, s->program);
		s->file = text.file ? text.file : s->file;
		s->text = text.file ? str_take(&text.text) : NULL;
		s->bytes = s->text ? strlen(s->text) : 0;
		source_text_release(&text);
		if (s->text)
			ret = find_lines(s, err);
	}
	return ret;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *report_data_source_line(const struct report_data *d, uint32_t kernel, const char *file,
                                    uint32_t line, size_t *length)
{
	uint32_t program = d->recording->kernels[kernel].program;
	const struct report_source *s;

	if (program >= d->source_count || !file)
		return NULL;
	s = &d->sources[program];
	if (!s->text || !line || line > s->line_count ||
	    strcmp(base_name(s->file), base_name(file)) != 0)
		return NULL;
	*length = strcspn(s->text + s->line_starts[line - 1], "\r\n");
	return s->text + s->line_starts[line - 1];
}
