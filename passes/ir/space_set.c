/* SPDX-License-Identifier: Apache-2.0 */
#include "space_set.h"

#include "err.h"
#include "kernel_table.h"

#include <string.h>

static const struct {
	const char *name;
	uint32_t spaces;
} rows[] = {
	{ "global", 0 },
	{ "constant", 1u << SPACE_CONSTANT },
	{ "local", 1u << SPACE_LOCAL },
	{ "sample", 1u << SPACE_SET_SAMPLE },
	{ "all", 1u << SPACE_CONSTANT | 1u << SPACE_LOCAL },
};

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
			               "--spaces: '%.60s' is none of constant, local, sample, "
			               "global, all",
			               word);
		*spaces |= rows[i].spaces;
		word += length;
		if (*word == ',')
			word++;
	}
	return 0;
}

bool space_set_samples(uint32_t spaces)
{
	return spaces >> SPACE_SET_SAMPLE & 1 && !(spaces >> SPACE_LOCAL & 1);
}

bool space_set_has(uint32_t spaces, unsigned space)
{
	return space < 32 &&
	       (spaces >> space & 1 || (space == SPACE_LOCAL && space_set_samples(spaces)));
}
