/* SPDX-License-Identifier: Apache-2.0 */
#include "language_names.h"

#include <stdlib.h>
#include <string.h>

const struct language_name language_names[] = {
#include "language_rows.h"
};

const size_t language_name_count = sizeof(language_names) / sizeof(language_names[0]);

static int compare(const void *name, const void *row)
{
	return strcmp(name, ((const struct language_name *)row)->name);
}

const struct language_name *language_names_find(const char *name)
{
	return bsearch(name, language_names, language_name_count, sizeof(language_names[0]),
	               compare);
}
