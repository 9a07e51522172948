/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler_question.h"

#include "str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define HEAD  "warpline"
#define BLANK " \t"

static const struct {
	const char *name;
	enum special_macro fate;
} specials[] = {
#define SPECIAL(name, fate, why) { name, SPECIAL_##fate },
#include "special_macros.def"
#undef SPECIAL
};

enum special_macro special_macro_of(const char *name)
{
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		if (!strcmp(specials[i].name, name))
			return specials[i].fate;
	return SPECIAL_NONE;
}

/* The length of the macro that a name of ours asks, which stands behind HEAD; 0: it asks none. */
static size_t asked_length(const char *name)
{
	const char *macro = name + strlen(HEAD);

	if (strncmp(name, HEAD, strlen(HEAD)) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++) {
		size_t length = strlen(specials[i].name);

		if (specials[i].fate == SPECIAL_ASKED &&
		    !strncmp(macro, specials[i].name, length) && macro[length] == '_')
			return length;
	}
	return 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && strchr(BLANK, *at) && *at)
		at++;
	return at;
}

char *compiler_question_name(const char *text, size_t length, const char *end)
{
	const char *at = skip_blanks(text + length, end), *thing, *stop;
	char *name;

	if (at == end || *at != '(')
		return NULL;
	thing = skip_blanks(at + 1, end);
	for (stop = thing; stop < end && (isalnum((unsigned char)*stop) || *stop == '_');)
		stop++;
	at = skip_blanks(stop, end);
	if (stop == thing || isdigit((unsigned char)*thing) || at == end || *at != ')')
		return NULL;
	name = str_format(NULL, HEAD "%.*s_%.*s", (int)length, text, (int)(stop - thing), thing);
	if (name && compiler_question_is(name))
		return name;
	free(name);
	return NULL;
}

bool compiler_question_is(const char *name)
{
	return asked_length(name);
}

int compiler_question_ask(const char *name, struct str *out, struct err *err)
{
	const char *macro = name + strlen(HEAD);
	int length = (int)asked_length(name);

	return str_printf(out, err, "%s=%.*s(%s)\n", name, length, macro, macro + length + 1);
}

int compiler_question_answer(const char *name, const char *answer, struct str *out, struct err *err)
{
	const char *macro = name + strlen(HEAD);
	int length = (int)asked_length(name);

	return str_printf(out, err,
	                  "#undef %.*s\n#define %.*s(thing) " HEAD "%.*s_##thing\n"
	                  "#define %s %s\n",
	                  length, macro, length, macro, length, macro, name, answer);
}
