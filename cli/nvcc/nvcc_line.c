/* SPDX-License-Identifier: Apache-2.0 */
#include "nvcc_line.h"

#include "err.h"
#include "file.h"
#include "nvcc_take.h"
#include "str.h"
#include "suggest.h"

#include <string.h>

enum { OPTIONS_FILE_LIMIT = 1 << 20, DEPTH_LIMIT = 8 };

static const struct nvcc_option options[] = {
#define NVCC_OPTION(name, letter, form, meaning, text)                                             \
	{ name, letter, NVCC_FORM_##form, NVCC_##meaning, text },
#include "nvcc_options.def"
#undef NVCC_OPTION
};

enum { OPTION_COUNT = sizeof(options) / sizeof(options[0]) };

/* Words being read; those of an options file one level deeper. */
struct scan {
	struct nvcc_line *line;
	const char *const *next, *const *end;
	unsigned depth;
};

static int read_words(struct scan *s, struct err *err);

void nvcc_line_release(struct nvcc_line *l)
{
	word_list_release(&l->sources);
	word_list_release(&l->inputs);
	word_list_release(&l->both);
	word_list_release(&l->host);
	word_list_release(&l->device);
	word_list_release(&l->link);
	word_list_release(&l->host_words);
	word_list_release(&l->ignored);
	word_list_release(&l->values);
	memset(l, 0, sizeof(*l));
}

const char *nvcc_line_language(const struct nvcc_line *l, const char *file)
{
	static const struct {
		const char *ending, *language;
	} endings[] = { { ".cu", "cuda" }, { ".c", "c" },   { ".cc", "c++" },  { ".cpp", "c++" },
		        { ".cxx", "c++" }, { ".C", "c++" }, { ".c++", "c++" }, { ".CPP", "c++" } };
	const char *dot = strrchr(file, '.');

	if (l->language)
		return !strcmp(l->language, "cu") ? "cuda" : l->language;
	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (!strcmp(dot, endings[i].ending))
			return endings[i].language;
	return NULL;
}

static bool ends_in(const char *text, const char *ending)
{
	size_t length = strlen(text), part = strlen(ending);

	return length > part && !strcmp(text + length - part, ending);
}

static int read_file_name(struct nvcc_line *l, const char *file, struct err *err)
{
	static const char *const device_files[] = { ".ptx", ".cubin", ".fatbin", ".ltoir" };
	static const char *const linked[] = { ".o", ".obj", ".a", ".lib", ".so" };
	bool is_linked = strstr(file, ".so.") != NULL;
	int ret;

	for (size_t i = 0; i < sizeof(device_files) / sizeof(device_files[0]); i++)
		if (ends_in(file, device_files[i]))
			return err_set(err, ERR_USAGE,
			               "%s: expected sources, objects or libraries; device code by "
			               "itself is not compiled into a program here",
			               file);
	for (size_t i = 0; i < sizeof(linked) / sizeof(linked[0]); i++)
		is_linked = is_linked || ends_in(file, linked[i]);
	if (is_linked || !nvcc_line_language(l, file))
		return word_list_format(&l->inputs, err, "%s", file);
	ret = word_list_format(&l->sources, err, "%s", file);
	return ret ? ret : word_list_format(&l->inputs, err, "%s", "");
}

/* Whether the argument's name is that one, up to '='. */
static bool is_named(const char *argument, const char *name)
{
	size_t length = strlen(name);

	return length && !strncmp(argument, name, length) &&
	       (!argument[length] || argument[length] == '=');
}

/* The option that an argument names, and its value when that is part of it. */
static const struct nvcc_option *find(const char *argument, const char **value)
{
	bool is_long = !strncmp(argument, "--", 2);
	const char *name = argument + 1 + is_long, *equals = strchr(name, '=');

	*value = equals ? equals + 1 : NULL;
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (is_named(name, options[i].name) ||
		    (!is_long && is_named(name, options[i].letter)))
			return &options[i];
	for (size_t i = 0; !is_long && i < OPTION_COUNT; i++)
		if (options[i].form == NVCC_FORM_STUCK && options[i].letter[0] == name[0]) {
			*value = name + 1;
			return &options[i];
		}
	return NULL;
}

static int unknown(const char *argument, struct err *err)
{
	struct suggestion s;

	suggestion_init(&s, argument + strspn(argument, "-"));
	for (size_t i = 0; i < OPTION_COUNT; i++)
		suggestion_offer(&s, options[i].name);
	if (s.best)
		return err_set(err, ERR_USAGE, "unknown option '%s'; is --%s meant?", argument,
		               s.best);
	return err_set(err, ERR_USAGE,
	               "unknown option '%s'; options of the host's compiler go after -Xcompiler",
	               argument);
}

/* What stands in an options file, without the quotes around words. */
static int split_file(struct word_list *words, char *text, struct err *err)
{
	int ret = 0;

	while (!ret && *(text += strspn(text, " \t\r\n"))) {
		char *start = text, *out = text, quote = '\0';

		for (; *text && (quote || !strchr(" \t\r\n", *text)); text++) {
			if (quote && *text == quote)
				quote = '\0';
			else if (!quote && (*text == '"' || *text == '\''))
				quote = *text;
			else
				*out++ = *text;
		}
		ret = word_list_format(words, err, "%.*s", (int)(out - start), start);
	}
	return ret;
}

static int read_options_file(struct scan *outer, const char *path, struct err *err)
{
	struct scan s = { outer->line, NULL, NULL, outer->depth + 1 };
	struct word_list words;
	struct str text;
	int ret;

	if (s.depth > DEPTH_LIMIT)
		return err_set(err, ERR_LIMIT, "%s: options files in each other, more than %d deep",
		               path, DEPTH_LIMIT);
	word_list_init(&words);
	str_init(&text, OPTIONS_FILE_LIMIT);
	ret = file_read(path, &text, err);
	if (!ret && text.text)
		ret = split_file(&words, text.text, err);
	if (!ret) {
		s.next = words.words.data;
		s.end = s.next + word_list_count(&words);
		ret = s.next ? read_words(&s, err) : 0;
	}
	str_release(&text);
	word_list_release(&words);
	return ret;
}

static int read_option(struct scan *s, const char *argument, struct err *err)
{
	const char *value;
	const struct nvcc_option *o = find(argument, &value);

	if (!o && s->line->forwards)
		return word_list_format(&s->line->host_words, err, "%s", argument);
	if (!o)
		return unknown(argument, err);
	if (o->form == NVCC_FORM_NONE && value)
		return err_set(err, ERR_USAGE, "%.*s: takes no value", (int)strcspn(argument, "="),
		               argument);
	if (o->form != NVCC_FORM_NONE && !value) {
		if (s->next == s->end)
			return err_set(err, ERR_USAGE, "%s: expected a value", argument);
		value = *s->next++;
	}
	if (o->meaning == NVCC_OPTIONS_FILE)
		return read_options_file(s, value, err);
	return nvcc_take(s->line, o, &(struct nvcc_given){ argument, value }, err);
}

static int read_words(struct scan *s, struct err *err)
{
	int ret = 0;

	while (!ret && s->next < s->end) {
		const char *argument = *s->next++;

		if (argument[0] == '@' && argument[1])
			ret = read_options_file(s, argument + 1, err);
		else if (argument[0] == '-' && argument[1])
			ret = read_option(s, argument, err);
		else
			ret = read_file_name(s->line, argument, err);
	}
	return ret;
}

int nvcc_line_read(struct nvcc_line *l, const char *const *argv, size_t count, struct err *err)
{
	struct scan s = { l, argv, argv + count, 0 };

	*l = (struct nvcc_line){ .has_runtime = true };
	word_list_init(&l->sources);
	word_list_init(&l->inputs);
	word_list_init(&l->both);
	word_list_init(&l->host);
	word_list_init(&l->device);
	word_list_init(&l->link);
	word_list_init(&l->host_words);
	word_list_init(&l->ignored);
	word_list_init(&l->values);
	return read_words(&s, err);
}
