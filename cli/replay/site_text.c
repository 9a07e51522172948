/* SPDX-License-Identifier: Apache-2.0 */
#include "site_text.h"

#include "kernel_table.h"
#include "source_text.h"
#include "str.h"

#include <stdlib.h>

enum { SHOWN_BYTES = 60 };

void site_text_print_line(const struct source_text *s, const struct place *place,
                          const char *before, FILE *out)
{
	char *copy = source_text_copy(s, place, SHOWN_BYTES), *seen = NULL;

	if (copy)
		seen = str_visible(copy, NULL);
	if (seen)
		fprintf(out, "%s%s", before, seen);
	free(seen);
	free(copy);
}

void site_text_print(FILE *out, const struct site *site, size_t number,
                     const struct source_text *source)
{
	const struct place *place = &site->place;

	fprintf(out, "%-6s ", site_kind_name(site->kind));
	if (place->file && place->line)
		fprintf(out, "%s:%u:%u", place->file, place->line, place->column);
	else
		fprintf(out, "site %zu", number);
	if (site->expression && *site->expression)
		fprintf(out, "  %s", site->expression);
	else
		site_text_print_line(source, place, "  | ", out);
	fputc('\n', out);
}
