/* SPDX-License-Identifier: Apache-2.0 */
#include "site_text.h"

#include "kernel_table.h"
#include "source_text.h"
#include "str.h"

#include <stdlib.h>

/* A line of source: each tab a blank, other control characters visible. */
static void print_line(FILE *out, const char *line, int length)
{
	char *copy = str_format(NULL, "%.*s", length, line), *seen;

	for (char *at = copy; at && *at; at++)
		if (*at == '\t')
			*at = ' ';
	seen = copy ? str_visible(copy, NULL) : NULL;
	fprintf(out, "  | %s", seen ? seen : "");
	free(seen);
	free(copy);
}

void site_text_print(FILE *out, const struct site *site, size_t number,
                     const struct source_text *source)
{
	const struct place *place = &site->place;
	const char *line;
	int length = 0;

	fprintf(out, "%-6s ", site_kind_name(site->kind));
	if (place->file && place->line)
		fprintf(out, "%s:%u:%u", place->file, place->line, place->column);
	else
		fprintf(out, "site %zu", number);
	line = source_text_line(source, place, &length);
	if (site->expression && *site->expression)
		fprintf(out, "  %s", site->expression);
	else if (line)
		print_line(out, line, length);
	fputc('\n', out);
}
