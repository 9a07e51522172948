/* SPDX-License-Identifier: Apache-2.0 */
#include "space_set.h"

#include "err.h"
#include "kernel_table.h"

#include <string.h>

static const struct {
	const char *name;
	unsigned space;
} rows[] = { { "constant", SPACE_CONSTANT }, { "local", SPACE_LOCAL } };

int space_set_parse(const char *list, uint32_t *spaces, struct err *err)
{
	const char *word = list ? list : "";

	*spaces = 1u << SPACE_GLOBAL | 1u << SPACE_GENERIC;
	while (*word) {
		size_t length = strcspn(word, ","), i = 0, count = sizeof(rows) / sizeof(rows[0]);

		while (i < count &&
		       (strlen(rows[i].name) != length || strncmp(rows[i].name, word, length) != 0))
			i++;
		if (i == count)
			return err_set(err, ERR_USAGE,
			               "--spaces: '%.60s' is neither constant nor local", word);
		*spaces |= 1u << rows[i].space;
		word += length;
		if (*word == ',')
			word++;
	}
	return 0;
}

bool space_set_has(uint32_t spaces, unsigned space)
{
	return space < 32 && (spaces >> space & 1);
}
