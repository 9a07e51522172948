/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about requests: more of them than the bytes that the lanes want would need. */
#include "finding_spot.h"
#include "gpu.h"
#include "shape_text.h"
#include "str.h"

#include <stdio.h>

/* How the lanes of an access lie: each by itself, some side by side, or all one stride apart. */
enum lane_shape { SCATTERED, RUNS, STRIDE };

/* Requests but for those that only the start within a line costs. */
static uint64_t requests_of(const struct finding_spot *p)
{
	return p->pattern.requests - p->pattern.misaligned_requests;
}

static uint64_t stride_bytes(const struct finding_spot *p)
{
	int64_t bytes = p->pattern.strides[0].bytes;

	return bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
}

static enum lane_shape shape_of(const struct finding_spot *p)
{
	double share = finding_ratio(p->pattern.strides[0].pairs, p->pattern.pairs);

	if (share < finding_limit(FINDING_LIMIT_STRIDE))
		return SCATTERED;
	return stride_bytes(p) <= p->facts->bytes ? RUNS : STRIDE;
}

/* Atomics at scattered addresses are what they are for: hot-line says when they meet. */
bool finding_spot_is_uncoalesced(const struct finding_spot *p)
{
	if (!p->pattern.requests_least ||
	    (p->facts->kind == SITE_ATOMIC && shape_of(p) == SCATTERED))
		return false;
	return finding_ratio(requests_of(p), p->pattern.requests_least) >=
	       finding_limit(FINDING_LIMIT_UNCOALESCED);
}

/* Requests that could be saved, and the bytes that came for them and nobody read. */
static uint64_t cost_of(const struct finding_scene *s, const struct finding_spot *p)
{
	uint64_t unused =
		p->l1.bytes_moved > p->l1.bytes_used ? p->l1.bytes_moved - p->l1.bytes_used : 0;

	return requests_of(p) - p->pattern.requests_least + finding_turns(s, unused);
}

/* Whether both have one cause: groups that are too narrow, or a stride of one argument. */
static bool is_alike(const struct finding_spot *p, const struct finding_spot *q)
{
	if (!q->is_uncoalesced || shape_of(p) != shape_of(q) || shape_of(p) == SCATTERED)
		return false;
	return shape_of(p) == RUNS ||
	       (p->facts->argument == q->facts->argument && p->facts->argument >= 0 &&
	        p->pattern.strides[0].bytes == q->pattern.strides[0].bytes);
}

/* What an access stands for: itself and those alike. */
struct alike {
	uint64_t turns, others;
	struct l1_stats_row l1;
};

/* Add up those alike; false: one of them costs more, and stands for this one. */
static bool gather(const struct finding_scene *s, size_t spot, struct alike *sum)
{
	const struct finding_spot *p = &s->spots[spot];
	uint64_t own = cost_of(s, p);

	*sum = (struct alike){ .turns = own, .l1 = p->l1 };
	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *q = &s->spots[i];

		if (i == spot || !is_alike(p, q))
			continue;
		if (cost_of(s, q) > own || (cost_of(s, q) == own && i < spot))
			return false;
		sum->turns += cost_of(s, q);
		sum->others++;
		l1_stats_add(&sum->l1, &q->l1);
	}
	return true;
}

/* "with a lane stride of 2,048 bytes" */
static void describe(char text[FINDING_WORDS_BYTES], const struct finding_spot *p)
{
	const struct access_pattern *a = &p->pattern;
	char count[COUNT_TEXT_BYTES];

	if (shape_of(p) == SCATTERED)
		snprintf(text, FINDING_WORDS_BYTES, "at scattered addresses");
	else if (!stride_bytes(p))
		snprintf(text, FINDING_WORDS_BYTES, "at one address for each %.0f lanes",
		         finding_ratio(a->lanes, a->lanes - a->strides[0].pairs));
	else if (shape_of(p) == RUNS)
		snprintf(text, FINDING_WORDS_BYTES, "in runs of %.0f lanes, each elsewhere",
		         finding_ratio(a->lanes, a->lanes - a->strides[0].pairs));
	else
		snprintf(text, FINDING_WORDS_BYTES, "with a lane stride of %s%s bytes",
		         a->strides[0].bytes < 0 ? "-" : "", count_text(count, stride_bytes(p)));
}

