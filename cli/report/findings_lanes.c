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

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a->file && b->file && a->line && a->line == b->line && !strcmp(a->file, b->file);
}

/* What the divergent accesses of a line cost together; 0: another one stands for it. */
static uint64_t cost_of_line(const struct finding_scene *s, size_t spot, uint64_t *others)
{
	double cost = 0;

	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *p = &s->spots[i];
		const struct lanes l = lanes_of(s, p);

		if (!is_divergent(s, p))
			continue;
		if (i != spot && !is_same_line(&p->facts->place, &s->spots[spot].facts->place))
			continue;
		if (i < spot)
			return 0;
		cost += (double)l.instructions * (1 - finding_ratio(l.active, l.possible));
		*others += i != spot;
	}
	return (uint64_t)cost;
}

void finding_divergent(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct lanes l = lanes_of(s, p);
	char what[FINDING_WORDS_BYTES], lanes[FINDING_WORDS_BYTES], all[FINDING_WORDS_BYTES];
	char likewise[FINDING_WORDS_BYTES];
	uint64_t others = 0;

	if (is_divergent(s, p))
		c->f.cost_turns = cost_of_line(s, spot, &others);
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

static bool has_bank_conflicts(const struct finding_spot *p)
{
	return p->side.local_instructions &&
	       finding_ratio(p->side.bank_conflicts, p->side.local_instructions) >=
	               finding_limit(FINDING_LIMIT_BANKS);
}

/* What those of the kernel cost together; 0: another one has more, and stands for all. */
static uint64_t cost_of_banks(const struct finding_scene *s, size_t spot, uint64_t *others)
{
	uint64_t own = s->spots[spot].side.bank_conflicts, cost = own;

	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *q = &s->spots[i];

		if (i == spot || !has_bank_conflicts(q))
			continue;
		if (q->side.bank_conflicts > own || (q->side.bank_conflicts == own && i < spot))
			return 0;
		cost += q->side.bank_conflicts;
		++*others;
	}
	return cost;
}

void finding_bank_conflict(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	double ratio = finding_ratio(p->side.bank_conflicts, p->side.local_instructions);
	char passes[FINDING_WORDS_BYTES], what[FINDING_WORDS_BYTES], likewise[FINDING_WORDS_BYTES];
	uint64_t others = 0;

	if (has_bank_conflicts(p))
		c->f.cost_turns = cost_of_banks(s, spot, &others);
	if (!c->f.cost_turns)
		return;
	c->is_found = true;
	finding_show_limit(&c->f, "further_passes_per_instruction", ratio, FINDING_LIMIT_BANKS,
	                   false);
	finding_show(&c->f, "bank_conflicts", "passes", (double)p->side.bank_conflicts);
	finding_show(&c->f, "accesses_alike", "accesses", (double)others);
	c->said = str_format(NULL, "%s %s in local memory in %s passes where 1 would do%s",
	                     finding_verb(p), finding_object(what, s, p),
	                     finding_number(passes, 1 + ratio), finding_others(likewise, others));
}
