/* SPDX-License-Identifier: Apache-2.0 */
#include "site_text.h"

#include "kernel_table.h"
#include "source_text.h"

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
		source_text_print(source, place, "  | ", out);
	fputc('\n', out);
}
