/* SPDX-License-Identifier: Apache-2.0 */
#include "query_lexer.h"

#include "array.h"
#include "err.h"

#include <string.h>

static const char *const operators[] = {
#define QUERY_OP(NAME, text) text,
#include "query_comparisons.def"
#undef QUERY_OP
};

const char *query_operator_text(enum query_operator op)
{
	return operators[op];
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int take(struct query_lexer *l, enum query_token token, size_t length)
{
	l->token = token;
	l->place.length = length;
	l->next += length;
	return 0;
}

static int take_quoted(struct query_lexer *l, struct err *err)
{
	const char *text = l->text + l->next;
	size_t i = 1;

	while (text[i] && text[i] != text[0])
		i += text[i] == '\\' && text[i + 1] ? 2 : 1;
	l->place.length = text[i] ? i + 1 : i;
	if (!text[i])
		return err_set(err, ERR_USAGE, "a string that begins with %c does not end with it",
		               text[0]);
	return take(l, QUERY_QUOTED, i + 1);
}

static bool take_operator(struct query_lexer *l)
{
	for (uint32_t i = 0; i < QUERY_OP_COUNT; i++)
		if (!strncmp(l->text + l->next, operators[i], strlen(operators[i]))) {
			l->operator=(enum query_operator) i;
			take(l, QUERY_OPERATOR, strlen(operators[i]));
			return true;
		}
	return false;
}

static int take_sign(struct query_lexer *l, struct err *err)
{
	const char *text = l->text + l->next;

	if (!strncmp(text, "&&", 2))
		return take(l, QUERY_AND, 2);
	if (!strncmp(text, "||", 2))
		return take(l, QUERY_OR, 2);
	if (take_operator(l))
		return 0;
	if (*text == '!')
		return take(l, QUERY_NOT, 1);
	l->place.length = 1;
	if (*text == '=')
		return err_set(err, ERR_USAGE, "expected == or =~, not a single =");
	return err_set(err, ERR_USAGE,
	               "expected %c%c, not a single one; a string with %c in it must be in quotes",
	               *text, *text, *text);
}

int query_lexer_next(struct query_lexer *l, struct err *err)
{
	const char *text;

	while (is_blank(l->text[l->next]))
		l->next++;
	text = l->text + l->next;
	l->place = (struct query_fault){ l->next, 0 };
	if (!*text)
		return take(l, QUERY_END, 0);
	if (*text == '(' || *text == ')')
		return take(l, *text == '(' ? QUERY_OPEN : QUERY_CLOSE, 1);
	if (*text == '"' || *text == '\'')
		return take_quoted(l, err);
	if (strchr("&|=!<>", *text))
		return take_sign(l, err);
	return take(l, QUERY_BARE, strcspn(text, " \t\r\n()\"'&|=!<>"));
}

char *query_lexer_word(const struct query_lexer *l, struct err *err)
{
	bool is_quoted = l->token == QUERY_QUOTED;
	const char *from = l->text + l->place.at + is_quoted;
	const char *end = l->text + l->place.at + l->place.length - is_quoted;
	char *word = array_alloc(l->place.length + 1, 1, "a string of the expression", err);
	size_t n = 0;

	while (word && from < end) {
		if (is_quoted && *from == '\\' &&
		    (from[1] == '\\' || from[1] == l->text[l->place.at]))
			from++;
		word[n++] = *from++;
	}
	return word;
}
