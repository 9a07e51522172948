/* SPDX-License-Identifier: Apache-2.0 */
#include "source_text.h"

#include "err.h"
#include "recording.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 4096 };

/* The state while the directives of a source are read. */
struct directives {
	struct source_text *source;
	uint32_t depth; /* of #if */
	bool is_comment;
};

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* If a word is at *at, move past it. Returns whether it was. */
static bool take_word(const char **at, const char *end, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0)
		return false;
	*at += length;
	return true;
}

/* Returns a copy of "file.h" without its escapes; NULL: there is no string. */
static char *copy_name(const char *at, const char *end)
{
	char *name, *to;

	if (at == end || *at != '"')
		return NULL;
	name = to = malloc((size_t)(end - at));
	for (at++; name && at < end && *at != '"' && *at; at++) {
		at += *at == '\\' && at + 1 < end;
		*to++ = *at;
	}
	if (name)
		*to = '\0';
	return name;
}

/* Add a part, from `12 "file.h"` after #line: the lines from `first` on. */
static int add_part(struct directives *d, uint32_t first, const char *at, const char *end)
{
	struct source_part *part = array_push(&d->source->parts, 1, NULL);
	bool has_number = at < end && *at >= '0' && *at <= '9';
	uint64_t number = 0;

	if (!part)
		return ERR_LIMIT;
	for (; at < end && *at >= '0' && *at <= '9' && number < UINT32_MAX; at++)
		number = 10 * number + (uint64_t)(*at - '0');
	part->first = first;
	if (has_number && !d->depth && number < UINT32_MAX)
		part->number = (uint32_t)number;
	part->name = copy_name(skip_blanks(at, end), end);
	part->file = part->name ? part->name : part[-1].file;
	return 0;
}

/* Read a line that begins with '#'; `at` is what follows it. */
static int read_directive(struct directives *d, uint32_t index, const char *at, const char *end)
{
	at = skip_blanks(at, end);
	if (take_word(&at, end, "if"))
		d->depth++;
	else if (take_word(&at, end, "endif"))
		d->depth -= d->depth > 0;
	else if (take_word(&at, end, "line") || (at < end && *at >= '0' && *at <= '9'))
		return add_part(d, index + 1, skip_blanks(at, end), end);
	return 0;
}

/* Whether a comment continues after the line; `at` is the rest of the line. */
static bool ends_in_comment(bool is_comment, const char *at, const char *end)
{
	char quote = '\0';

	for (; at < end; at++) {
		bool has_next = at + 1 < end;

		if (is_comment) {
			is_comment = !has_next || at[0] != '*' || at[1] != '/';
			at += !is_comment;
		} else if (quote) {
			at += *at == '\\';
			quote = at < end && *at == quote ? '\0' : quote;
		} else if (*at == '"' || *at == '\'') {
			quote = *at;
		} else if (has_next && at[0] == '/' && at[1] == '/') {
			break;
		} else if (has_next && at[0] == '/' && at[1] == '*') {
			is_comment = true;
			at++;
		}
	}
	return is_comment;
}

static int read_line(struct directives *d, uint32_t index, struct line line)
{
	const char *end = line.text + line.length, *at = skip_blanks(line.text, end);
	int ret = 0;

	if (!d->is_comment && at < end && *at == '#')
		ret = read_directive(d, index, at + 1, end);
	d->is_comment = ends_in_comment(d->is_comment, at, end);
	return ret;
}

/* Find where lines begin, and the parts. */
static int find_lines(struct source_text *s)
{
	struct line_walk walk = line_walk_begin(s->text.text, s->text.length);
	struct source_part *part = array_push(&s->parts, 1, NULL);
	struct directives d = { .source = s };
	struct line line;
	int ret = 0;

	if (!part)
		return ERR_NOMEM;
	*part = (struct source_part){ .number = 1, .file = s->file };
	while (line_walk_next(&walk, &line))
		;
	if (walk.number > SOURCE_TEXT_LINES)
		return ERR_LIMIT;
	s->starts = array_alloc(walk.number, sizeof(*s->starts), "lines of a source", NULL);
	if (!s->starts)
		return ERR_NOMEM;
	walk = line_walk_begin(s->text.text, s->text.length);
	while (!ret && line_walk_next(&walk, &line)) {
		s->starts[s->line_count] = (uint32_t)(line.text - s->text.text);
		ret = read_line(&d, s->line_count++, line);
	}
	return ret;
}

