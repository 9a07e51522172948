/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about lanes that wait: for the others of their warp, or for a bank of local memory. */
#include "finding_spot.h"
#include "gpu.h"
#include "str.h"

/* The instructions of an access, and their lanes, for any memory. */
struct lanes {
	uint64_t instructions, active, possible;
	uint64_t idle; /* idle ones of these; 0 in steps of a sum by halves */
};

static struct lanes lanes_of(const struct finding_scene *s, const struct finding_spot *p)
{
	if (p->facts->space == SPACE_LOCAL)
		return (struct lanes){ p->sums.side.local_instructions, p->sums.side.local_lanes,
			               p->sums.side.local_instructions * s->gpu->warp_lanes,
			               p->sums.side.local_idle_lanes };
	return (struct lanes){ p->sums.pattern.instructions, p->sums.pattern.lanes,
		               p->sums.pattern.lanes_possible, p->sums.pattern.idle_lanes };
}

/* A single lane that works for its group is not divergence. */
static bool is_divergent(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct lanes l = lanes_of(s, p);

	return l.instructions && l.active > s->kernel->counts.groups &&
	       1 - finding_ratio(l.idle, l.possible) <= finding_limit(FINDING_LIMIT_ACTIVE);
}

/* Spots with the same share of idle lanes, in the same memory, have one cause: one condition lets
 * their lanes through. */
static int compare_shares(const struct finding_spot *p, const struct finding_spot *q)
{
	double of_a, of_b;

	if (p->facts->space != q->facts->space)
		return p->facts->space < q->facts->space ? -1 : 1;
	if (p->facts->space == SPACE_LOCAL) {
		of_a = finding_ratio(p->sums.side.local_idle_lanes,
		                     p->sums.side.local_instructions);
		of_b = finding_ratio(q->sums.side.local_idle_lanes,
		                     q->sums.side.local_instructions);
	} else {
		of_a = finding_ratio(p->sums.pattern.idle_lanes, p->sums.pattern.lanes_possible);
		of_b = finding_ratio(q->sums.pattern.idle_lanes, q->sums.pattern.lanes_possible);
	}
	return (of_a > of_b) - (of_a < of_b);
}

/* Returns the instructions that full warps would not need. */
static double idle_instructions(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct lanes l = lanes_of(s, p);

	return (double)l.instructions * finding_ratio(l.idle, l.possible);
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
	char likewise[FINDING_WORDS_BYTES], sample[FINDING_WORDS_BYTES];
	uint64_t others = cause->count - 1;
	bool is_local = p->facts->space == SPACE_LOCAL;

	for (size_t i = 0; i < cause->count; i++) {
		finding_save(c, cause->spots[i], is_local ? FINDING_PASSES : FINDING_REQUESTS,
		             idle_instructions(s, cause->spots[i]));
		finding_save(c, cause->spots[i], FINDING_BYTES,
		             finding_turns(s, cause->spots[i]->sums.l1.bytes_moved -
		                                      cause->spots[i]->sums.l1.bytes_used));
	}
	c->f.whole = is_local ? FINDING_OF_MEMORY : FINDING_OF_GLOBAL;
	c->is_found = true;
	finding_show_limit(&c->f, "lanes_not_idle", 1 - finding_ratio(l.idle, l.possible),
	                   FINDING_LIMIT_ACTIVE, true);
	finding_show(&c->f, "instructions", "instructions", (double)l.instructions);
	finding_show(&c->f, "accesses_alike", "accesses", (double)others);
	c->said = str_format(NULL, "%s %s with %s of the %s lanes of a warp: the others idle%s%s",
	                     finding_verb(p), finding_object(what, s, p),
	                     finding_number(lanes, finding_ratio(l.active, l.instructions)),
	                     finding_number(all, finding_ratio(l.possible, l.instructions)),
	                     finding_others(likewise, others), finding_sample(sample, p));
}

const struct finder finding_divergent = { is_divergent, compare_shares, whole_idle_instructions,
	                                  claim_divergent };

static bool has_bank_conflicts(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.side.local_instructions &&
	       finding_ratio(p->sums.side.bank_conflicts, p->sums.side.local_instructions) >=
	               finding_limit(FINDING_LIMIT_BANKS) &&
	       (p->facts->kind != SITE_ATOMIC ||
	        finding_ratio(p->sums.side.bank_conflicts, p->sums.side.local_lanes) >=
	                finding_limit(FINDING_LIMIT_ATOMIC_PASSES));
}

static uint64_t bank_conflicts(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.side.bank_conflicts;
}

/* Returns the advice by cause: lanes on one word, lanes that become fewer and farther apart, or a
 * stride. */
static const char *bank_advice(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct lanes l = lanes_of(s, p);

	if (p->facts->kind == SITE_ATOMIC)
		return "let each work-item sum in a register, and the lanes of a warp by shuffles, "
		       "before one of them updates the word; or give each warp a copy of its own";
	if (finding_ratio(l.active, l.possible) < finding_limit(FINDING_LIMIT_FULL))
		return "where fewer lanes work in each step and lie ever farther apart (a sum by "
		       "interleaved pairs), let neighbouring work-items take neighbouring words: "
		       "add the upper half to the lower, or let the lanes of a warp sum by "
		       "shuffles";
	return NULL;
}

/* Returns the passes of an instruction without conflicts: one, if its lanes do not fill all banks.
 */
static double least_passes(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct lanes l = lanes_of(s, p);
	double bytes = finding_ratio(l.active, l.instructions) * p->facts->bytes;
	double row = (double)s->gpu->local_banks * s->gpu->local_bank_bytes;

	return bytes > row ? bytes / row : 1;
}

static void claim_bank_conflict(const struct finding_scene *s, const struct finding_cause *cause,
                                struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	double ratio = finding_ratio(p->sums.side.bank_conflicts, p->sums.side.local_instructions);
	char passes[FINDING_WORDS_BYTES], what[FINDING_WORDS_BYTES], likewise[FINDING_WORDS_BYTES];
	char least[FINDING_WORDS_BYTES], sample[FINDING_WORDS_BYTES];
	double enough = p->facts->kind == SITE_ATOMIC ? 1 : least_passes(s, p);
	uint64_t others = cause->count - 1;

	for (size_t i = 0; i < cause->count; i++)
		finding_save(c, cause->spots[i], FINDING_PASSES,
		             (double)cause->spots[i]->sums.side.bank_conflicts);
	c->f.whole = FINDING_OF_MEMORY;
	c->f.advice = bank_advice(s, p);
	c->is_found = true;
	finding_show_limit(&c->f, "further_passes_per_instruction", ratio, FINDING_LIMIT_BANKS,
	                   false);
	finding_show(&c->f, "bank_conflicts", "passes", (double)p->sums.side.bank_conflicts);
	finding_show(&c->f, "accesses_alike", "accesses", (double)others);
	c->said = str_format(NULL, "%s %s in local memory in %s passes instead of %s%s%s",
	                     finding_verb(p), finding_object(what, s, p),
	                     finding_number(passes, enough + ratio), finding_number(least, enough),
	                     finding_others(likewise, others), finding_sample(sample, p));
}

const struct finder finding_bank_conflict = { has_bank_conflicts, finding_all_alike, bank_conflicts,
	                                      claim_bank_conflict };
