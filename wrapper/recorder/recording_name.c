/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_name.h"

#include "err.h"
#include "str.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const char letters[] = "phn%";

int recording_name_check(const char *pattern, const char *what, struct err *err)
{
	if (!*pattern)
		return err_set(err, ERR_USAGE, "%s: the directory of a recording needs a name",
		               what);
	if (strchr(pattern, '\n')) /* names are told to `warpline record` in lines */
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

/* Append what stands for a letter. */
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

/* Whether what stands for a letter and is `least` to `most` bytes long leaves a fitting rest. */
static bool fits_behind(const char *rest, const char *name, size_t least, size_t most)
{
	for (size_t length = least; length <= most; length++)
		if (recording_name_fits(rest, name + length))
			return true;
	return false;
}

bool recording_name_fits(const char *pattern, const char *name)
{
	const char *rest = pattern + 2;

	/* A number takes the place of slashes at the end. */
	if (!pattern[strspn(pattern, "/")] && is_end(name) && (*name || !*pattern))
		return true;
	if (!*pattern)
		return false;
	if (*pattern != '%')
		return *pattern == *name && recording_name_fits(pattern + 1, name + 1);
	switch (pattern[1]) {
	case 'p':
	case 'n':
		return fits_behind(rest, name, 1, strspn(name, "0123456789"));
	case 'h':
		return fits_behind(rest, name, 1, strcspn(name, "/"));
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
