/* SPDX-License-Identifier: Apache-2.0 */
#include "source_macros.h"

#include "device_macros.h"
#include "err.h"
#include "file.h"
#include "front_end.h"
#include "settings.h"
#include "str.h"
#include "word_list.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_BYTES (1u << 30)

static int read_file(struct source_macros *m, const char *path, struct err *err)
{
	struct str text;
	int ret;

	str_init(&text, FRONT_END_SOURCE_LIMIT_BYTES);
	ret = file_read(path, &text, err);
	if (!ret)
		ret = source_names_read(&m->names, text.text ? text.text : "", text.length, err);
	str_release(&text);
	return ret;
}

static bool has_word(const struct word_list *words, const char *word)
{
	for (size_t i = word_list_count(words); i-- > 0;)
		if (!strcmp(word_list_at(words, i), word))
			return true;
	return false;
}

/* The name in a preprocessor line '# 12 "name" 1', or NULL. */
static char *marked_file(const char *line, const char *end, struct err *err)
{
	const char *from = memchr(line, '"', (size_t)(end - line));
	char *name, *out;

	if (line[0] != '#' || line[1] != ' ' || !from)
		return NULL;
	name = str_format(err, "%.*s", (int)(end - from - 1), from + 1);
	out = name;
	for (const char *at = name; at && *at && *at != '"'; at++) {
		at += *at == '\\' && at[1];
		*out++ = *at;
	}
	if (name)
		*out = '\0';
	return name;
}

/* Whether what follows such a line is from neither clang nor us. */
static bool is_source(const char *name)
{
	return *name != '<' && !strstr(name, FRONT_END_EMBEDDING) &&
	       strncmp(name, CLANG_HEADERS_DIR, strlen(CLANG_HEADERS_DIR)) != 0;
}

/* Read the file once. A name that is not a file is the source itself. */
static int read_header(struct source_macros *m, struct word_list *seen, const char *name,
                       struct err *err)
{
	int ret;

	if (has_word(seen, name))
		return 0;
	ret = word_list_add(seen, name, err);
	if (!ret && read_file(m, name, NULL) == ERR_NOMEM)
		ret = err_set(err, ERR_NOMEM, "out of memory for a header");
	return ret;
}

/* Read the headers that the preprocessor names, and the lines that it produces. */
static int read_lines(struct source_macros *m, const struct str *text, struct str *kept,
                      struct err *err)
{
	const char *line = text->text ? text->text : "", *end = line + text->length;
	struct word_list seen;
	bool is_kept = false;
	int ret = 0;

	word_list_init(&seen);
	while (!ret && line < end) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		char *name;

		next = next ? next + 1 : end;
		name = next - line > 4 ? marked_file(line, next, err) : NULL;
		if (name)
			is_kept = is_source(name);
		if (name && is_kept)
			ret = read_header(m, &seen, name, err);
		else if (!name && is_kept)
			ret = str_append(kept, line, (size_t)(next - line), err);
		free(name);
		line = next;
	}
	word_list_release(&seen);
	return ret;
}

/* "... warning: 'NAME' is not defined, evaluates to 0": in a condition, possibly made by ##. */
static int read_messages(struct source_macros *m, const struct str *messages, struct err *err)
{
	static const char before[] = "warning: '", after[] = "' is not defined";
	const char *at = messages->text ? messages->text : "";

	while ((at = strstr(at, before))) {
		const char *end;

		at += strlen(before);
		end = strchr(at, '\'');
		if (!end || strncmp(end, after, strlen(after)) != 0)
			continue;
		if (!source_names_add(&m->names, at, (size_t)(end - at), err))
			return ERR_NOMEM;
	}
	return 0;
}

/* Read preprocessed source, with marks in place of renamed functions. */
static int read_preprocessed(struct source_macros *m, const struct settings *s, struct err *err)
{
	struct str text, kept, messages;
	int ret;

	str_init(&text, LIMIT_BYTES);
	str_init(&kept, LIMIT_BYTES);
	str_init(&messages, LIMIT_BYTES);
	ret = front_end_preprocess(s, &text, &messages, err);
	if (!ret)
		ret = read_lines(m, &text, &kept, err);
	m->names.watched = DEVICE_MACROS_MARK;
	if (!ret && kept.length)
		ret = source_names_read(&m->names, kept.text, kept.length, err);
	if (!ret)
		ret = read_messages(m, &messages, err);
	str_release(&messages);
	str_release(&kept);
	str_release(&text);
	return ret;
}

int source_macros_read(struct source_macros *m, struct settings *settings, struct err *err)
{
	int ret;

	source_names_init(&m->names);
	ret = device_macros_read(&m->device, settings->macros, settings->options, err);
	if (ret || !device_macros_are_known(m->device))
		return ret;
	settings->seen = m;
	ret = read_file(m, settings->source, err);
	if (!ret)
		ret = read_preprocessed(m, settings, err);
	for (size_t i = 0; !ret && i < m->names.list.count; i++)
		m->has_place |= device_macros_is_place(source_names_at(&m->names, i)->text);
	return ret ? ret : device_macros_check(m->device, &m->names, err);
}

void source_macros_release(struct source_macros *m)
{
	source_names_release(&m->names);
	device_macros_free(m->device);
	m->device = NULL;
}