static void show(struct finding *f, const struct finding_spot *p, const struct alike *sum)
{
	const struct access_pattern *a = &p->pattern;

	finding_show_limit(f, "requests_over_least",
	                   finding_ratio(requests_of(p), a->requests_least),
	                   FINDING_LIMIT_UNCOALESCED, false);
	finding_show(f, "requests_per_instruction", "requests",
	             finding_ratio(requests_of(p), a->instructions));
	finding_show(f, "least_per_instruction", "requests",
	             finding_ratio(a->requests_least, a->instructions));
	if (shape_of(p) != SCATTERED) {
		finding_show(f, "stride", "bytes", (double)a->strides[0].bytes);
		finding_show(f, "stride_share", "share",
		             finding_ratio(a->strides[0].pairs, a->pairs));
	}
	finding_show(f, "bytes_moved", "bytes", (double)sum->l1.bytes_moved);
	finding_show(f, "bytes_used", "bytes", (double)sum->l1.bytes_used);
	finding_show(f, "accesses_alike", "accesses", (double)sum->others);
}

void finding_uncoalesced(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct access_pattern *a = &p->pattern;
	char how[FINDING_WORDS_BYTES], what[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES];
	char now[FINDING_WORDS_BYTES], least[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES];
	struct alike sum;

	if (!p->is_uncoalesced || !gather(s, spot, &sum))
		return;
	c->is_found = true;
	c->f.cost_turns = sum.turns;
	if (shape_of(p) == RUNS)
		c->f.advice = "make groups as wide as a warp along the rows of the data, so that "
			      "a warp's lanes lie in one row";
	show(&c->f, p, &sum);
	describe(how, p);
	c->said =
		str_format(NULL, "%s %s %s: %s requests where %s would do%s%s", finding_verb(p),
	                   finding_object(what, s, p), how,
	                   finding_number(now, finding_ratio(requests_of(p), a->instructions)),
	                   finding_number(least, finding_ratio(a->requests_least, a->instructions)),
	                   finding_misses(misses, s, &sum.l1), finding_others(others, sum.others));
}

static double misaligned_ratio(const struct finding_spot *p)
{
	return finding_ratio(p->pattern.misaligned_requests, p->pattern.requests_least);
}

/* A window that slides over the data: it cannot always begin a line. */
static bool is_sliding(const struct finding_spot *p)
{
	return finding_ratio(p->pattern.slides, p->pattern.steps) >=
	       finding_limit(FINDING_LIMIT_SLIDES);
}

/* Whether two spots access the same argument in the same way. */
static bool is_of_same(const struct finding_spot *p, const struct finding_spot *q)
{
	return q->facts->argument == p->facts->argument && q->facts->kind == p->facts->kind &&
	       p->facts->argument >= 0 && q->pattern.requests_least;
}

/* Whether a spot stands for all misaligned ones of its argument: the one with most requests. If one
 * of them begins its lines, the data do, and none does. */
static bool stands_for_others(const struct finding_scene *s, size_t spot)
{
	const struct finding_spot *p = &s->spots[spot];

	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *q = &s->spots[i];
		uint64_t of_p = p->pattern.misaligned_requests;
		uint64_t of_q = q->pattern.misaligned_requests;

		if (i == spot || !is_of_same(p, q))
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
	char others[FINDING_WORDS_BYTES];
	uint64_t alike = 0;

	if (!a->requests_least || ratio < finding_limit(FINDING_LIMIT_MISALIGNED) ||
	    is_sliding(p) || !stands_for_others(s, spot))
		return;
	for (size_t i = 0; i < s->spot_count; i++)
		if (i == spot || is_of_same(p, &s->spots[i])) {
			c->f.cost_turns += s->spots[i].pattern.misaligned_requests;
			alike += i != spot;
		}
	c->is_found = true;
	finding_show_limit(&c->f, "misaligned_over_least", ratio, FINDING_LIMIT_MISALIGNED, false);
	finding_show(&c->f, "misaligned_requests", "requests", (double)a->misaligned_requests);
	finding_show(&c->f, "slides", "share", finding_ratio(a->slides, a->steps));
	finding_show(&c->f, "accesses_alike", "accesses", (double)alike);
	c->said =
		str_format(NULL, "%s %s from within a line on: %s requests where %s would do%s",
	                   finding_verb(p), finding_object(what, s, p),
	                   finding_number(now, finding_ratio(a->requests, a->instructions)),
	                   finding_number(least, finding_ratio(a->requests_least, a->instructions)),
	                   finding_others(others, alike));
}
