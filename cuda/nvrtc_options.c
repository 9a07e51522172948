/* SPDX-License-Identifier: Apache-2.0 */
#include "nvrtc_options.h"

#include "err.h"
#include "str.h"

#include <stdbool.h>
#include <string.h>

enum argument { NONE, TEXT, BOOL, NOT, NUMBER, ARCH, STD, LETTER };

struct row {
	const char *long_name, *short_name;
	enum argument argument;
	const char *canonical;
};

static const struct row rows[] = {
#define NVRTC_OPTION(long_name, short_name, argument, canonical)                                   \
	{ long_name, short_name, argument, canonical },
#include "nvrtc_options.def"
#undef NVRTC_OPTION
};

/* After `name` at the beginning of a word, or NULL. */
static const char *after(const char *word, const char *name)
{
	return strncmp(word, name, strlen(name)) ? NULL : word + strlen(name);
}

/* What follows the name in a word, if it is an option of this row; "" for nothing. NULL: it is not.
 */
static const char *rest_of(const struct row *row, const char *word)
{
	const char *rest = after(word, row->long_name);

	if (rest && (!*rest || *rest == '='))
		return rest;
	rest = after(word, row->short_name);
	return rest && (!*rest || *rest == '=' || row->argument == LETTER) ? rest : NULL;
}

static const struct row *find(const char *word, const char **rest)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		*rest = rest_of(&rows[i], word);
		if (*rest)
			return &rows[i];
	}
	return NULL;
}

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(word, list[i]))
			return true;
	return false;
}

/* "compute_75", "sm_90a". */
static bool is_architecture(const char *value)
{
	const char *number = after(value, "compute_");

	number = number ? number : after(value, "sm_");
	if (!number || !strspn(number, "0123456789"))
		return false;
	number += strspn(number, "0123456789");
	return !*number || !strcmp(number, "a") || !strcmp(number, "f");
}

static bool is_value(enum argument argument, const char *value)
{
	static const char *const booleans[] = { "true", "false" };
	static const char *const standards[] = { "c++03", "c++11", "c++14", "c++17", "c++20" };

	switch (argument) {
	case BOOL:
	case NOT:
		return is_one_of(value, booleans, sizeof(booleans) / sizeof(booleans[0]));
	case NUMBER:
		return *value && !value[strspn(value, "0123456789")];
	case ARCH:
		return is_architecture(value);
	case STD:
		return is_one_of(value, standards, sizeof(standards) / sizeof(standards[0]));
	case TEXT:
	case LETTER:
		return *value;
	case NONE:
		break;
	}
	return false;
}

/* In single quotation marks, as a shell has them. No line can end within. */
static int quote(struct str *out, const char *canonical, const char *value, struct err *err)
{
	int rc = str_printf(out, err, "'%s", canonical);

	for (; rc == 0 && *value; value++)
		rc = *value == '\'' ? str_printf(out, err, "'\\''")
		                    : str_append(out, value, 1, err);
	return rc ? rc : str_printf(out, err, "' ");
}

/* The value that `rest` gives, or the next string; NULL when there is none. *i goes on to it. */
static const char *value_of(const char *rest, const char *const *options, size_t count, size_t *i)
{
	rest += *rest == '=';
	rest += strspn(rest, " ");
	if (*rest)
		return rest;
	return *i + 1 < count ? options[++*i] : NULL;
}

static int read_one(struct str *out, const char *const *options, size_t count, size_t *i,
                    struct err *err)
{
	const char *word = options[*i], *rest = NULL, *value = "";
	const struct row *row = find(word, &rest);

	if (!row || (row->argument == NONE && *rest))
		return err_set(err, ERR_USAGE, "nvrtc: error: unrecognized option %.300s found",
		               word);
	if (row->argument != NONE)
		value = value_of(rest, options, count, i);
	if (row->argument != NONE &&
	    (!value || !is_value(row->argument, value) || strchr(value, '\n')))
		return err_set(err, ERR_USAGE, "nvrtc: error: invalid value for %s (%s)",
		               row->long_name, row->short_name);
	if (!*row->canonical || (row->argument == BOOL && strcmp(value, "true") != 0) ||
	    (row->argument == NOT && strcmp(value, "false") != 0))
		return 0;
	if (row->argument == BOOL || row->argument == NOT)
		value = "";
	return quote(out, row->canonical, value, err);
}

int nvrtc_options_read(struct str *out, const char *const *options, size_t count, struct err *err)
{
	int rc = str_printf(out, err, "'-D__CUDACC_RTC__' ");

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = options[i] ? read_one(out, options, count, &i, err)
		                : err_set(err, ERR_USAGE, "nvrtc: error: an option is NULL");
	return rc;
}
