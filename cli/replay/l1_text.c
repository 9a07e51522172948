/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_text.h"

#include "err.h"
#include "gpu.h"
#include "line_walk.h"
#include "str.h"

#include <stdbool.h>
#include <string.h>

enum { DESCRIPTION_LIMIT_BYTES = 1 << 16 };

/* Whether "key = value" says nothing of note: another key, or a usual value. */
static bool is_usual(const char *line, size_t length)
{
	static const char *const keys[] = {
		"l1_policy ",     "l1_sector_bytes ", "l1_write ",
		"l1_allocation ", "l1_mshr_entries ", "l1_mshr_merge "
	};
	static const char *const values[] = { "= lru", "= 0", "= through_evict", "= through_update",
		                              "= at_miss" };
	const char *value = memchr(line, '=', length);
	size_t key = 0, count = sizeof(keys) / sizeof(keys[0]);

	while (key < count && strncmp(line, keys[key], strlen(keys[key])) != 0)
		key++;
	if (key == count || !value)
		return true;
	length -= (size_t)(value - line);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (strlen(values[i]) == length && !memcmp(value, values[i], length))
			return true;
	return false;
}

static void print_keys(FILE *out, const char *text)
{
	struct line_walk walk = line_walk_string(text);
	const char *before = "L1 has ";
	struct line line;

	while (line_walk_next(&walk, &line)) {
		const char *value = memchr(line.text, '=', line.length);

		if (is_usual(line.text, line.length))
			continue;
		fprintf(out, "%s%.*s %.*s", before, (int)strcspn(line.text, " "), line.text,
		        (int)(line.text + line.length - value), value);
		before = ", ";
	}
	if (*before == ',')
		fprintf(out, ".\n");
}

void l1_text_print(FILE *out, const struct gpu *gpu)
{
	struct str text;

	str_init(&text, DESCRIPTION_LIMIT_BYTES);
	if (!gpu_print(gpu, &text, NULL))
		print_keys(out, text.text);
	str_release(&text);
}
