/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder_settings.h"

#include "err.h"
#include "group_selection.h"
#include "number.h"
#include "recording_name.h"
#include "str.h"
#include "suggest.h"

#include <regex.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBER_LIMIT (UINT64_C(1) << 62)

/* Reads `text` into the setting at `out`, which is left alone on failure; `words` are those that
 * the row allows, `what` is for messages. */
typedef int (*setting_parse)(void *out, const char *text, const char *what, const char *words,
                             struct err *err);

static int parse_TEXT(void *out, const char *text, const char *what, const char *words,
                      struct err *err)
{
	char **slot = out, *copy = str_copy(text, err);

	if (!copy)
		return ERR_NOMEM;
	free(*slot);
	*slot = copy;
	return 0;
}

static int parse_BYTES(void *out, const char *text, const char *what, const char *words,
                       struct err *err)
{
	return number_parse(text, what, RECORDER_SETTINGS_MIN_BUFFER_BYTES,
	                    RECORDER_SETTINGS_MAX_BUFFER_BYTES, out, err);
}

static int parse_PATTERN(void *out, const char *text, const char *what, const char *words,
                         struct err *err)
{
	int rc = recording_name_check(text, what, err);

	return rc ? rc : parse_TEXT(out, text, what, words, err);
}

static int parse_COUNT(void *out, const char *text, const char *what, const char *words,
                       struct err *err)
{
	return number_parse(text, what, 0, NUMBER_LIMIT, out, err);
}

static int parse_LIMIT(void *out, const char *text, const char *what, const char *words,
                       struct err *err)
{
	return number_parse(text, what, 1, NUMBER_LIMIT, out, err);
}

static int parse_SECONDS(void *out, const char *text, const char *what, const char *words,
                         struct err *err)
{
	return number_parse_seconds(text, what, out, err);
}

static bool is_set(const char *text)
{
	return text && *text && strcmp(text, "0") != 0;
}

static int parse_FLAG(void *out, const char *text, const char *what, const char *words,
                      struct err *err)
{
	bool *flag = out;

	*flag = is_set(text);
	return 0;
}

/* Whether this word is in `words`, which are separated by `separator`. */
static bool has_word(const char *words, char separator, const char *word, size_t length)
{
	const char separators[] = { separator, '\0' };

	while (*words) {
		size_t span = strcspn(words, separators);

		if (span == length && !strncmp(words, word, length))
			return true;
		words += span + (words[span] != '\0');
	}
	return false;
}

static int parse_WORD(void *out, const char *text, const char *what, const char *words,
                      struct err *err)
{
	if (!has_word(words, '|', text, strlen(text)))
		return err_set(err, ERR_USAGE, "%s: '%s' is not one of %s", what, text, words);
	return parse_TEXT(out, text, what, words, err);
}

static int parse_WORDS(void *out, const char *text, const char *what, const char *words,
                       struct err *err)
{
	const char *word = text, *comma;

	for (;; word = comma + 1) {
		size_t length = strcspn(word, ",");

		if (!has_word(words, ',', word, length))
			return err_set(err, ERR_USAGE, "%s: '%.*s' is not one of %s", what,
			               (int)length, word, words);
		comma = strchr(word, ',');
		if (!comma)
			return parse_TEXT(out, text, what, words, err);
	}
}

static int parse_REGEX(void *out, const char *text, const char *what, const char *words,
                       struct err *err)
{
	char why[128];
	regex_t regex;
	int code = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);

	if (code) {
		regerror(code, &regex, why, sizeof(why));
		return err_set(err, ERR_USAGE,
		               "%s: expected a POSIX extended regular expression, not '%s': %s",
		               what, text, why);
	}
	regfree(&regex);
	return parse_TEXT(out, text, what, words, err);
}

static int parse_NUMBERS(void *out, const char *text, const char *what, const char *words,
                         struct err *err)
{
	struct group_selection *numbers = NULL;
	int rc = group_selection_parse(&numbers, text, what, err);

	group_selection_free(numbers);
	return rc ? rc : parse_TEXT(out, text, what, words, err);
}

static void release_TEXT(void *setting)
{
	char **text = setting;

	free(*text);
}

static void release_nothing(void *setting)
{
}

#define release_PATTERN release_TEXT
#define release_WORD    release_TEXT
#define release_WORDS   release_TEXT
#define release_REGEX   release_TEXT
#define release_NUMBERS release_TEXT
#define release_BYTES   release_nothing
#define release_COUNT   release_nothing
#define release_LIMIT   release_nothing
#define release_SECONDS release_nothing
#define release_FLAG    release_nothing