static void begin(struct source_text *s)
{
	*s = (struct source_text){ 0 };
	str_init(&s->text, SOURCE_TEXT_BYTES);
	array_init(&s->parts, sizeof(struct source_part), PARTS_MAX, "#line directives");
}

/* Keep nothing of a source whose lines are unknown. */
static void end(struct source_text *s)
{
	if (!s->file || find_lines(s))
		source_text_release(s);
}

void source_text_load(struct source_text *s, const struct recording *r, uint32_t program)
{
	const struct recorded_program *p = &r->programs[program];

	begin(s);
	if (program >= r->program_count)
		return;
	if (p->source_file &&
	    !recording_read_text(r, p->source_file, &p->source_sum, &s->text, NULL))
		s->file = p->source_name ? p->source_name : p->source_file;
	end(s);
}

void source_text_make(struct source_text *s, const char *file, const char *text, size_t length)
{
	begin(s);
	if (!str_append(&s->text, text, length, NULL))
		s->file = file;
	end(s);
}

void source_text_release(struct source_text *s)
{
	struct source_part *parts = s->parts.data;

	for (size_t i = 0; i < s->parts.count; i++)
		free(parts[i].name);
	array_release(&s->parts);
	free(s->starts);
	str_release(&s->text);
	s->file = NULL;
	s->starts = NULL;
	s->line_count = 0;
}

struct line source_text_line(const struct source_text *s, uint32_t index)
{
	struct line_walk walk =
		line_walk_begin(s->text.text + s->starts[index], s->text.length - s->starts[index]);
	struct line line = { s->text.text, 0 };

	line_walk_next(&walk, &line);
	return line;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

uint32_t source_text_number(const struct source_text *s, uint32_t index)
{
	const struct source_part *part = s->parts.data, *end = part + s->parts.count;

	while (part + 1 < end && part[1].first <= index)
		part++;
	return part->number ? part->number + (index - part->first) : 0;
}

bool source_text_find(const struct source_text *s, const char *file, uint32_t line, uint32_t *index)
{
	const struct source_part *part = s->parts.data;
	unsigned found = 0;

	if (!s->file || !file || !line)
		return false;
	file = base_name(file);
	for (size_t i = 0; i < s->parts.count && found < 2; i++, part++) {
		uint32_t end = i + 1 < s->parts.count ? part[1].first : s->line_count;

		if (!part->number || line < part->number ||
		    line - part->number >= end - part->first ||
		    strcmp(base_name(part->file), file) != 0)
			continue;
		*index = part->first + (line - part->number);
		found++;
	}
	return found == 1;
}

/* Returns the bytes of a line to copy: at most the limit, and no part of a UTF-8 character. */
static size_t bytes_kept(struct line line, size_t limit_bytes)
{
	size_t bytes = limit_bytes;

	if (line.length <= limit_bytes)
		return line.length;
	while (bytes && text_is_tail(line.text[bytes]) && limit_bytes - bytes < 3)
		bytes--;
	return bytes;
}

char *source_text_copy_line(struct line line, size_t limit_bytes)
{
	size_t bytes = bytes_kept(line, limit_bytes);
	char *copy = malloc(bytes + sizeof("..."));

	if (!copy)
		return NULL;
	for (size_t i = 0; i < bytes; i++)
		copy[i] = line.text[i] && line.text[i] != '\t' ? line.text[i] : ' ';
	memcpy(copy + bytes, bytes < line.length ? "..." : "", bytes < line.length ? 4 : 1);
	return copy;
}

char *source_text_copy(const struct source_text *s, const struct place *place, size_t limit_bytes)
{
	struct line line;
	uint32_t index;

	if (!source_text_find(s, place->file, place->line, &index))
		return NULL;
	line = source_text_line(s, index);
	line_trim(&line);
	return source_text_copy_line(line, limit_bytes);
}
