/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "recording.h"
#include "replay.h"
#include "replay_report.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SITES_SHOWN = 10 };

static const struct kernel_table *table_of(const struct replayed_launch *l)
{
	return &l->recording->kernels[l->recording->launches[l->index].kernel].table;
}

static bool has_sites(const struct kernel_table *t, uint32_t space)
{
	for (size_t i = 0; i < t->site_count; i++)
		if (side_counts_take(&t->sites[i]) && t->sites[i].space == space)
			return true;
	return false;
}

void replay_json_side(struct json_out *out, json_t *site, uint32_t space,
                      const struct side_counts *c)
{
	json_t *object;

	if (space != SPACE_LOCAL && space != SPACE_CONSTANT)
		return;
	object = json_object();
#define SIDE_COUNTER(name, memory, key, unit, text)                                                \
	if (space == SPACE_##memory)                                                               \
		json_out_count(out, object, key, c->name);
#include "side_counters.def"
#undef SIDE_COUNTER
	json_out_value(out, site, space == SPACE_LOCAL ? "local_memory" : "constant_memory",
	               object);
}

void replay_json_sides(struct json_out *out, json_t *launch, const struct replayed_launch *l)
{
	static const uint32_t spaces[] = { SPACE_LOCAL, SPACE_CONSTANT };

	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (has_sites(table_of(l), spaces[i]))
			replay_json_side(out, launch, spaces[i], &l->result->schedule.side);
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0.0;
}

/* A site and its conflicts, for sorting. */
struct ranked_site {
	size_t site;
	uint64_t conflicts;
};

static int compare_sites(const void *a, const void *b)
{
	const struct ranked_site *x = a, *y = b;

	if (x->conflicts != y->conflicts)
		return x->conflicts > y->conflicts ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static void print_site(FILE *out, const struct replayed_launch *l, const struct ranked_site *s,
                       const struct source_text *source)
{
	const struct side_counts *c = &l->result->schedule.sides[s->site];
	char conflicts[COUNT_TEXT_BYTES], instructions[COUNT_TEXT_BYTES];

	fprintf(out, "  %15s %24s  ", count_text(conflicts, s->conflicts),
	        count_text(instructions, c->local_instructions));
	site_text_print(out, &table_of(l)->sites[s->site], s->site, source);
}

static void print_conflicts(FILE *out, const struct replayed_launch *l)
{
	const struct recorded_launch *facts = &l->recording->launches[l->index];
	const struct replay_result *r = l->result;
	struct ranked_site *ranked = array_alloc(r->site_count, sizeof(*ranked), "sites", NULL);
	struct source_text source;

	if (!ranked)
		return;
	for (size_t i = 0; i < r->site_count; i++)
		ranked[i] = (struct ranked_site){ i, r->schedule.sides[i].bank_conflicts };
	qsort(ranked, r->site_count, sizeof(*ranked), compare_sites);
	source_text_load(&source, l->recording, l->recording->kernels[facts->kernel].program);
	fprintf(out, "\n  %15s %24s  %-6s %s\n", "bank conflicts", "warp instructions", "kind",
	        "place");
	for (size_t i = 0; i < r->site_count && i < SITES_SHOWN && ranked[i].conflicts; i++)
		print_site(out, l, &ranked[i], &source);
	source_text_release(&source);
	free(ranked);
}

void replay_text_sides(FILE *out, const struct replayed_launch *l)
{
	const struct side_counts *c = &l->result->schedule.side;
	char more[64];

	if (has_sites(table_of(l), SPACE_LOCAL)) {
		replay_text_row(out, "local memory", c->local_instructions, "warp instructions");
		replay_text_row(out, "  lanes", c->local_lanes, "");
		snprintf(more, sizeof(more), "%.2f further passes each",
		         ratio(c->bank_conflicts, c->local_instructions));
		replay_text_row(out, "  bank conflicts", c->bank_conflicts, more);
	}
	if (has_sites(table_of(l), SPACE_CONSTANT)) {
		replay_text_row(out, "constant memory", c->constant_instructions,
		                "warp instructions");
		replay_text_row(out, "  lanes", c->constant_lanes, "");
		snprintf(more, sizeof(more), "%.2f each",
		         ratio(c->constant_addresses, c->constant_instructions));
		replay_text_row(out, "  addresses", c->constant_addresses, more);
	}
	if (c->bank_conflicts)
		print_conflicts(out, l);
}
