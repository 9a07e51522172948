/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about the lanes of a warp: how their addresses lie, and how many are active. */
#include "finding_spot.h"
#include "gpu.h"
#include "shape_text.h"
#include "stats_row.h"
#include "str.h"

#include <inttypes.h>
#include <stdio.h>

/* Lanes of a run on average: those that are one stride from the next, and the last of them. */
static double lanes_of_run(const struct access_pattern *a)
{
	return finding_ratio(a->lanes, a->lanes - a->strides[0].pairs);
}

/* Whether most lanes lie beside the next, or at its place. */
static bool is_in_runs(const struct finding_spot *p)
{
	const struct access_stride *mode = &p->pattern.strides[0];
	uint64_t bytes = (uint64_t)(mode->bytes < 0 ? -mode->bytes : mode->bytes);

	return bytes <= p->facts->bytes &&
	       finding_ratio(mode->pairs, p->pattern.pairs) >= finding_limit(FINDING_LIMIT_STRIDE);
}

/* How the lanes lie: "with a lane stride of 2,048 bytes". */
static void describe_stride(char text[FINDING_WORDS_BYTES], const struct finding_spot *p)
{
	const struct access_stride *mode = &p->pattern.strides[0];
	double share = finding_ratio(mode->pairs, p->pattern.pairs);
	uint64_t bytes = (uint64_t)(mode->bytes < 0 ? -mode->bytes : mode->bytes);
	char count[FINDING_WORDS_BYTES];

	if (share < finding_limit(FINDING_LIMIT_STRIDE))
		snprintf(text, FINDING_WORDS_BYTES, "at scattered addresses");
	else if (is_in_runs(p))
		snprintf(text, FINDING_WORDS_BYTES, "in runs of %.10s lanes, each elsewhere",
		         finding_number(count, lanes_of_run(&p->pattern)));
	else
		snprintf(text, FINDING_WORDS_BYTES, "with a lane stride of %s%s bytes",
		         mode->bytes < 0 ? "-" : "", count_text(count, bytes));
}

/* Bytes that its lines brought in and nobody read; 0 where these are another rule's. */
static uint64_t wasted_bytes(const struct finding_spot *p)
{
	return p->l1.bytes_moved > p->l1.bytes_used ? p->l1.bytes_moved - p->l1.bytes_used : 0;
}

void finding_uncoalesced(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct access_pattern *a = &p->pattern;
	uint64_t aligned = a->requests - a->misaligned_requests;
	double ratio = finding_ratio(aligned, a->requests_least);
	char how[FINDING_WORDS_BYTES], what[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES];
	char now[FINDING_WORDS_BYTES], least[FINDING_WORDS_BYTES];

	if (!a->requests_least || ratio < finding_limit(FINDING_LIMIT_UNCOALESCED))
		return;
	c->is_found = true;
	c->f.cost_turns = aligned - a->requests_least + finding_turns(s, wasted_bytes(p));
	finding_show_limit(&c->f, "requests_over_least", ratio, FINDING_LIMIT_UNCOALESCED, false);
	finding_show(&c->f, "requests_per_instruction", "requests",
	             finding_ratio(aligned, a->instructions));
	finding_show(&c->f, "least_per_instruction", "requests",
	             finding_ratio(a->requests_least, a->instructions));
	finding_show(&c->f, "stride", "bytes", (double)a->strides[0].bytes);
	finding_show(&c->f, "stride_share", "share", finding_ratio(a->strides[0].pairs, a->pairs));
	finding_show(&c->f, "bytes_unused", "bytes", (double)wasted_bytes(p));
	describe_stride(how, p);
	if (is_in_runs(p))
		c->f.advice = "make groups as wide as a warp along the rows of the data, so that "
			      "a warp's lanes lie in one row";
	c->said =
		str_format(NULL, "%s %s %s: %s requests where %s would do%s", finding_verb(p),
	                   finding_object(what, s, p), how,
	                   finding_number(now, finding_ratio(aligned, a->instructions)),
	                   finding_number(least, finding_ratio(a->requests_least, a->instructions)),
	                   finding_misses(misses, s, p));
}

static double misaligned_ratio(const struct finding_spot *p)
{
	return finding_ratio(p->pattern.misaligned_requests, p->pattern.requests_least);
}

