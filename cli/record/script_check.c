/* SPDX-License-Identifier: Apache-2.0 */
#include "script_check.h"

#include "app.h"
#include "err.h"
#include "file.h"
#include "program_check.h"
#include "str.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_LIMIT     ((size_t)1 << 22)
#define FIRST_LINE_BYTES 256

static const struct {
	const char *words, *what;
} rows[] = {
#define SCRIPT_LINE(words, what) { words, what },
#include "script_lines.def"
#undef SCRIPT_LINE
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

/* The length of `words` at the beginning of `text`, as whole words, or 0. */
static size_t match(const char *text, const char *words)
{
	const char *at = text;
	size_t length = strlen(words);

	for (; *words; words++) {
		if (*words != ' ') {
			if (*at++ != *words)
				return 0;
			continue;
		}
		if (!isblank((unsigned char)*at))
			return 0;
		at += strspn(at, " \t");
	}
	if (length && words[-1] != '=' && *at && !isspace((unsigned char)*at) && *at != ';')
		return 0;
	return (size_t)(at - text);
}

/* Whether the text before `at` ends with this word. */
static bool follows(const char *line, const char *at, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(at - line) >= length && !memcmp(at - length, word, length);
}

/* Whether a command may begin at this place of a line. */
static bool is_command(const char *line, const char *at)
{
	static const char *const words[] = { "then", "else", "do", "exec", "time", "!" };

	while (at > line && isblank((unsigned char)at[-1]))
		at--;
	if (at == line || strchr(";|&({`", at[-1]))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (follows(line, at, words[i]))
			return true;
	return false;
}

/* Whether the line has a command with these words. */
static bool has_command(const char *line, const char *words)
{
	if (line[strspn(line, " \t")] == '#')
		return false;
	for (const char *at = line; *at; at++) {
		bool begins =
			at == line || !(isalnum((unsigned char)at[-1]) || strchr("_-./$", at[-1]));

		if (begins && match(at, words) && is_command(line, at))
			return true;
	}
	return false;
}

/* Look at one line; each row is told once. */
static int check_line(struct program_check *c, const char *path, const char *line, unsigned number,
                      bool told[ROW_COUNT], struct err *err)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (told[i] || !has_command(line, rows[i].words))
			continue;
		told[i] = true;
		return program_check_say(c, err, "%s:%u: '%s' %s", path, number, rows[i].words,
		                         rows[i].what);
	}
	return 0;
}

int script_check_text(struct program_check *c, const char *path, struct err *err)
{
	bool told[ROW_COUNT] = { false };
	struct str text;
	unsigned number = 1;
	char *rest, *line;
	int ret = 0;

	str_init(&text, SCRIPT_LIMIT);
	if (file_read(path, &text, NULL) || memchr(text.text, '\0', text.length)) {
		str_release(&text);
		return 0;
	}
	rest = text.text;
	while (!ret && (line = strsep(&rest, "\n")))
		ret = check_line(c, path, line, number++, told, err);
	str_release(&text);
	return ret;
}

/* The first line without "#!", in `line`; false when there is none. */
static bool read_first_line(const char *path, char line[FIRST_LINE_BYTES])
{
	FILE *file = fopen(path, "rbe");
	bool is_script = file && fgets(line, FIRST_LINE_BYTES, file) && !strncmp(line, "#!", 2);

	if (file)
		fclose(file);
	if (is_script)
		line[strcspn(line, "\n")] = '\0';
	return is_script;
}

char *script_check_interpreter(const char *path, bool *clears)
{
	char line[FIRST_LINE_BYTES], *rest, *word, *file = NULL;
	const char *name;

	*clears = false;
	if (!read_first_line(path, line))
		return NULL;
	rest = line + 2;
	rest += strspn(rest, " \t");
	word = strsep(&rest, " \t");
	name = strrchr(word, '/');
	if (strcmp(name ? name + 1 : word, "env") != 0)
		return str_copy(word, NULL);
	while ((word = strsep(&rest, " \t"))) {
		*clears = *clears || !strcmp(word, "-") || !strcmp(word, "--ignore-environment") ||
		          (word[0] == '-' && word[1] != '-' && strchr(word, 'i'));
		if (*word && *word != '-' && !strchr(word, '='))
			break;
	}
	if (word)
		(void)app_check(word, &file, NULL);
	return file;
}
