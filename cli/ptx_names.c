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

bool ptx_name_is(const char *function, const char *kernel)
{
	const char *at = function, *name, *next, *last = NULL, *path = kernel;
	size_t length, last_length = 0;

	if (!strcmp(function, kernel))
		return true;
	if (strncmp(function, "_Z", 2) != 0)
		return false;
	at += 2;
	at += *at == 'N';
	at += strspn(at, "rVKL");
	for (; (next = component(at, &name, &length)); at = next) {
		path = consume(path, name, length);
		last = name;
		last_length = length;
	}
	if (!last)
		return false;
	return (path && !*path) ||
	       (strlen(kernel) == last_length && !memcmp(kernel, last, last_length));
}

bool ptx_file_is(const char *path, const char *other)
{
	size_t a = strlen(path), b = strlen(other);

	if (a < b)
		return ptx_file_is(other, path);
	return b && !strcmp(path + a - b, other) && (a == b || path[a - b - 1] == '/');
}
