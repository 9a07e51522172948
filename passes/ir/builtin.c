/* SPDX-License-Identifier: Apache-2.0 */
#include "builtin.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct row {
	const char *name;
	enum builtin_class class;
	const char *what;
};

static const struct row rows[] = {
#define BUILTIN(name, class, what) { name, BUILTIN_##class, what },
#include "builtins.def"
#undef BUILTIN
};

static const struct row nvvm_rows[] = {
#define NVVM_BUILTIN(name, class, what) { name, BUILTIN_##class, what },
#include "nvvm_builtins.def"
#undef NVVM_BUILTIN
};

const char *builtin_source_name(const char *symbol, size_t *length)
{
	size_t count = 0;
	const char *p = symbol;

	*length = strlen(symbol);
	if (strncmp(symbol, "_Z", 2) != 0 || !isdigit((unsigned char)symbol[2]))
		return symbol;
	for (p += 2; isdigit((unsigned char)*p) && count < *length; p++)
		count = count * 10 + (size_t)(*p - '0');
	if (count > strlen(p))
		return symbol;
	*length = count;
	return p;
}

static const struct row *find_row(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].name) == length && !memcmp(rows[i].name, name, length))
			return &rows[i];
	return NULL;
}

/* A name that ends in '*' is the beginning of many. */
static const struct row *find_nvvm_row(const char *symbol)
{
	for (size_t i = 0; i < sizeof(nvvm_rows) / sizeof(nvvm_rows[0]); i++) {
		size_t length = strcspn(nvvm_rows[i].name, "*");

		if (!strncmp(symbol, nvvm_rows[i].name, length) &&
		    (nvvm_rows[i].name[length] || !symbol[length]))
			return &nvvm_rows[i];
	}
	return NULL;
}

/* Cut "_rte" and the like off the end. */
static size_t without_rounding(const char *name, size_t length)
{
	static const char modes[] = "enpz";

	if (length > 4 && !memcmp(name + length - 4, "_rt", 3) &&
	    memchr(modes, name[length - 1], sizeof(modes) - 1))
		return length - 4;
	return length;
}

/* Cut the number of elements off the end and return it; 1 when there is none. */
static uint32_t cut_lanes(const char *name, size_t *length)
{
	size_t end = *length;
	uint32_t lanes = 0;

	while (*length > 0 && isdigit((unsigned char)name[*length - 1]))
		--*length;
	if (end - *length > 2)
		return 1;
	for (size_t i = *length; i < end; i++)
		lanes = lanes * 10 + (uint32_t)(name[i] - '0');
	return lanes ? lanes : 1;
}

/* The row of all atomics of cuda_library.cl. */
static size_t without_type(const char *name, size_t length)
{
	static const char begin[] = "warpline_cuda_atomic";

	if (length > strlen(begin) && !memcmp(name, begin, strlen(begin)) &&
	    name[strlen(begin)] == '_')
		return strlen(begin);
	return length;
}

struct builtin builtin_find(const char *symbol)
{
	struct builtin b = { .class = BUILTIN_NONE, .what = "", .lanes = 1, .stride = 1 };
	size_t length;
	const char *name = builtin_source_name(symbol, &length);
	const struct row *row = find_row(name, without_type(name, length));

	if (!row && length > 5 && (!memcmp(name, "vload", 5) || !memcmp(name, "vstor", 5))) {
		bool is_aligned = name[5] == 'a' || (name[5] == 'e' && name[6] == 'a');

		length = without_rounding(name, length);
		b.lanes = cut_lanes(name, &length);
		b.stride = is_aligned && b.lanes == 3 ? 4 : b.lanes;
		row = find_row(name, length);
	}
	if (!row)
		row = find_nvvm_row(symbol);
	if (row) {
		b.class = row->class;
		b.what = row->what;
	}
	return b;
}