struct setting_row {
	const char *variable, *fallback, *words;
	size_t offset; /* in struct recorder_settings */
	setting_parse parse;
	void (*release)(void *setting);
};

#define ROW(kind, field, variable, fallback, words)                                                \
	{ variable,     fallback,      words, offsetof(struct recorder_settings, field),           \
	  parse_##kind, release_##kind },
static const struct setting_row rows[] = {
#define SETTING(kind, field, variable, fallback, text) ROW(kind, field, variable, fallback, "")
#define OPTION(kind, field, variable, fallback, option, argument, text)                            \
	ROW(kind, field, variable, fallback, argument)
#include "recorder_settings.def"
#undef SETTING
#undef OPTION
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

/* Keep a sentence about an ignored variable. */
static int complain(struct recorder_settings *s, const char *sentence, struct err *err)
{
	char *copy = str_copy(sentence, err),
	     **slot = copy ? array_push(&s->complaints, 1, err) : NULL;

	if (slot)
		*slot = copy;
	else
		free(copy);
	return slot ? 0 : ERR_NOMEM;
}

static int read_row(struct recorder_settings *s, const struct setting_row *row, struct err *err)
{
	void *out = (char *)s + row->offset;
	const char *text = getenv(row->variable);
	struct err problem = { 0 };
	int rc = 0;

	if (row->fallback)
		rc = row->parse(out, row->fallback, row->variable, row->words, err);
	if (rc || !text || !*text)
		return rc;
	rc = row->parse(out, text, row->variable, row->words, &problem);
	if (rc == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", problem.msg);
	return rc ? complain(s, problem.msg, err) : 0;
}

int recorder_settings_init(struct recorder_settings *s, struct err *err)
{
	int first = 0;

	memset(s, 0, sizeof(*s));
	array_init(&s->complaints, sizeof(char *), ROW_COUNT, "bad settings");
	for (size_t i = 0; i < ROW_COUNT; i++) {
		int rc = read_row(s, &rows[i], err);

		first = first ? first : rc;
	}
	return first;
}

int recorder_settings_check(const char *variable, const char *value, const char *what,
                            struct err *err)
{
	struct recorder_settings s = { 0 };
	int rc = 0;

	for (size_t i = 0; i < ROW_COUNT; i++)
		if (!strcmp(variable, rows[i].variable))
			rc = rows[i].parse((char *)&s + rows[i].offset, value, what, rows[i].words,
			                   err);
	recorder_settings_release(&s);
	return rc;
}

void recorder_settings_release(struct recorder_settings *s)
{
	char **complaints = s->complaints.data;

	for (size_t i = 0; i < s->complaints.count; i++)
		free(complaints[i]);
	array_release(&s->complaints);
	for (size_t i = 0; i < ROW_COUNT; i++)
		rows[i].release((char *)s + rows[i].offset);
	memset(s, 0, sizeof(*s));
}

bool recorder_settings_has_flag(const char *variable)
{
	return is_set(getenv(variable));
}

static const char *const names[] = {
#define SETTING(kind, field, variable, fallback, text) variable,
#define OTHER(variable, text)                          variable,
#include "recorder_settings.def"
#undef SETTING
#undef OTHER
};

enum { NAME_COUNT = sizeof(names) / sizeof(names[0]), NAME_BYTES = 64 };

/* Report the variable `name` of the environment if it is unknown. */
static void check_name(const char *name,
                       void (*report)(void *context, const char *variable, const char *nearest),
                       void *context)
{
	struct suggestion s;

	suggestion_init(&s, name);
	for (size_t i = 0; i < NAME_COUNT; i++) {
		if (!strcmp(names[i], name))
			return;
		suggestion_offer(&s, names[i]);
	}
	report(context, name, s.best);
}

void recorder_settings_unknown(void (*report)(void *context, const char *variable,
                                              const char *nearest),
                               void *context)
{
	for (char **e = environ; e && *e; e++) {
		char name[NAME_BYTES];
		size_t length = strcspn(*e, "=");

		if (strncmp(*e, "WARPLINE_", 9) != 0)
			continue;
		snprintf(name, sizeof(name), "%.*s",
		         (int)(length < NAME_BYTES ? length : NAME_BYTES), *e);
		check_name(name, report, context);
	}
}
