/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_name.h"

#include "err.h"
#include "file.h"
#include "quiet_signals.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char letters[] = "phn%";

int recording_name_check(const char *pattern, const char *what, struct err *err)
{
	if (!*pattern)
		return err_set(err, ERR_USAGE, "%s: the directory of a recording needs a name",
		               what);
	if (strchr(pattern, '\n')) /* names are reported to `warpline record` one a line */
		return err_set(err, ERR_USAGE, "%s: a name of one line is expected", what);
	for (const char *c = strchr(pattern, '%'); c; c = strchr(c + 2, '%'))
		if (!c[1] || !strchr(letters, c[1]))
			return err_set(err, ERR_USAGE,
			               "%s: '%.2s' is not one of %%p (process), %%h (host), %%n "
			               "(running number), %%%%",
			               what, c);
	return 0;
}

bool recording_name_has(const char *pattern, char letter)
{
	for (const char *c = strchr(pattern, '%'); c; c = strchr(c + 2, '%'))
		if (c[1] == letter)
			return true;
	return false;
}

/* Append the value of a letter. */
static int append_value(struct str *name, char letter, long pid, unsigned number, struct err *err)
{
	char host[HOST_NAME_MAX + 1] = "";

	switch (letter) {
	case 'p':
		return str_printf(name, err, "%ld", pid);
	case 'h':
		if (gethostname(host, sizeof(host) - 1) || !*host || strchr(host, '/'))
			return str_printf(name, err, "localhost");
		return str_printf(name, err, "%s", host);
	case 'n':
		return str_printf(name, err, "%u", number);
	default:
		return str_append(name, "%", 1, err);
	}
}

char *recording_name_make(const char *pattern, long pid, unsigned number, struct err *err)
{
	struct str name;
	int ret = 0;

	str_init(&name, PATH_MAX - 1);
	for (const char *c = pattern; *c && !ret;) {
		size_t plain = strcspn(c, "%");

		ret = str_append(&name, c, plain, err);
		c += plain;
		if (*c && !ret) {
			ret = append_value(&name, c[1], pid, number, err);
			c += 2;
		}
	}
	if (!ret && number > 1 && !recording_name_has(pattern, 'n')) {
		/* A name may end in a slash. */
		while (name.length > 1 && name.text[name.length - 1] == '/')
			name.text[--name.length] = '\0';
		ret = str_printf(&name, err, ".%u", number);
	}
	if (ret)
		str_release(&name);
	return str_take(&name);
}

/* The end of a name: nothing, or ".N". */
static bool is_end(const char *name)
{
	return !*name || (*name == '.' && name[1] && !name[1 + strspn(name + 1, "0123456789")]);
}

/* Whether the name fits if the letter's value has `least` to `most` bytes. */
static bool rest_fits(const char *rest, const char *name, size_t least, size_t most)
{
	for (size_t length = least; length <= most; length++)
		if (recording_name_fits(rest, name + length))
			return true;
	return false;
}

bool recording_name_fits(const char *pattern, const char *name)
{
	const char *rest = pattern + 2;

	/* A number replaces slashes at the end. */
	if (!pattern[strspn(pattern, "/")] && is_end(name) && (*name || !*pattern))
		return true;
	if (!*pattern)
		return false;
	if (*pattern != '%')
		return *pattern == *name && recording_name_fits(pattern + 1, name + 1);
	switch (pattern[1]) {
	case 'p':
	case 'n':
		return rest_fits(rest, name, 1, strspn(name, "0123456789"));
	case 'h':
		return rest_fits(rest, name, 1, strcspn(name, "/"));
	default:
		return *name == '%' && recording_name_fits(rest, name + 1);
	}
}

char *recording_name_escape(const char *text, struct err *err)
{
	struct str pattern;
	int ret = 0;

	str_init(&pattern, (size_t)2 * PATH_MAX);
	for (const char *c = text; *c && !ret; c++)
		ret = *c == '%' ? str_append(&pattern, "%%", 2, err)
		                : str_append(&pattern, c, 1, err);
	if (ret)
		str_release(&pattern);
	return str_take(&pattern);
}

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
	/* One write, so that lines of several processes do not mix. A failure is ignored. */
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

/* Keep one NUL-terminated line; a line of an unknown word is skipped. */
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