/* Whether two spots access the same argument in the same way. */
static bool is_of_same(const struct finding_spot *p, const struct finding_spot *q)
{
	return q->facts->argument == p->facts->argument && q->facts->kind == p->facts->kind &&
	       p->facts->argument >= 0;
}

/* Whether a spot stands for all misaligned ones of its argument: the one with most requests. */
static bool stands_for_others(const struct finding_scene *s, size_t spot)
{
	const struct finding_spot *p = &s->spots[spot];

	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *q = &s->spots[i];
		uint64_t of_p = p->pattern.misaligned_requests;
		uint64_t of_q = q->pattern.misaligned_requests;

		if (i == spot || !is_of_same(p, q) || !q->pattern.requests_least)
			continue;
		if (misaligned_ratio(q) < finding_limit(FINDING_LIMIT_ALIGNED) || of_q > of_p ||
		    (of_q == of_p && i < spot))
			return false;
	}
	return true;
}

void finding_misaligned(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct access_pattern *a = &p->pattern;
	double ratio = misaligned_ratio(p);
	char what[FINDING_WORDS_BYTES], now[FINDING_WORDS_BYTES], least[FINDING_WORDS_BYTES];
	uint64_t others = 0;

	if (!a->requests_least || ratio < finding_limit(FINDING_LIMIT_MISALIGNED) ||
	    !stands_for_others(s, spot))
		return;
	for (size_t i = 0; i < s->spot_count; i++)
		if (i == spot || is_of_same(p, &s->spots[i])) {
			c->f.cost_turns += s->spots[i].pattern.misaligned_requests;
			others += i != spot;
		}
	c->is_found = true;
	finding_show_limit(&c->f, "misaligned_over_least", ratio, FINDING_LIMIT_MISALIGNED, false);
	finding_show(&c->f, "misaligned_requests", "requests", (double)a->misaligned_requests);
	finding_show(&c->f, "accesses_alike", "accesses", (double)others);
	c->said = str_format(
		NULL, "%s %s from within a line on%s: %s requests where %s would do",
		finding_verb(p), finding_object(what, s, p),
		others ? ", as other lines of the kernel do" : "",
		finding_number(now, finding_ratio(a->requests, a->instructions)),
		finding_number(least, finding_ratio(a->requests_least, a->instructions)));
}

void finding_divergent(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct access_pattern *a = &p->pattern;
	double active = finding_ratio(a->lanes, a->lanes_possible);
	char what[FINDING_WORDS_BYTES], lanes[FINDING_WORDS_BYTES], all[FINDING_WORDS_BYTES];

	if (!a->instructions || active > finding_limit(FINDING_LIMIT_ACTIVE))
		return;
	c->is_found = true;
	c->f.cost_turns = (uint64_t)((double)a->instructions * (1 - active));
	finding_show_limit(&c->f, "active_lanes", active, FINDING_LIMIT_ACTIVE, true);
	finding_show(&c->f, "instructions", "instructions", (double)a->instructions);
	c->said =
		str_format(NULL, "%s %s with %s of the %s lanes of a warp: the others wait",
	                   finding_verb(p), finding_object(what, s, p),
	                   finding_number(lanes, finding_ratio(a->lanes, a->instructions)),
	                   finding_number(all, finding_ratio(a->lanes_possible, a->instructions)));
}

void finding_bank_conflict(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct side_counts *side = &p->side;
	double ratio = finding_ratio(side->bank_conflicts, side->local_instructions);
	char passes[FINDING_WORDS_BYTES];
	const char *what = p->facts->expression && *p->facts->expression ? p->facts->expression
	                                                                 : "local memory";

	if (!side->local_instructions || ratio < finding_limit(FINDING_LIMIT_BANKS))
		return;
	c->is_found = true;
	c->f.cost_turns = side->bank_conflicts;
	finding_show_limit(&c->f, "further_passes_per_instruction", ratio, FINDING_LIMIT_BANKS,
	                   false);
	finding_show(&c->f, "bank_conflicts", "passes", (double)side->bank_conflicts);
	c->said = str_format(NULL, "%s %.64s in local memory in %s passes where 1 would do",
	                     finding_verb(p), what, finding_number(passes, 1 + ratio));
}
