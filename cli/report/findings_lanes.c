/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about lanes that wait: for the others of their warp, or for a bank of local memory. */
#include "finding_spot.h"
#include "gpu.h"
#include "str.h"

#include <string.h>

/* Instructions of an access, and the lanes in them, wherever the memory is. */
struct lanes {
	uint64_t instructions, active, possible;
};

static struct lanes lanes_of(const struct finding_scene *s, const struct finding_spot *p)
{
	if (p->facts->space == SPACE_LOCAL)
		return (struct lanes){ p->side.local_instructions, p->side.local_lanes,
			               p->side.local_instructions * s->gpu->warp_lanes };
	return (struct lanes){ p->pattern.instructions, p->pattern.lanes,
		               p->pattern.lanes_possible };
}

/* A lane of each group that does something for it is not what this is about. */
static bool is_divergent(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct lanes l = lanes_of(s, p);

	return l.instructions && l.active > s->kernel->counts.groups &&
	       finding_ratio(l.active, l.possible) <= finding_limit(FINDING_LIMIT_ACTIVE);
}

/* Those of one source line. */
static int compare_lines(const struct finding_spot *p, const struct finding_spot *q)
{
	const struct place *a = &p->facts->place, *b = &q->facts->place;
	bool has_a = a->file && a->line, has_b = b->file && b->line;

	if (!has_a || !has_b)
		return has_a || has_b ? has_a - has_b : finding_each_alone(p, q);
	return a->line != b->line ? a->line < b->line ? -1 : 1 : strcmp(a->file, b->file);
}

/* Instructions that full warps would not need. */
static double idle_instructions(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct lanes l = lanes_of(s, p);

	return (double)l.instructions * (1 - finding_ratio(l.active, l.possible));
}

static uint64_t whole_idle_instructions(const struct finding_scene *s, const struct finding_spot *p)
{
	return (uint64_t)idle_instructions(s, p);
}

static void claim_divergent(const struct finding_scene *s, const struct finding_cause *cause,
                            struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct lanes l = lanes_of(s, p);
	char what[FINDING_WORDS_BYTES], lanes[FINDING_WORDS_BYTES], all[FINDING_WORDS_BYTES];
	char likewise[FINDING_WORDS_BYTES];
	uint64_t others = cause->count - 1;
	double cost = 0;

	for (size_t i = 0; i < cause->count; i++)
		cost += idle_instructions(s, cause->spots[i]);
	c->f.cost_turns = (uint64_t)cost;
	if (!c->f.cost_turns)
		return;
	c->is_found = true;
	finding_show_limit(&c->f, "active_lanes", finding_ratio(l.active, l.possible),
	                   FINDING_LIMIT_ACTIVE, true);
	finding_show(&c->f, "instructions", "instructions", (double)l.instructions);
	finding_show(&c->f, "accesses_alike", "accesses", (double)others);
	c->said = str_format(NULL, "%s %s with %s of the %s lanes of a warp: the others wait%s",
	                     finding_verb(p), finding_object(what, s, p),
	                     finding_number(lanes, finding_ratio(l.active, l.instructions)),
	                     finding_number(all, finding_ratio(l.possible, l.instructions)),
	                     finding_others(likewise, others));
}

const struct finder finding_divergent = { is_divergent, compare_lines, whole_idle_instructions,
	                                  claim_divergent };

static bool has_bank_conflicts(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->side.local_instructions &&
	       finding_ratio(p->side.bank_conflicts, p->side.local_instructions) >=
	               finding_limit(FINDING_LIMIT_BANKS);
}

static uint64_t bank_conflicts(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->side.bank_conflicts;
}

static void claim_bank_conflict(const struct finding_scene *s, const struct finding_cause *cause,
                                struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	double ratio = finding_ratio(p->side.bank_conflicts, p->side.local_instructions);
	char passes[FINDING_WORDS_BYTES], what[FINDING_WORDS_BYTES], likewise[FINDING_WORDS_BYTES];
	uint64_t others = cause->count - 1;

	for (size_t i = 0; i < cause->count; i++)
		c->f.cost_turns += cause->spots[i]->side.bank_conflicts;
	c->is_found = true;
	finding_show_limit(&c->f, "further_passes_per_instruction", ratio, FINDING_LIMIT_BANKS,
	                   false);
	finding_show(&c->f, "bank_conflicts", "passes", (double)p->side.bank_conflicts);
	finding_show(&c->f, "accesses_alike", "accesses", (double)others);
	c->said = str_format(NULL, "%s %s in local memory in %s passes where 1 would do%s",
	                     finding_verb(p), finding_object(what, s, p),
	                     finding_number(passes, 1 + ratio), finding_others(likewise, others));
}

const struct finder finding_bank_conflict = { has_bank_conflicts, finding_all_alike, bank_conflicts,
	                                      claim_bank_conflict };
