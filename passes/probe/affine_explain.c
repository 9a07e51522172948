/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_sites.h"

#include "program.h"

#include <inttypes.h>

static const char *const kind_names[] = {
#define SITE_KIND(NAME, name, ...) name,
#include "site_kinds.def"
#undef SITE_KIND
};

static void explain_companion(const struct companion *c, FILE *out)
{
	fprintf(out, "companion of %" PRIu32 ", after %" PRIu32 ", offset %" PRId64, c->leader,
	        c->after, c->offset);
	if (c->difference >= 0)
		fprintf(out, ", difference %" PRId32, c->difference);
	fputc('\n', out);
}

static void explain_site(const struct affine_site *s, const struct kernel *k, FILE *out)
{
	static const char *const names[] = { "point", "run", "grid" };

	fputs(names[s->record], out);
	if (s->record == RECORD_POINT) {
		fprintf(out, " (%s)\n", s->why);
		return;
	}
	fprintf(out, ", loop %" PRId32, k->table_loop[s->loop]);
	if (s->record == RECORD_GRID)
		fprintf(out, " in %" PRId32, k->table_loop[s->parent]);
	if (!affine_expression_is_linear(&s->address))
		fputs(", stride 0", out);
	if (s->address.check_count)
		fprintf(out, ", %zu checked", s->address.check_count);
	if (s->condition_count)
		fprintf(out, ", %" PRIu32 " conditions", s->condition_count);
	fputc('\n', out);
}

void affine_sites_explain(const struct affine_sites *a, const struct kernel *kernel, FILE *out)
{
	const struct kernel_table *t = kernel->table;

	for (size_t i = 0; i < a->site_count; i++) {
		fprintf(out, "%s %zu %s line %" PRIu32 ": ", t->name, i,
		        kind_names[t->sites[i].kind], t->sites[i].place.line);
		if (kernel_table_companion(t, (uint32_t)i))
			explain_companion(kernel_table_companion(t, (uint32_t)i), out);
		else
			explain_site(&a->sites[i], kernel, out);
	}
}
