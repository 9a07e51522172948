/* SPDX-License-Identifier: Apache-2.0 */
#include "seen_list.h"

#include "err.h"
#include "file.h"
#include "quiet_signals.h"
#include "recording_name.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_LIMIT ((size_t)1 << 26)
#define LINE_LIMIT ((size_t)1 << 16)

static const char *const words[SEEN_KIND_COUNT] = {
	[SEEN_RECORDING] = "recording",
	[SEEN_NO_DEVICE] = "no-device",
	[SEEN_FAILURE] = "failure",
	[SEEN_INNER] = "inner",
};

void seen_list_add(const char *path, enum seen_kind kind, const char *text)
{
	struct quiet_signals quiet;
	char *line;
	size_t length;
	ssize_t put;
	int fd;

	if (!path || strchr(text, '\n'))
		return;
	line = str_format(NULL, "%s %s\n", words[kind], text);
	fd = line ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	length = line ? strlen(line) : 0;
	/* One write, so that lines of several processes do not mix; a report may do without. */
	quiet_signals_begin(&quiet);
	do
		put = fd >= 0 ? write(fd, line, length) : 0;
	while (put < 0 && errno == EINTR);
	quiet_signals_end(&quiet, put < 0);
	if (fd >= 0)
		close(fd);
	free(line);
}

/* Whether the list has this line. */
static bool has(const struct seen_list *list, enum seen_kind kind, const char *text)
{
	const struct seen *lines = list->lines.data;

	for (size_t i = 0; i < list->lines.count; i++)
		if (lines[i].kind == kind && !strcmp(lines[i].text, text))
			return true;
	return false;
}

/* Keep one line, which is ended by NUL; one that says nothing is passed over. */
static int add_line(struct seen_list *list, const char *line, const char *pattern, struct err *err)
{
	for (int kind = 0; kind < SEEN_KIND_COUNT; kind++) {
		size_t length = strlen(words[kind]);
		const char *text = line + length + 1;
		struct seen *seen;

		if (strncmp(line, words[kind], length) != 0 || line[length] != ' ')
			continue;
		if (has(list, (enum seen_kind)kind, text) ||
		    (kind == SEEN_RECORDING && !recording_name_fits(pattern, text)))
			return 0;
		seen = array_push(&list->lines, 1, err);
		if (!seen)
			return err ? err->code : ERR_NOMEM;
		*seen = (struct seen){ (enum seen_kind)kind, kind == SEEN_RECORDING
			                                             ? str_copy(text, err)
			                                             : str_visible(text, err) };
		return seen->text ? 0 : ERR_NOMEM;
	}
	return 0;
}

int seen_list_read(struct seen_list *list, const char *path, const char *pattern, struct err *err)
{
	struct str text;
	char *line, *end;
	int ret;

	array_init(&list->lines, sizeof(struct seen), LINE_LIMIT, "recordings of a command");
	str_init(&text, FILE_LIMIT);
	ret = file_read(path, &text, err);
	for (line = text.text; !ret && line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		ret = add_line(list, line, pattern, err);
	}
	str_release(&text);
	return ret;
}

const char *seen_list_text(const struct seen_list *list, enum seen_kind kind, size_t at)
{
	const struct seen *lines = list->lines.data;

	for (size_t i = 0; i < list->lines.count; i++)
		if (lines[i].kind == kind && at-- == 0)
			return lines[i].text;
	return NULL;
}

void seen_list_release(struct seen_list *list)
{
	struct seen *lines = list->lines.data;

	for (size_t i = 0; i < list->lines.count; i++)
		free(lines[i].text);
	array_release(&list->lines);
}
