/* SPDX-License-Identifier: Apache-2.0 */
#include "word_list.h"

#include "err.h"
#include "str.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_LIMIT_COUNT 65536
#define WORD_LIMIT_BYTES  (1u << 20)

void word_list_init(struct word_list *l)
{
	array_init(&l->words, sizeof(char *), WORDS_LIMIT_COUNT, "an argument list");
}

void word_list_release(struct word_list *l)
{
	for (size_t i = 0; i < l->words.count; i++)
		free(((char **)l->words.data)[i]);
	array_release(&l->words);
}

/* Append `word` itself; the list owns it even after a failure. NULL means out of memory. */
static int take(struct word_list *l, char *word, struct err *err)
{
	char **slot;

	if (!word)
		return err_set(err, ERR_NOMEM, "out of memory for an argument list");
	slot = array_push(&l->words, 1, err);
	if (!slot) {
		free(word);
		return ERR_LIMIT;
	}
	*slot = word;
	return 0;
}

int word_list_add(struct word_list *l, const char *word, struct err *err)
{
	return take(l, str_copy(word, err), err);
}

int word_list_format(struct word_list *l, struct err *err, const char *fmt, ...)
{
	char *word = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&word, fmt, ap) < 0)
		word = NULL;
	va_end(ap);
	return take(l, word, err);
}

int word_list_add_words(struct word_list *l, const char *const *words, size_t count,
                        struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = word_list_add(l, words[i], err);
	return ret;
}

int word_list_add_list(struct word_list *l, const struct word_list *other, struct err *err)
{
	return word_list_add_words(l, other->words.data, other->words.count, err);
}

int word_list_add_pieces(struct word_list *l, const char *text, const char *separators,
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

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* Whether a backslash escapes this character between double quotes. */
static bool is_escaped_in_quotes(char c)
{
	return c == '"' || c == '\\' || c == '$' || c == '`' || c == '\n';
}

/* Take one character of a word from *p; *quote is the quote around it, or 0. */
static int cut_character(const char **p, char *quote, struct str *word, struct err *err)
{
	char c = *(*p)++;

	if (*quote ? c == *quote : (c == '"' || c == '\'')) {
		*quote = (char)(*quote ? '\0' : c);
		return 0;
	}
	if (c == '\\' && *quote != '\'' && (!*quote || is_escaped_in_quotes(**p))) {
		c = **p;
		if (!c)
			return err_set(err, ERR_USAGE, "options end in a backslash");
		++*p;
		if (c == '\n')
			return 0;
	}
	return str_append(word, &c, 1, err);
}

/* Take one word from *text, which is not blank; *text then points past it. */
static int cut_word(const char **text, struct str *word, struct err *err)
{
	const char *p = *text;
	char quote = '\0';
	int ret = 0;

	while (!ret && *p && (quote || !is_blank(*p)))
		ret = cut_character(&p, &quote, word, err);
	if (!ret && quote)
		ret = err_set(err, ERR_USAGE, "options have a %c that is not closed: '%s'", quote,
		              *text);
	*text = p;
	return ret;
}

int word_list_split(struct word_list *l, const char *text, struct err *err)
{
	int ret = 0;

	for (;;) {
		struct str word;

		while (is_blank(*text))
			text++;
		if (!*text || ret)
			return ret;
		str_init(&word, WORD_LIMIT_BYTES);
		ret = cut_word(&text, &word, err);
		if (!ret)
			ret = word.text ? take(l, str_take(&word), err) : word_list_add(l, "", err);
		str_release(&word);
	}
}

size_t word_list_count(const struct word_list *l)
{
	return l->words.count;
}

const char *word_list_at(const struct word_list *l, size_t i)
{
	return ((char **)l->words.data)[i];
}

char *const *word_list_argv(struct word_list *l, struct err *err)
{
	if (!array_push(&l->words, 1, err))
		return NULL;
	l->words.count--;
	return l->words.data;
}

/* Whether a shell takes the word unchanged. */
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

int word_list_print(const struct word_list *l, struct str *out, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < l->words.count && !ret; i++) {
		ret = i ? str_append(out, " ", 1, err) : 0;
		if (!ret)
			ret = print_word(out, word_list_at(l, i), err);
	}
	return ret;
}
