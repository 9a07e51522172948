/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* One name of a mangled one: "2mm..." gives "mm". What stands behind it; NULL when there is none.
 */
static const char *component(const char *at, const char **name, size_t *length)
{
	*length = 0;
	if (!isdigit((unsigned char)*at))
		return NULL;
	while (isdigit((unsigned char)*at) && *length < 1u << 16)
		*length = *length * 10 + (size_t)(*at++ - '0');
	*name = at;
	return *length && strnlen(at, *length) == *length ? at + *length : NULL;
}

/* Whether `kernel` begins with this name, alone or with "::" behind it; what is left of it. */
static const char *consume(const char *kernel, const char *name, size_t length)
{
	if (!kernel || strncmp(kernel, name, length) != 0)
		return NULL;
	kernel += length;
	if (!*kernel)
		return kernel;
	return strncmp(kernel, "::", 2) == 0 ? kernel + 2 : NULL;
}

/*
 * The last name of a mangled one and, as result, its length; *path is moved over each name, and
 * NULL when it has another. Only N begins several: what follows the name of _Z2mm3foo is an
 * argument's type.
 */
static size_t walk_names(const char *at, const char **path, const char **last)
{
	bool is_nested = *at == 'N';
	const char *name, *next;
	size_t length, last_length = 0;

	at += is_nested;
	do {
		at += strspn(at, "rVKL");
		next = component(at, &name, &length);
		if (!next)
			break;
		*path = consume(*path, name, length);
		*last = name;
		last_length = length;
		at = next;
	} while (is_nested);
	return last_length;
}

bool ptx_name_is(const char *function, const char *kernel)
{
	const char *last = NULL, *path = kernel;
	size_t length;

	if (!strcmp(function, kernel))
		return true;
	if (strncmp(function, "_Z", 2) != 0)
		return false;
	length = walk_names(function + 2, &path, &last);
	if (!last)
		return false;
	return (path && !*path) || (strlen(kernel) == length && !memcmp(kernel, last, length));
}

/* The last part of the first *length bytes of a path, which become those before it; "." is none. */
static bool take_part(const char *path, size_t *length, const char **part, size_t *part_length)
{
	for (;;) {
		size_t end = *length, begin;

		while (end && path[end - 1] == '/')
			end--;
		begin = end;
		while (begin && path[begin - 1] != '/')
			begin--;
		*length = begin;
		*part = path + begin;
		*part_length = end - begin;
		if (begin == end)
			return false;
		if (end - begin > 1 || path[begin] != '.')
			return true;
	}
}

bool ptx_file_is(const char *path, const char *other)
{
	size_t a = strlen(path), b = strlen(other), x_length, y_length;
	const char *x, *y;
	bool is_any = false;

	for (;; is_any = true) {
		bool has_x = take_part(path, &a, &x, &x_length);
		bool has_y = take_part(other, &b, &y, &y_length);

		if (!has_x || !has_y)
			return is_any && (has_x == has_y || *(has_x ? other : path) != '/');
		if (x_length != y_length || memcmp(x, y, x_length) != 0)
			return false;
	}
}
