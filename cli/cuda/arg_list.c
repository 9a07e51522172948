/* SPDX-License-Identifier: Apache-2.0 */
#include "arg_list.h"

#include "err.h"
#include "str.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_LIMIT = 65536 };

void arg_list_init(struct arg_list *l)
{
	array_init(&l->words, sizeof(char *), WORDS_LIMIT, "words of a command");
}

void arg_list_release(struct arg_list *l)
{
	char **words = l->words.data;

	for (size_t i = 0; i < l->words.count; i++)
		free(words[i]);
	array_release(&l->words);
}

size_t arg_list_count(const struct arg_list *l)
{
	return l->words.count;
}

const char *arg_list_at(const struct arg_list *l, size_t i)
{
	return ((char *const *)l->words.data)[i];
}

/* Add a word that is on the heap already; takes it. */
static int take(struct arg_list *l, char *word, struct err *err)
{
	char **slot = word ? array_push(&l->words, 1, err) : NULL;

	if (slot)
		*slot = word;
	else
		free(word);
	return slot ? 0 : err && err->code ? err->code : ERR_NOMEM;
}

int arg_list_add(struct arg_list *l, struct err *err, const char *fmt, ...)
{
	char *word = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&word, fmt, args) < 0)
		word = NULL;
	va_end(args);
	return word ? take(l, word, err) : err_set(err, ERR_NOMEM, "out of memory for a command");
}

int arg_list_add_words(struct arg_list *l, const char *const *words, size_t count, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = take(l, str_copy(words[i], err), err);
	return ret;
}

int arg_list_add_list(struct arg_list *l, const struct arg_list *other, struct err *err)
{
	return arg_list_add_words(l, other->words.data, other->words.count, err);
}

int arg_list_add_split(struct arg_list *l, const char *text, const char *separators,
                       struct err *err)
{
	int ret = 0;

	while (!ret && *(text += strspn(text, separators))) {
		size_t length = strcspn(text, separators);

		ret = take(l, str_format(err, "%.*s", (int)length, text), err);
		text += length;
	}
	return ret;
}

char **arg_list_argv(struct arg_list *l, struct err *err)
{
	char **end = array_push(&l->words, 1, err);

	if (!end)
		return NULL;
	*end = NULL;
	l->words.count--;
	return l->words.data;
}

/* Whether a shell takes the word as it is. */
static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=/.,:@%^";

	return *word && strspn(word, plain) == strlen(word);
}

static int print_word(struct str *out, const char *word, struct err *err)
{
	int ret;

	if (is_plain(word))
		return str_printf(out, err, "%s", word);
	ret = str_append(out, "'", 1, err);
	for (; *word && !ret; word++)
		ret = *word == '\'' ? str_append(out, "'\\''", 4, err)
		                    : str_append(out, word, 1, err);
	return ret ? ret : str_append(out, "'", 1, err);
}

int arg_list_print(const struct arg_list *l, struct str *out, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < l->words.count && !ret; i++) {
		ret = i ? str_append(out, " ", 1, err) : 0;
		if (!ret)
			ret = print_word(out, arg_list_at(l, i), err);
	}
	return ret;
}
